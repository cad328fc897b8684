/* Marks the tab of the round that is shown on a phone, and brings it into view; the choice itself is a plain anchor. */
"use strict";

(() => {
  const reveal = (tab) => {
    const bar = tab.closest("nav");
    bar.scrollLeft += tab.getBoundingClientRect().left - bar.getBoundingClientRect().left - bar.clientWidth / 3;
  };

  const mark = () => {
    const tabs = [...document.querySelectorAll(".rounds a[href^='#']")];
    const chosen = tabs.find((tab) => tab.hash === location.hash);
    if (chosen) {
      for (const tab of tabs) tab.removeAttribute("aria-current");
      chosen.setAttribute("aria-current", "true");
    }
    document.querySelectorAll(".rounds [aria-current]").forEach(reveal);
  };

  addEventListener("hashchange", mark);
  document.addEventListener("live:swapped", mark);
  mark();
})();
