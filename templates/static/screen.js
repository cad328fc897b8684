/* A screen in the hall: shows one slide after the other, fetches them again when something changed, and goes on with
   what it has when the server or the network is gone.

   <main id="screen" data-deck="ADDRESS" data-etag data-shown>
     <div class="deck" data-listens="ID,ID" data-edition>  <section class="slide" data-slide="KEY" data-seconds="12">

   Keys: space pauses, arrows go back and on, f fills the screen. A new call is shown at once. */
"use strict";

(() => {
  const screen = document.getElementById("screen");
  const JITTER = 150;
  const POLL = 5000;
  const SAFETY = 45000;
  const RETRY = 8000;
  const PATIENCE = 6000;
  /* So many ids one stream may name; the rest is asked for now and then. */
  const MOST = 160;
  let etag = screen.dataset.etag;
  let shown = screen.dataset.shown;
  let paused = false;
  let turn = 0;
  let seenAt = new Date();
  let ahead = 0;

  /* Slides, one after the other */

  const slides = () => [...screen.querySelectorAll("[data-slide]")];
  const find = (key) => slides().find((slide) => slide.dataset.slide === key);
  const bar = document.getElementById("progress");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const run = (seconds) => {
    for (const one of bar.getAnimations ? bar.getAnimations() : []) one.cancel();
    if (paused || still.matches || !bar.animate) return;
    bar.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: seconds * 1000, fill: "forwards" });
  };

  const show = (slide) => {
    shown = slide.dataset.slide;
    for (const one of slides()) {
      one.classList.toggle("is-shown", one === slide);
      one.setAttribute("aria-hidden", String(one !== slide));
    }
    const all = slides();
    document.getElementById("place").textContent = `${all.indexOf(slide) + 1}/${all.length}`;
    clearTimeout(turn);
    const seconds = Number(slide.dataset.seconds) || 10;
    run(seconds);
    if (!paused) turn = setTimeout(() => step(1), seconds * 1000);
  };

  const step = (by) => {
    const all = slides();
    const at = Math.max(0, all.findIndex((slide) => slide.dataset.slide === shown));
    show(all[(at + by + all.length) % all.length]);
  };

  const pause = () => {
    paused = !paused;
    document.querySelector("[data-do=pause]").setAttribute("aria-pressed", String(paused));
    show(find(shown) || slides()[0]);
  };

  /* What changed */

  const calls = (root) => [...root.querySelectorAll("[data-call]")].map((call) => call.dataset.call + call.className.includes("second"));

  const isSame = (old, slide) =>
    old.dataset.seconds === slide.dataset.seconds &&
    old.childElementCount === slide.childElementCount &&
    [...old.children].every((child, at) => child.isEqualNode(slide.children[at]));

  const take = (html) => {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector(".deck");
    if (!next) return;
    if (next.dataset.edition !== screen.querySelector(".deck").dataset.edition) {
      location.reload();
      return;
    }
    const before = new Set(calls(screen));
    const at = Math.max(0, slides().findIndex((slide) => slide.dataset.slide === shown));
    const isCalled = calls(next).some((call) => !before.has(call));
    const same = new Map(slides().map((slide) => [slide.dataset.slide, slide]));
    const fresh = [...next.querySelectorAll("[data-slide]")];
    for (const slide of fresh) {
      const old = same.get(slide.dataset.slide);
      slide.classList.remove("is-shown");
      if (old && isSame(old, slide)) slide.replaceWith(old);
      else if (slide.dataset.slide === shown) slide.classList.add("is-shown");
    }
    screen.replaceChildren(next);
    const all = slides();
    const goesTo = (isCalled && screen.querySelector(".slide--calls")) || find(shown) || all[at % all.length];
    if (goesTo.dataset.slide !== shown || isCalled) show(goesTo);
    else for (const one of all) one.setAttribute("aria-hidden", String(one !== goesTo));
  };

  /* Whether the server is there */

  const mark = document.querySelector(".cut-off");
  const clock = document.getElementById("clock");

  const time = (date) => {
    try {
      return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: clock.dataset.zone }).format(date);
    } catch {
      return date.toTimeString().slice(0, 5);
    }
  };

  const tick = () => {
    clock.textContent = time(new Date(Date.now() + ahead));
  };

  const reached = (response) => {
    const told = Date.parse(response.headers.get("Date") || "");
    if (told && Math.abs(told - Date.now() - ahead) > 2000) ahead = told - Date.now();
    seenAt = new Date(Date.now() + ahead);
    mark.hidden = true;
    tick();
  };

  const lost = () => {
    if (!mark.hidden) return;
    mark.textContent = mark.dataset.words.replace("{time}", time(seenAt));
    mark.hidden = false;
  };

  let asking = false;
  let again = false;
  const ask = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const response = await fetch(screen.dataset.deck, {
        headers: etag ? { "If-None-Match": etag } : {},
        cache: "no-store",
        signal: patience.signal,
      });
      if (response.status === 404) {
        location.reload();
        return;
      }
      if (response.status !== 200 && response.status !== 304) throw new Error(String(response.status));
      reached(response);
      if (response.status === 200) {
        etag = response.headers.get("ETag") || "";
        take(await response.text());
        if (wanted() !== heard) listen();
      }
    } catch {
      lost();
    } finally {
      clearTimeout(late);
      asking = false;
      if (again) {
        again = false;
        ask();
      }
    }
  };

  let source = null;
  let heard = "";
  let timer = 0;
  let pace = 0;
  const pollEvery = (milliseconds) => {
    if (pace === milliseconds) return;
    clearInterval(timer);
    pace = milliseconds;
    timer = setInterval(ask, milliseconds);
  };

  const wanted = () => screen.querySelector(".deck").dataset.listens;

  const listen = () => {
    if (source) source.close();
    heard = wanted();
    if (!window.EventSource) {
      pollEvery(POLL);
      return;
    }
    const all = heard.split(",");
    const names = all.slice(0, MOST);
    source = new EventSource(`/live/?${names.map((name) => `bracket=${encodeURIComponent(name)}`).join("&")}`);
    source.addEventListener("open", (event) => {
      if (event instanceof MessageEvent) return;
      pollEvery(all.length > MOST ? POLL : SAFETY);
      ask();
    });
    source.addEventListener("changed", () => setTimeout(ask, Math.random() * JITTER));
    source.addEventListener("error", () => {
      pollEvery(POLL);
      ask();
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(() => source || listen(), RETRY);
      }
    });
  };

  /* A screen does not fall asleep where the browser lets us ask for it. */
  const stayAwake = () => {
    if (navigator.wakeLock && !document.hidden) navigator.wakeLock.request("screen").catch(() => {});
  };

  const doing = { back: () => step(-1), next: () => step(1), pause };
  for (const button of document.querySelectorAll("[data-do]")) {
    button.hidden = false;
    button.addEventListener("click", doing[button.dataset.do]);
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("button, a")) return;
    const fill = () => document.documentElement.requestFullscreen && document.documentElement.requestFullscreen().catch(() => {});
    const found = { " ": pause, ArrowRight: doing.next, ArrowLeft: doing.back, f: fill }[event.key];
    if (!found) return;
    event.preventDefault();
    found();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    stayAwake();
    ask();
  });
  addEventListener("online", ask);
  addEventListener("offline", lost);
  stayAwake();
  setInterval(tick, 5000);
  show(find(shown) || slides()[0]);
  listen();
  pollEvery(SAFETY);
})();
