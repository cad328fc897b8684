/* Ignores a second tap that meets a row which has just moved under the finger: after a payment the page is loaded again,
   and the next player may stand where the last one stood. Only forms with a key, which move money, are guarded. */
"use strict";

(() => {
  const PAUSE = 700;
  let shownAt = performance.now();
  document.addEventListener("live:swapped", ({ detail }) => {
    if (detail.hasChanged) shownAt = performance.now();
  });
  document.addEventListener(
    "submit",
    (event) => {
      const movesMoney = event.target.querySelector("input[name=key]");
      if (movesMoney && performance.now() - shownAt < PAUSE) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    true,
  );
})();
