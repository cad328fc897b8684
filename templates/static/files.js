/* Names the chosen files beside the button of a file input (file_input.html). */
"use strict";

document.addEventListener("change", ({ target }) => {
  const name = target.type === "file" && target.closest(".file")?.querySelector(".file__name");
  if (!name) return;
  name.dataset.none ??= name.textContent;
  name.textContent = [...target.files].map((file) => file.name).join(", ") || name.dataset.none;
});
