/* A screen in the room: shows slides in turn. updates.js fetches them after changes. Without the server or the network it
   continues with its current slides.

   <main id="screen" data-deck="ADDRESS" data-etag data-shown>
     <div class="deck" data-listens="ID,ID" data-edition>  <section class="slide" data-slide="KEY" data-seconds="12">

   Keys: space pauses, arrows change the slide, f is full screen. A new call is shown at once. */
"use strict";

(() => {
  const screen = document.getElementById("screen");
  let shownKey = screen.dataset.shown;
  let paused = false;
  let slideTimer = 0;
  let answeredAt = new Date();
  let clockOffset = 0;

  /* Slide show */

  const slides = () => [...screen.querySelectorAll("[data-slide]")];
  const find = (key) => slides().find((slide) => slide.dataset.slide === key);
  const bar = document.getElementById("progress");
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  const startProgress = (seconds) => {
    for (const animation of bar.getAnimations ? bar.getAnimations() : []) animation.cancel();
    if (paused || reducedMotion.matches || !bar.animate) return;
    bar.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: seconds * 1000, fill: "forwards" });
  };

  const show = (slide) => {
    shownKey = slide.dataset.slide;
    for (const other of slides()) {
      other.classList.toggle("is-shown", other === slide);
      other.setAttribute("aria-hidden", String(other !== slide));
    }
    const all = slides();
    document.getElementById("place").textContent = `${all.indexOf(slide) + 1}/${all.length}`;
    clearTimeout(slideTimer);
    const seconds = Number(slide.dataset.seconds) || 10;
    startProgress(seconds);
    if (!paused) slideTimer = setTimeout(() => advance(1), seconds * 1000);
  };

  /* The server leaves out calls that are not new; so does the screen while it has no connection. */
  const removeOldCalls = () => {
    for (const call of screen.querySelectorAll("[data-until]")) {
      if (Date.parse(call.dataset.until) < Date.now() + clockOffset) call.remove();
    }
    for (const slide of screen.querySelectorAll(".slide--calls")) {
      if (!slide.querySelector("[data-call]") && slides().length > 1) slide.remove();
    }
  };

  const advance = (by) => {
    removeOldCalls();
    const all = slides();
    const index = Math.max(0, all.findIndex((slide) => slide.dataset.slide === shownKey));
    show(all[(index + by + all.length) % all.length]);
  };

  const pause = () => {
    paused = !paused;
    document.querySelector("[data-do=pause]").setAttribute("aria-pressed", String(paused));
    show(find(shownKey) || slides()[0]);
  };

  /* Changes */

  const calls = (root) => [...root.querySelectorAll("[data-call]")].map((call) => call.dataset.call + call.className.includes("second"));

  const isSame = (old, slide) =>
    old.dataset.seconds === slide.dataset.seconds &&
    old.childElementCount === slide.childElementCount &&
    [...old.children].every((child, index) => child.isEqualNode(slide.children[index]));

  const replaceDeck = (html) => {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector(".deck");
    if (!next) return false;
    if (next.dataset.edition !== screen.querySelector(".deck").dataset.edition) {
      location.reload();
      return false;
    }
    const before = new Set(calls(screen));
    const index = Math.max(0, slides().findIndex((slide) => slide.dataset.slide === shownKey));
    const isCalled = calls(next).some((call) => !before.has(call));
    const same = new Map(slides().map((slide) => [slide.dataset.slide, slide]));
    const fresh = [...next.querySelectorAll("[data-slide]")];
    for (const slide of fresh) {
      const old = same.get(slide.dataset.slide);
      slide.classList.remove("is-shown");
      if (old && isSame(old, slide)) slide.replaceWith(old);
      else if (slide.dataset.slide === shownKey) slide.classList.add("is-shown");
    }
    screen.replaceChildren(next);
    const all = slides();
    const target = (isCalled && screen.querySelector(".slide--calls")) || find(shownKey) || all[index % all.length];
    if (target.dataset.slide !== shownKey || isCalled) show(target);
    else for (const slide of all) slide.setAttribute("aria-hidden", String(slide !== target));
    return true;
  };

  /* Connection to the server */

  const lostMessage = document.querySelector(".cut-off");
  const clock = document.getElementById("clock");

  const time = (date) => {
    try {
      return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: clock.dataset.zone }).format(date);
    } catch {
      return date.toTimeString().slice(0, 5);
    }
  };

  const updateClock = () => {
    clock.textContent = time(new Date(Date.now() + clockOffset));
  };

  const serverReached = (response) => {
    const serverTime = Date.parse(response.headers.get("Date") || "");
    if (serverTime && Math.abs(serverTime - Date.now() - clockOffset) > 2000) clockOffset = serverTime - Date.now();
    answeredAt = new Date(Date.now() + clockOffset);
    lostMessage.hidden = true;
    updateClock();
  };

  const serverLost = () => {
    if (!lostMessage.hidden) return;
    lostMessage.textContent = lostMessage.dataset.words.replace("{time}", time(answeredAt));
    lostMessage.hidden = false;
  };

  /* Keeps the display on, if the browser supports it. */
  const stayAwake = () => {
    if (navigator.wakeLock && !document.hidden) navigator.wakeLock.request("screen").catch(() => {});
  };

  const actions = { back: () => advance(-1), next: () => advance(1), pause };
  for (const button of document.querySelectorAll("[data-do]")) {
    button.hidden = false;
    button.addEventListener("click", actions[button.dataset.do]);
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("button, a")) return;
    const fill = () => document.documentElement.requestFullscreen && document.documentElement.requestFullscreen().catch(() => {});
    const action = { " ": pause, ArrowRight: actions.next, ArrowLeft: actions.back, f: fill }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) stayAwake();
  });
  addEventListener("offline", serverLost);
  stayAwake();
  setInterval(updateClock, 5000);
  show(find(shownKey) || slides()[0]);
  self.keepUpdated({
    address: () => screen.dataset.deck,
    etag: screen.dataset.etag,
    channels: () => screen.querySelector(".deck").dataset.listens,
    show: replaceDeck,
    isPaused: () => false,
    onAnswer: serverReached,
    onFailure: serverLost,
  });
})();
