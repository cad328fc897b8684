/* Highlights every seat of a player in the bracket, while the pointer or the focus is on one of them, or after a tap beside
   the name. Reads the links of the names, so it needs no markup of its own. */
"use strict";

(() => {
  const bracket = document.getElementById("live");
  if (!bracket) return;
  let pinned = "";

  const entryOf = (target) => {
    const seat = target instanceof Element ? target.closest(".seat") : null;
    const link = seat && seat.querySelector(".seat__name a");
    return link ? link.getAttribute("href") : "";
  };

  const highlight = (entry) => {
    for (const seat of bracket.querySelectorAll(".seat.is-on-path")) seat.classList.remove("is-on-path");
    if (!entry) return;
    for (const link of bracket.querySelectorAll(`.seat__name a[href="${CSS.escape(entry)}"]`)) {
      link.closest(".seat").classList.add("is-on-path");
    }
  };

  bracket.addEventListener("pointerover", (event) => event.pointerType === "mouse" && highlight(entryOf(event.target) || pinned));
  bracket.addEventListener("pointerleave", () => highlight(pinned));
  bracket.addEventListener("focusin", (event) => highlight(entryOf(event.target) || pinned));
  bracket.addEventListener("focusout", () => highlight(pinned));
  bracket.addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const entry = entryOf(event.target);
    pinned = entry === pinned ? "" : entry;
    highlight(pinned);
  });
  document.addEventListener("live:swapped", () => highlight(pinned));
})();
