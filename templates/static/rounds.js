/* Marks the tab of the round that is shown on a phone; the choice itself is a plain anchor and needs no script. */
"use strict";

(() => {
  const mark = () => {
    const tabs = [...document.querySelectorAll(".rounds a[href^='#']")];
    const chosen = tabs.find((tab) => tab.hash === location.hash) || null;
    if (!chosen) return;
    for (const tab of tabs) tab.removeAttribute("aria-current");
    chosen.setAttribute("aria-current", "true");
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  addEventListener("hashchange", mark);
  document.addEventListener("live:swapped", mark);
  mark();
})();
