/* The number of things that need the desk now: on the Desk tab and in the title of every page of the staff. Markup:

   <span data-urgent="ADDRESS OF THE NUMBER" hidden>…<span data-urgent-number>2</span>…</span>
   <a data-urgent-copy hidden>…<span data-urgent-number>2</span>…</a>   the same number elsewhere on the page
   <… data-urgent-now="2">   in the live part of the desk, which makes asking needless

   Makes a sound for a higher number if "desk-sound" is on (see desk.js). Browsers play it only after a tap on the page. */
"use strict";

(() => {
  const badge = document.querySelector("[data-urgent]");
  if (!badge) return;

  const INTERVAL = 15000;
  const SHORTEST_INTERVAL = 5000;
  const number = badge.querySelector("[data-urgent-number]");
  const copy = document.querySelector("[data-urgent-copy]");
  const Sound = window.AudioContext || window.webkitAudioContext;
  const TONES = [660, 880];
  const TONE_SECONDS = 0.18;
  let shown = Number(number.textContent) || 0;
  let sound = null;

  const isSoundOn = () => {
    try {
      return localStorage.getItem("desk-sound") === "on";
    } catch {
      return false;
    }
  };

  const ring = async () => {
    if (!Sound) return;
    sound = sound || new Sound();
    await sound.resume();
    TONES.forEach((frequency, place) => {
      const from = sound.currentTime + place * TONE_SECONDS;
      const source = sound.createOscillator();
      const volume = sound.createGain();
      source.frequency.value = frequency;
      volume.gain.setValueAtTime(0.3, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
      source.connect(volume).connect(sound.destination);
      source.start(from);
      source.stop(from + TONE_SECONDS);
    });
  };

  const show = (count) => {
    if (!Number.isInteger(count) || count === shown) return;
    if (count > shown && isSoundOn()) ring().catch(() => {});
    shown = count;
    for (const place of [badge, copy]) {
      if (!place) continue;
      place.querySelector("[data-urgent-number]").textContent = String(count);
      place.hidden = count === 0;
    }
    document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  };

  const ask = async () => {
    if (document.hidden && !isSoundOn()) return;
    try {
      const signal = AbortSignal.timeout?.(INTERVAL);
      const response = await fetch(badge.dataset.urgent, { headers: { "X-Live": "1" }, cache: "no-store", signal });
      if (response.ok) show(Number.parseInt(await response.text(), 10));
    } catch {
      /* without a connection the last number stays */
    }
  };

  /* Changes during the wait share its request. */
  let asking = null;
  let isPlanned = false;
  let askedAt = -SHORTEST_INTERVAL;
  const askSoon = () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(async () => {
      await asking;
      isPlanned = false;
      askedAt = performance.now();
      asking = ask();
    }, Math.max(0, askedAt + SHORTEST_INTERVAL - performance.now()));
  };

  const showLive = () => show(Number(document.querySelector("[data-urgent-now]").dataset.urgentNow));

  /* A fragment that is the page itself has the number. */
  const showFetched = ({ detail }) => {
    const fetched = detail?.page.querySelector("[data-urgent-number]");
    if (fetched) show(Number(fetched.textContent));
    else if (!detail || detail.hasChanged) askSoon();
  };

  document.addEventListener("desk:sound", () => ring().catch(() => {}));
  if (document.querySelector("[data-urgent-now]")) document.addEventListener("live:swapped", showLive);
  else {
    document.addEventListener("live:swapped", showFetched);
    setInterval(askSoon, INTERVAL);
  }
})();
