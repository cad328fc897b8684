/* Chooses two players of the preview of a round by dragging one onto the other, or with the keyboard; see drag.js. The
   form then swaps, pairs or separates them. Without this file the players are chosen in the form. */
"use strict";

(() => {
  const words = () => document.getElementById("drag-words");
  if (!words()) return;

  self.dragAndDrop({
    root: document.getElementById("content"),
    acceptsFor: (item) => (target) => target.dataset.drop !== item.dataset.drag,
    drop: (item, target) => {
      const form = document.getElementById("pair-form");
      const { first, second, reason } = form.elements;
      first.value = item.dataset.drag;
      second.value = target.dataset.drop;
      first.dispatchEvent(new Event("change", { bubbles: true }));
      form.scrollIntoView({ block: "nearest" });
      reason.focus();
      words().textContent = words().dataset.chosen;
    },
  });
})();
