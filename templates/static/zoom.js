/* Zooms the bracket and shows it in full screen: buttons [data-zoom="in|out|full"], hidden without JavaScript. The browser
   remembers the zoom. */
"use strict";

(() => {
  const STEPS = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2];
  const KEY = "bracket-zoom";
  const tools = document.querySelector("[data-zoom-tools]");
  if (!tools) return;
  const frame = document.getElementById("live");

  const stored = () => {
    try {
      return Number(localStorage.getItem(KEY)) || 1;
    } catch {
      return 1;
    }
  };
  const store = (zoom) => {
    try {
      localStorage.setItem(KEY, String(zoom));
    } catch {
      /* The zoom then lasts as long as the page. */
    }
  };

  let step = Math.max(0, STEPS.indexOf(stored()));
  const apply = () => {
    frame.style.setProperty("--zoom", STEPS[step]);
    tools.querySelector('[data-zoom="out"]').disabled = step === 0;
    tools.querySelector('[data-zoom="in"]').disabled = step === STEPS.length - 1;
  };

  const change = (by) => {
    step = Math.min(STEPS.length - 1, Math.max(0, step + by));
    store(STEPS[step]);
    apply();
  };

  const toggleFullScreen = () => (document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen());

  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (!button) return;
    if (button.dataset.zoom === "full") toggleFullScreen();
    else change(button.dataset.zoom === "in" ? 1 : -1);
  });
  if (!frame.requestFullscreen) tools.querySelector('[data-zoom="full"]').remove();
  tools.hidden = false;
  apply();
})();
