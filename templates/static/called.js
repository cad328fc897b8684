/* Rings when a player of this phone is called. Markup:

   <section data-rings hidden>…<button data-ring>…</button><p data-ring-says role="status"></p></section>
   <… data-call="KEY" data-call-says="…">   in the live part: an open call; the second call has another key

   Browsers play sound only after a tap, so a tap switches ringing on, and another one is needed after a reload. Over
   HTTPS the phone also shows a notification. A page with ringing keeps its stream while it is hidden. */
"use strict";

(() => {
  const box = document.querySelector("[data-rings]");
  const Sound = window.AudioContext || window.webkitAudioContext;
  if (!box || !Sound) return;

  const button = box.querySelector("[data-ring]");
  const status = box.querySelector("[data-ring-says]");
  const words = box.dataset;
  const title = document.title;
  const TONES = [880, 1175, 880, 1175, 880, 1175];
  const TONE_SECONDS = 0.35;
  let sound = null;

  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      /* private windows store nothing: the phone may ring twice for the same call */
    }
  };
  const remembered = (name) => {
    try {
      return localStorage.getItem(name) || "";
    } catch {
      return "";
    }
  };

  const isWanted = () => remembered("rings") === "yes";
  const canSound = () => sound?.state === "running";
  const canNotify = () => window.isSecureContext && "Notification" in window;

  const tone = (frequency, number) => {
    const from = sound.currentTime + number * TONE_SECONDS;
    const source = sound.createOscillator();
    const volume = sound.createGain();
    source.frequency.value = frequency;
    volume.gain.setValueAtTime(0.4, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
    source.connect(volume).connect(sound.destination);
    source.start(from);
    source.stop(from + TONE_SECONDS);
  };

  const ring = (tones) => {
    if (canSound()) tones.forEach(tone);
    navigator.vibrate?.([400, 200, 400, 200, 400]);
  };

  const showNotification = async (sentence) => {
    if (!canNotify() || Notification.permission !== "granted") return;
    const options = { body: sentence, tag: "called", requireInteraction: true };
    const registration = navigator.serviceWorker ? await navigator.serviceWorker.getRegistration() : null;
    if (registration) await registration.showNotification(title, options);
    else new Notification(title, options);
  };

  const show = () => {
    const wanted = isWanted();
    document.documentElement.classList.toggle("rings", wanted);
    box.hidden = false;
    button.setAttribute("aria-pressed", String(wanted));
    button.textContent = wanted ? words.off : words.on;
    status.textContent = !wanted ? "" : canSound() ? words.ready : words.silent;
    box.classList.toggle("is-silent", wanted && !canSound());
  };

  const enableSound = async () => {
    sound = sound || new Sound();
    await sound.resume();
    if (canNotify() && Notification.permission === "default") await Notification.requestPermission();
    navigator.wakeLock?.request("screen").catch(() => {});
  };

  const checkCalls = () => {
    const calls = [...document.querySelectorAll("[data-call]")];
    document.title = calls.length ? `● ${calls[0].dataset.callSays}` : title;
    const announced = remembered("heard").split(" ");
    const fresh = calls.filter((call) => !announced.includes(call.dataset.call));
    if (!fresh.length || !isWanted()) return;
    remember("heard", [...announced, ...fresh.map((call) => call.dataset.call)].slice(-20).join(" "));
    ring(TONES);
    showNotification(fresh[0].dataset.callSays).catch(() => {});
    fresh[0].scrollIntoView({ block: "center" });
  };

  button.addEventListener("click", async () => {
    const turnsOn = !isWanted();
    remember("rings", turnsOn ? "yes" : "no");
    if (turnsOn) {
      await enableSound();
      ring(TONES.slice(0, 2));
      checkCalls();
    }
    show();
  });
  /* After a reload any tap enables the sound again. */
  document.addEventListener("pointerup", () => {
    if (isWanted() && !canSound()) enableSound().then(show, () => {});
  });
  document.addEventListener("live:swapped", checkCalls);
  show();
  checkCalls();
})();
