/* Marks the seats of followed players in a bracket: <… data-followed="ID ID"> holds the ids, seats link to their pages. */
"use strict";

(() => {
  const box = document.querySelector("[data-followed]");
  if (!box) return;
  const wanted = box.dataset.followed.split(" ").filter(Boolean);
  const mark = () => {
    for (const entry of wanted) {
      for (const link of document.querySelectorAll(`.seat__name a[href$="/players/${entry}/"]`)) {
        link.closest(".seat").classList.add("is-followed");
      }
    }
  };
  document.addEventListener("live:swapped", mark);
  mark();
})();
