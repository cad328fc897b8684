/* The room's page: minutes by the server's clock, matches dragged to tables, texts copied.

   [data-since]  a time, shown as minutes since then       [data-due]  the time when its tile becomes overdue
   [data-what]   can be dragged; selects its radio button  [data-drop] a free table
   Without this file: times instead of minutes; a match and then a table are tapped. */
"use strict";

(() => {
  const room = document.querySelector("[data-now]");
  if (!room) return;

  const TICK = 10000;
  const MINUTE = 60000;
  const clockOffset = Date.parse(room.dataset.now) - Date.now();
  const form = document.getElementById("act");
  let selectedMatch = "";

  const now = () => Date.now() + clockOffset;

  const minutes = (since) => {
    const passed = Math.max(0, Math.floor((now() - since) / MINUTE));
    return passed < 60 ? `${passed}′` : `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")} h`;
  };

  const updateTimes = () => {
    for (const time of room.querySelectorAll("[data-since]")) {
      time.title ||= time.textContent;
      time.textContent = minutes(Date.parse(time.dataset.since));
    }
    for (const tile of room.querySelectorAll("[data-due]")) {
      tile.classList.toggle("is-overdue", now() >= Date.parse(tile.dataset.due));
    }
  };

  const selectMatch = (match) => {
    const radio = [...room.querySelectorAll("input[name=what]")].find((input) => input.value === match);
    if (radio) radio.checked = true;
    selectedMatch = radio ? match : "";
  };

  const restorePage = () => {
    for (const button of room.querySelectorAll("[data-copy]")) button.hidden = false;
    selectMatch(selectedMatch);
    updateTimes();
  };

  const confirmCopy = (button) => {
    button.textContent = "✓";
    setTimeout(restorePage, 2000);
  };

  /* navigator.clipboard exists in secure contexts only. Over HTTP a selection is copied. */
  const copy = async (button) => {
    const text = button.parentElement.querySelector("[data-text]");
    if (navigator.clipboard) await navigator.clipboard.writeText(text.textContent.trim());
    else {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    confirmCopy(button);
  };

  const dropTarget = (event) => event.target.closest?.("[data-drop]");

  room.addEventListener("change", (event) => {
    if (event.target.name === "what") selectedMatch = event.target.value;
  });
  room.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  room.addEventListener("dragstart", (event) => {
    const item = event.target.closest("[data-what]");
    if (!item) return;
    selectMatch(item.dataset.what);
    event.dataTransfer.setData("text/plain", item.dataset.what);
    event.dataTransfer.effectAllowed = "move";
  });
  room.addEventListener("dragover", (event) => {
    const table = dropTarget(event);
    if (!table || !selectedMatch) return;
    event.preventDefault();
    table.classList.add("is-over");
  });
  room.addEventListener("dragleave", (event) => dropTarget(event)?.classList.remove("is-over"));
  room.addEventListener("drop", (event) => {
    const table = dropTarget(event);
    if (!table || !selectedMatch) return;
    event.preventDefault();
    form.requestSubmit(table.querySelector("button[name=table]"));
  });
  document.addEventListener("live:swapped", restorePage);
  setInterval(updateTimes, TICK);
  restorePage();
})();
