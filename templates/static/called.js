/* Rings when a player of this phone is called. Markup:

   <section data-rings hidden>…<button data-ring>…</button><p data-ring-says role="status"></p></section>
   <… data-call="KEY" data-call-says="…">   in the live part: a call that stands; its key changes with the second call

   A browser lets a page sound only after a tap, so ringing is switched on by one, and again after the page was loaded
   anew. Over HTTPS the phone shows the call too, outside the page. A page that rings goes on listening while it is hidden. */
"use strict";

(() => {
  const box = document.querySelector("[data-rings]");
  const Sound = window.AudioContext || window.webkitAudioContext;
  if (!box || !Sound) return;

  const button = box.querySelector("[data-ring]");
  const says = box.querySelector("[data-ring-says]");
  const words = box.dataset;
  const title = document.title;
  const TONES = [880, 1175, 880, 1175, 880, 1175];
  const EACH = 0.35;
  let sound = null;

  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      /* a private window forgets: the phone then rings once more than it need */
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
  const tellsOutside = () => window.isSecureContext && "Notification" in window;

  const tone = (frequency, number) => {
    const from = sound.currentTime + number * EACH;
    const source = sound.createOscillator();
    const volume = sound.createGain();
    source.frequency.value = frequency;
    volume.gain.setValueAtTime(0.4, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + EACH);
    source.connect(volume).connect(sound.destination);
    source.start(from);
    source.stop(from + EACH);
  };

  const ring = (tones) => {
    if (canSound()) tones.forEach(tone);
    navigator.vibrate?.([400, 200, 400, 200, 400]);
  };

  const tellOutside = async (sentence) => {
    if (!tellsOutside() || Notification.permission !== "granted") return;
    const options = { body: sentence, tag: "called", requireInteraction: true };
    const workers = navigator.serviceWorker && navigator.serviceWorker;
    const worker = workers && (await workers.getRegistration());
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options);
  };

  const show = () => {
    const wanted = isWanted();
    document.documentElement.classList.toggle("rings", wanted);
    box.hidden = false;
    button.setAttribute("aria-pressed", String(wanted));
    button.textContent = wanted ? words.off : words.on;
    says.textContent = !wanted ? "" : canSound() ? words.ready : words.silent;
    box.classList.toggle("is-silent", wanted && !canSound());
  };

  const wake = async () => {
    sound = sound || new Sound();
    await sound.resume();
    if (tellsOutside() && Notification.permission === "default") await Notification.requestPermission();
    navigator.wakeLock?.request("screen").catch(() => {});
  };

  const look = () => {
    const calls = [...document.querySelectorAll("[data-call]")];
    document.title = calls.length ? `● ${calls[0].dataset.callSays}` : title;
    const heard = remembered("heard").split(" ");
    const fresh = calls.filter((call) => !heard.includes(call.dataset.call));
    if (!fresh.length || !isWanted()) return;
    remember("heard", [...heard, ...fresh.map((call) => call.dataset.call)].slice(-20).join(" "));
    ring(TONES);
    tellOutside(fresh[0].dataset.callSays).catch(() => {});
    fresh[0].scrollIntoView({ block: "center" });
  };

  button.addEventListener("click", async () => {
    const turnsOn = !isWanted();
    remember("rings", turnsOn ? "yes" : "no");
    if (turnsOn) {
      await wake();
      ring(TONES.slice(0, 2));
      look();
    }
    show();
  });
  /* Any other tap on the page will do to let it sound again. */
  document.addEventListener("pointerup", () => {
    if (isWanted() && !canSound()) wake().then(show, () => {});
  });
  document.addEventListener("live:swapped", look);
  show();
  look();
})();
