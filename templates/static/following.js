/* Marks the seats of followed players in a bracket: <… data-followed="ID ID"> holds their ids. A seat is found by its
   link to the player's page. */
"use strict";

(() => {
  const box = document.querySelector("[data-followed]");
  if (!box) return;
  const followed = box.dataset.followed.split(" ").filter(Boolean);
  const markFollowed = () => {
    for (const entry of followed) {
      for (const link of document.querySelectorAll(`.seat__name a[href$="/players/${entry}/"]`)) {
        link.closest(".seat").classList.add("is-followed");
      }
    }
  };
  document.addEventListener("live:swapped", markFollowed);
  markFollowed();
})();
