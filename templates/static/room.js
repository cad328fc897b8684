/* The room: minutes that go on by the server's clock, a match dragged to a table, texts copied.

   [data-since]  a moment; shown as minutes since then        [data-due]  a moment after which its tile is overdue
   [data-what]   may be dragged; its radio is what is chosen  [data-drop] a free table
   Without this file: clocks instead of minutes, a tap on a match and then on a table. */
"use strict";

(() => {
  const room = document.querySelector("[data-now]");
  if (!room) return;

  const TICK = 10000;
  const MINUTE = 60000;
  const ahead = Date.parse(room.dataset.now) - Date.now();
  const form = document.getElementById("act");
  let chosen = "";

  const now = () => Date.now() + ahead;

  const minutes = (since) => {
    const passed = Math.max(0, Math.floor((now() - since) / MINUTE));
    return passed < 60 ? `${passed}′` : `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")} h`;
  };

  const tick = () => {
    for (const time of room.querySelectorAll("[data-since]")) {
      time.title ||= time.textContent;
      time.textContent = minutes(Date.parse(time.dataset.since));
    }
    for (const tile of room.querySelectorAll("[data-due]")) {
      tile.classList.toggle("is-overdue", now() >= Date.parse(tile.dataset.due));
    }
  };

  const choose = (what) => {
    const radio = [...room.querySelectorAll("input[name=what]")].find((one) => one.value === what);
    if (radio) radio.checked = true;
    chosen = radio ? what : "";
  };

  const refreshed = () => {
    for (const button of room.querySelectorAll("[data-copy]")) button.hidden = false;
    choose(chosen);
    tick();
  };

  const copied = (button) => {
    button.textContent = "✓";
    setTimeout(refreshed, 2000);
  };

  /* navigator.clipboard is there in secure contexts only; a selection can be copied anywhere. */
  const copy = async (button) => {
    const text = button.parentElement.querySelector("[data-text]");
    if (navigator.clipboard) await navigator.clipboard.writeText(text.textContent.trim());
    else {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    copied(button);
  };

  const over = (event) => event.target.closest?.("[data-drop]");

  room.addEventListener("change", (event) => {
    if (event.target.name === "what") chosen = event.target.value;
  });
  room.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  room.addEventListener("dragstart", (event) => {
    const match = event.target.closest("[data-what]");
    if (!match) return;
    choose(match.dataset.what);
    event.dataTransfer.setData("text/plain", match.dataset.what);
    event.dataTransfer.effectAllowed = "move";
  });
  room.addEventListener("dragover", (event) => {
    const table = over(event);
    if (!table || !chosen) return;
    event.preventDefault();
    table.classList.add("is-over");
  });
  room.addEventListener("dragleave", (event) => over(event)?.classList.remove("is-over"));
  room.addEventListener("drop", (event) => {
    const table = over(event);
    if (!table || !chosen) return;
    event.preventDefault();
    form.requestSubmit(table.querySelector("button[name=table]"));
  });
  document.addEventListener("live:swapped", refreshed);
  setInterval(tick, TICK);
  refreshed();
})();
