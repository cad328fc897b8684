/* The desk: filters as one types, keyboard shortcuts, sound, minutes instead of times. Without this file the filter is
   an ordinary form and every action a button.

   a[data-refine]   sorts or filters: only the live part is fetched again
   time[data-since] shown as minutes since then          tr[data-row] highlighted when it changes */
"use strict";

(() => {
  const box = document.querySelector("[data-live]");
  const form = document.getElementById("filter");
  const find = document.getElementById("find");
  const tools = document.querySelector("[data-tools]");
  const dialog = document.getElementById("shortcuts");
  if (!box || !tools) return;

  const TYPING_PAUSE = 250;
  const TICK = 15000;
  const MINUTE = 60000;
  const HIGHLIGHT_TIME = 4000;

  const remembered = (name) => {
    try {
      return localStorage.getItem(name) || "";
    } catch {
      return "";
    }
  };
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      /* private windows remember nothing */
    }
  };

  /* Filter */

  const refine = (query) => {
    history.replaceState(null, "", query);
    document.dispatchEvent(new CustomEvent("live:ask"));
  };
  const applyForm = () => refine(`?${new URLSearchParams(new FormData(form))}`);
  let typing = 0;
  form?.addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(applyForm, event.target === find ? TYPING_PAUSE : 0);
  });
  form?.addEventListener("submit", () => clearTimeout(typing));
  box.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-refine]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!new URLSearchParams(link.search).has("find") && find) find.value = "";
    refine(link.search);
  });

  /* Selection: kept while the list is replaced */

  const selected = new Set();
  const boxes = () => [...box.querySelectorAll("input[name=match]")];
  box.addEventListener("change", (event) => {
    if (event.target.id === "select-all") {
      for (const input of boxes()) input.checked = event.target.checked;
    }
    selected.clear();
    for (const input of boxes()) if (input.checked) selected.add(input.id);
  });

  const showSelection = () => {
    for (const input of boxes()) input.checked = selected.has(input.id);
    const all = document.getElementById("select-all");
    if (all) all.hidden = !boxes().length;
  };

  /* Times and changed rows */

  const showMinutes = () => {
    for (const time of box.querySelectorAll("time[data-since]")) {
      const passed = Math.max(0, Math.floor((Date.now() - Date.parse(time.dataset.since)) / MINUTE));
      time.title ||= time.textContent;
      time.textContent = passed < 60 ? `${passed}′` : `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")} h`;
    }
  };

  const contentOf = (row) => row.innerText;
  let rows = new Map();
  const highlightChanges = () => {
    const before = rows;
    rows = new Map([...box.querySelectorAll("tr[data-row]")].map((row) => [row.dataset.row, row]));
    for (const [name, row] of rows) {
      const content = contentOf(row.querySelector("th"));
      row.dataset.content = content;
      const old = before.get(name);
      if (!old || old === row || old.dataset.content === content) continue;
      row.classList.add("is-changed");
      setTimeout(() => row.classList.remove("is-changed"), HIGHLIGHT_TIME);
    }
  };

  const restore = () => {
    showSelection();
    highlightChanges();
    showMinutes();
  };
  /* A fragment has no forms. They are missing after the first draw is released. */
  const loadForms = () => {
    if (box.querySelector("[data-part=choices]") && !document.getElementById("filter")) location.reload();
  };
  document.addEventListener("live:swapped", restore);
  document.addEventListener("live:swapped", loadForms);
  setInterval(showMinutes, TICK);
  restore();

  /* Sound: urgent.js makes it, on every page of the staff */

  const soundButton = tools.querySelector("[data-sound]");
  const showSound = () => soundButton.setAttribute("aria-pressed", String(remembered("desk-sound") === "on"));
  soundButton.addEventListener("click", () => {
    const turnsOn = remembered("desk-sound") !== "on";
    remember("desk-sound", turnsOn ? "on" : "off");
    showSound();
    if (turnsOn) document.dispatchEvent(new CustomEvent("desk:sound"));
  });
  tools.hidden = false;
  showSound();

  /* Keyboard shortcuts */

  const switchOn = dialog.querySelector("[data-shortcuts-on]");
  switchOn.checked = remembered("desk-shortcuts") !== "off";
  switchOn.addEventListener("change", () => remember("desk-shortcuts", switchOn.checked ? "on" : "off"));
  tools.querySelector("[data-shortcuts]").addEventListener("click", () => dialog.showModal());

  const startNumber = (digit) => {
    if (!find) return;
    find.value = digit;
    find.focus();
    find.setSelectionRange(digit.length, digit.length);
    find.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const focusOn = (selector) => document.querySelector(selector)?.focus();
  const SHORTCUTS = {
    "?": () => dialog.showModal(),
    "/": () => find?.select(),
    e: () => focusOn("#quick input[name=who]"),
    n: () => focusOn(".urgent__do .button--primary"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.key === "Escape" && event.target === find) {
      find.value = "";
      find.blur();
      applyForm();
      return;
    }
    if (!switchOn.checked || event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const shortcut = /^\d$/.test(event.key) ? () => startNumber(event.key) : SHORTCUTS[event.key];
    if (!shortcut) return;
    event.preventDefault();
    shortcut();
  });
})();
