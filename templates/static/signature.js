/* Draws a signature in a form and writes it into its field “signature”.

   <form data-signature><input type="hidden" name="signature">
     <div data-scripted hidden><canvas width="300" height="100"></canvas><button type="button" data-clear>…</button></div>

   The value is an SVG path of M and L with whole numbers. Without this file the payout is only ticked. */
"use strict";

const LONGEST = 4000;

for (const form of document.querySelectorAll("[data-signature]")) {
  const canvas = form.querySelector("canvas");
  const field = form.elements.signature;
  const pen = canvas.getContext("2d");
  let isDrawing = false;
  canvas.closest("[data-scripted]").hidden = false;
  pen.lineWidth = 2;
  pen.lineCap = "round";

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const scaled = (value, size, most) => Math.round(Math.min(most - 1, Math.max(0, (value / size) * most)));
    return [scaled(event.clientX - box.left, box.width, canvas.width), scaled(event.clientY - box.top, box.height, canvas.height)];
  };
  const add = (letter, event) => {
    const [x, y] = point(event);
    const step = `${letter}${x} ${y}`;
    if (field.value.length + step.length > LONGEST || field.value.endsWith(step.slice(1))) return;
    field.value += step;
    pen.strokeStyle = getComputedStyle(canvas).color;
    if (letter === "M") pen.beginPath();
    pen[letter === "M" ? "moveTo" : "lineTo"](x, y);
    pen.stroke();
  };
  canvas.addEventListener("pointerdown", (event) => {
    isDrawing = true;
    canvas.setPointerCapture(event.pointerId);
    add("M", event);
  });
  canvas.addEventListener("pointermove", (event) => isDrawing && add("L", event));
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (isDrawing = false));
  form.querySelector("[data-clear]").addEventListener("click", () => {
    field.value = "";
    pen.clearRect(0, 0, canvas.width, canvas.height);
  });
}
