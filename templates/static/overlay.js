/* Detects systems that show two letters in place of a flag. There the country code alone is shown. */
"use strict";

(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 20;
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (!drawing) return;
  drawing.font = "16px sans-serif";
  drawing.fillText("\u{1F1E8}\u{1F1ED}", 0, 16);
  const pixels = drawing.getImageData(0, 0, 20, 20).data;
  const isColoured = pixels.some((_, at) => at % 4 === 0 && Math.abs(pixels[at] - pixels[at + 1]) > 60);
  document.documentElement.classList.toggle("has-no-flags", !isColoured);
})();
