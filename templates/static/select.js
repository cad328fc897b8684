/* Selects all lines of a list and counts the selected ones.

   <form data-select="NAME of the check boxes">
     <input type="checkbox" data-select-all> <span data-selected="WORDS for none" hidden></span> …

   Lines that a search hides (.is-missed) are not selected. With data-select-none="all", no selection means all visible
   lines, and nothing is sent if there are none. Shows [data-scripted], which needs a script. Without this file only a
   named “all” works, on the server.

   <input type="checkbox" data-select-column> in the heading of a column selects all boxes below it. */
"use strict";

for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;

for (const form of document.querySelectorAll("[data-select]")) {
  const selectAll = () => form.querySelector("[data-select-all]");
  const boxes = () => [...form.querySelectorAll("input[type=checkbox]")].filter((box) => box.name === form.dataset.select);

  const showSelected = () => {
    const answer = form.querySelector("[data-selected]");
    answer.hidden = false;
    answer.textContent = boxes().filter((box) => box.checked).length || answer.dataset.selected;
  };
  form.addEventListener("change", (event) => {
    if (event.target === selectAll()) {
      for (const box of boxes()) box.checked = event.target.checked && !box.closest(".is-missed");
    } else if (event.target.name === form.dataset.select) {
      selectAll().checked = false;
    }
    showSelected();
  });
  form.addEventListener("submit", (event) => {
    /* A search that the script made is unknown to the server: send the visible lines instead of “all”. */
    if (!form.querySelector(".is-missed")) return;
    selectAll().checked = false;
    if (form.dataset.selectNone !== "all" || boxes().some((box) => box.checked)) return;
    for (const box of boxes()) box.checked = !box.closest(".is-missed");
    if (!boxes().some((box) => box.checked)) event.preventDefault();
  });
  document.addEventListener("live:swapped", showSelected);
  showSelected();
}

for (const all of document.querySelectorAll("[data-select-column]")) {
  const column = all.closest("th").cellIndex;
  const table = all.closest("table");
  const boxes = [...table.tBodies[0].rows].flatMap((row) => [...(row.cells[column]?.querySelectorAll("input[type=checkbox]") ?? [])]);

  const showWhole = () => {
    all.checked = boxes.length > 0 && boxes.every((box) => box.checked);
  };
  table.addEventListener("change", (event) => {
    if (event.target === all) for (const box of boxes) box.checked = all.checked;
    else showWhole();
  });
  showWhole();
}
