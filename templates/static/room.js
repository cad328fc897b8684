/* The room's page: minutes by the server's clock, matches moved to tables, texts copied. Actions need no reload.

   [data-since]  a time, shown as minutes since then       [data-due]  the time when its tile becomes overdue
   [data-drag], [data-drop]  see drag.js; data-table: the table of a called match, data-take-back: address
   Without this file: times instead of minutes; a match and then a table are chosen, and the page is loaded again. */
"use strict";

(() => {
  const room = document.querySelector("[data-now]");
  if (!room) return;

  const TICK = 10000;
  const MINUTE = 60000;
  const TOAST_TIME = 15000;
  const clockOffset = Date.parse(room.dataset.now) - Date.now();
  const form = document.getElementById("act");
  const page = document.getElementById("room");
  const words = document.getElementById("drag-words");
  let selectedMatch = "";
  let lostFocus = -1;

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

  /* The handle of a match that was moved is gone: the next one takes the focus. */
  const handles = () => [...room.querySelectorAll("[data-handle]")];
  const restoreFocus = () => {
    const [all, index] = [handles(), lostFocus];
    lostFocus = -1;
    if (index >= 0 && document.activeElement === document.body) all[Math.min(index, all.length - 1)]?.focus();
  };

  const showUnfolded = () => {
    const button = room.querySelector("[data-unfold]");
    button?.setAttribute("aria-expanded", String(page.classList.contains("is-unfolded")));
  };

  const restorePage = () => {
    for (const button of room.querySelectorAll("[data-copy], [data-unfold]")) button.hidden = false;
    showUnfolded();
    selectMatch(selectedMatch);
    updateTimes();
    restoreFocus();
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

  /* Actions without a reload */

  /* The answer is first shown over the page, wherever that is scrolled to, then at the top. */
  const putAtTopLater = (shown) => {
    setTimeout(() => (shown.matches(":hover, :focus-within") ? putAtTopLater(shown) : shown.classList.remove("is-toast")), TOAST_TIME);
  };

  const showMessages = (fresh) => {
    document.querySelector(".messages")?.remove();
    if (!fresh) return;
    fresh.dataset.at = performance.now();
    fresh.classList.add("is-toast");
    putAtTopLater(fresh);
    document.getElementById("content").querySelector(".head").before(fresh);
    words.textContent = [...fresh.querySelectorAll(".message")].map((message) => (message.querySelector("span") || message).textContent.trim()).join(" ");
  };

  const showFailure = () => {
    const messages = Object.assign(document.createElement("div"), { className: "messages" });
    const message = Object.assign(document.createElement("p"), { className: "message message--error" });
    message.textContent = words.dataset.failed;
    messages.append(message);
    showMessages(messages);
  };

  let sending = null;
  const post = async (address, fields) => {
    lostFocus = handles().indexOf(document.activeElement);
    const body = new URLSearchParams(fields);
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    try {
      const response = await fetch(address, { method: "POST", body });
      const answer = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!answer.querySelector("[data-now]")) location.reload();
      else showMessages(answer.querySelector(".messages"));
      if (selectedMatch === body.get("what")) selectMatch("");
      document.dispatchEvent(new CustomEvent("live:ask"));
    } catch {
      showFailure();
      document.documentElement.classList.add("is-cut-off");
    }
  };

  const send = (address, fields) => (sending = post(address, fields).finally(() => (sending = null)));

  /* A move made while another is on its way waits for it. */
  const move = async (address, fields) => {
    while (sending) await sending;
    await send(address, fields);
  };

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    const address = button?.hasAttribute("formaction") ? button.formAction : event.target.action;
    const isUndo = event.target.closest(".messages") && address.startsWith(location.origin + location.pathname);
    if (event.target !== form && !isUndo) return;
    event.preventDefault();
    const fields = new FormData(event.target);
    if (button?.name) fields.set(button.name, button.value);
    /* The second tap of a double tap does nothing. */
    if (!sending) send(address, fields);
  });

  const place = (match, table) => move(form.action, { what: match, table });

  let tapped = "";
  const placeTapped = async (match, table) => {
    /* The second tap of a double tap does nothing. */
    if (match === tapped) return;
    tapped = match;
    await place(match, table);
    tapped = "";
  };

  room.addEventListener("change", (event) => {
    if (event.target.name === "what") selectedMatch = event.target.value;
  });
  room.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    const table = event.target.closest("li[data-drop]");
    if (event.target.closest("[data-unfold]")) {
      page.classList.toggle("is-unfolded");
      showUnfolded();
    } else if (button) copy(button);
    else if (table && selectedMatch && !event.defaultPrevented) placeTapped(selectedMatch, table.dataset.drop);
  });

  /* A waiting match goes to a table or to none; a called one also back to the waiting matches. */
  const acceptsFor = (item) => (target) => {
    const { table, takeBack } = item.dataset;
    return target.dataset.drop === "waiting" ? Boolean(takeBack) : target.dataset.drop !== table;
  };
  self.dragAndDrop({
    root: page,
    acceptsFor,
    drop: (item, target) => {
      if (target.dataset.drop === "waiting") move(item.dataset.takeBack, {});
      else place(item.dataset.drag, target.dataset.drop);
    },
  });
  document.addEventListener("live:swapped", restorePage);
  setInterval(updateTimes, TICK);
  restorePage();
})();
