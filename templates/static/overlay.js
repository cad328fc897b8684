/* Some systems draw no flags but two letters in their place: where that is so, the code of the country is enough. */
"use strict";

(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 20;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return;
  pen.font = "16px sans-serif";
  pen.fillText("\u{1F1E8}\u{1F1ED}", 0, 16);
  const dots = pen.getImageData(0, 0, 20, 20).data;
  const isColoured = dots.some((_, at) => at % 4 === 0 && Math.abs(dots[at] - dots[at + 1]) > 60);
  document.documentElement.classList.toggle("has-no-flags", !isColoured);
})();
