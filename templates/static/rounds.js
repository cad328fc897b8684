/* Marks the tab of the round that a phone shows, and scrolls it into view. Tabs are plain anchors, which work without
   JavaScript. A swipe over the bracket activates the neighboring tab. */
"use strict";

(() => {
  const reveal = (tab) => {
    const bar = tab.closest("nav");
    bar.scrollLeft += tab.getBoundingClientRect().left - bar.getBoundingClientRect().left - bar.clientWidth / 3;
  };

  const mark = () => {
    const tabs = [...document.querySelectorAll(".rounds a[href^='#']")];
    const selected = tabs.find((tab) => tab.hash === location.hash);
    if (selected) {
      for (const tab of tabs) tab.removeAttribute("aria-current");
      selected.setAttribute("aria-current", "true");
    }
    document.querySelectorAll(".rounds [aria-current]").forEach(reveal);
  };

  /* A swipe is long, fast and horizontal, and starts with one finger on the bracket. */
  const MIN_DISTANCE = 60;
  const MAX_DURATION = 600;
  const neighborTab = (by) => {
    const tabs = [...document.querySelectorAll(".rounds:not(.rounds--always) a[href^='#']")];
    const index = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
    return index < 0 ? null : tabs[index + by];
  };

  let start = null;
  const isOnPhone = matchMedia("(max-width: 767px)");
  document.addEventListener("touchstart", (event) => {
    const isSwipe = event.touches.length === 1 && event.target.closest(".bracket-scroll") && isOnPhone.matches;
    start = isSwipe ? { x: event.touches[0].clientX, y: event.touches[0].clientY, at: event.timeStamp } : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!start || event.timeStamp - start.at > MAX_DURATION) return;
    const x = event.changedTouches[0].clientX - start.x;
    const y = event.changedTouches[0].clientY - start.y;
    if (Math.abs(x) < MIN_DISTANCE || Math.abs(y) > Math.abs(x) / 2) return;
    const isForward = document.documentElement.dir === "rtl" ? x > 0 : x < 0;
    const tab = neighborTab(isForward ? 1 : -1);
    if (tab) tab.click();
  }, { passive: true });

  addEventListener("hashchange", mark);
  document.addEventListener("live:swapped", mark);
  mark();
})();
