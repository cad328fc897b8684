/* Marks the tab of the round that is shown on a phone, and brings it into view; the choice itself is a plain anchor.
   A swipe over the bracket is a tap on the tab beside. */
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

  /* A swipe is long, quick and level, and begins where nothing scrolls sideways by itself. */
  const FAR = 60;
  const QUICK = 600;
  const beside = (by) => {
    const tabs = [...document.querySelectorAll(".rounds:not(.rounds--always) a[href^='#']")];
    const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
    return at < 0 ? null : tabs[at + by];
  };

  let from = null;
  const isOnPhone = matchMedia("(max-width: 767px)");
  document.addEventListener("touchstart", (event) => {
    const one = event.touches.length === 1 && event.target.closest(".bracket-scroll") && isOnPhone.matches;
    from = one ? { x: event.touches[0].clientX, y: event.touches[0].clientY, at: event.timeStamp } : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!from || event.timeStamp - from.at > QUICK) return;
    const x = event.changedTouches[0].clientX - from.x;
    const y = event.changedTouches[0].clientY - from.y;
    if (Math.abs(x) < FAR || Math.abs(y) > Math.abs(x) / 2) return;
    const onward = document.documentElement.dir === "rtl" ? x > 0 : x < 0;
    const tab = beside(onward ? 1 : -1);
    if (tab) tab.click();
  }, { passive: true });

  addEventListener("hashchange", mark);
  document.addEventListener("live:swapped", mark);
  mark();
})();
