/* Chooses two players of the preview of a round by dragging one onto the other, or with the keyboard; see drag.js. The
   form then swaps, pairs or separates them. Without this file the players are chosen in the form. */
"use strict";

(() => {
  const preview = document.getElementById("preview");
  const words = document.getElementById("drag-words");
  const form = document.getElementById("pair-form");
  if (!preview || !words || !form) return;

  self.dragAndDrop({
    root: preview,
    words,
    acceptsFor: (item) => (target) => target.dataset.drop !== item.dataset.drag,
    drop: (item, target) => {
      form.elements.first.value = item.dataset.drag;
      form.elements.second.value = target.dataset.drop;
      form.scrollIntoView({ block: "nearest" });
      form.elements.reason.focus();
      words.textContent = words.dataset.chosen;
    },
  });
})();
