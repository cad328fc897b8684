/* Check-in without a reload: a tap on .toggle in #attendance replaces its line and the counts with the server's answer.
   Without JavaScript, or if the server refuses, the form is sent and the page returns to the line.
   A choice in #order sorts the list at once. Changes by others arrive through updates.js, on the channel data-listens of
   the form. */
"use strict";

(() => {
  const form = document.getElementById("attendance");
  if (!form) return;

  document.getElementById("order").addEventListener("change", ({ target }) => target.form.requestSubmit());

  const replaceParts = (html) => {
    const answer = new DOMParser().parseFromString(html, "text/html");
    for (const fresh of answer.querySelectorAll("#entry-counts, tr[id]")) {
      const shown = document.getElementById(fresh.id);
      if (!shown) continue;
      const focusedId = shown.contains(document.activeElement) ? document.activeElement.id : "";
      const isSelected = shown.querySelector("input[name=entry]")?.checked;
      shown.replaceWith(fresh);
      if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
      if (isSelected) fresh.querySelector("input[name=entry]").checked = true;
    }
  };

  const idsOf = (rows) => [...rows.rows].map((row) => row.id).join();
  const selectedIds = () => new Set([...form.querySelectorAll("input[name=entry]:checked")].map((box) => box.value));

  const replaceNextStep = (answer) => {
    const [shown, fresh] = [document, answer].map((page) => page.querySelector("[data-part=next-step]"));
    if (shown && fresh && !shown.matches(":focus-within")) shown.replaceWith(fresh);
  };

  /* All lines if a player was added or removed, otherwise those that differ. */
  const replaceChanged = (html) => {
    const answer = new DOMParser().parseFromString(html, "text/html");
    const [shown, fresh] = [document, answer].map((page) => page.querySelector("#entry-rows tbody"));
    if (!fresh) return;
    replaceNextStep(answer);
    if (idsOf(shown) === idsOf(fresh)) {
      for (const part of answer.querySelectorAll("#entry-counts, #entry-rows tr[id]")) {
        if (part.outerHTML === document.getElementById(part.id)?.outerHTML) part.remove();
      }
      replaceParts(answer.documentElement.outerHTML);
    } else {
      const selected = selectedIds();
      shown.replaceWith(fresh);
      for (const box of fresh.querySelectorAll("input[name=entry]")) box.checked = selected.has(box.value);
      document.getElementById("entry-counts")?.replaceWith(answer.getElementById("entry-counts"));
    }
    document.dispatchEvent(new CustomEvent("live:swapped"));
  };

  const sendWholeForm = (button) => {
    form.action = button.formAction;
    form.submit();
  };

  const press = async (button) => {
    if (button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
    try {
      const response = await fetch(button.formAction, { method: "POST", headers: { "X-Live": "1" }, body });
      if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
      replaceParts(await response.text());
    } catch {
      sendWholeForm(button);
    }
  };

  form.addEventListener("submit", (event) => {
    if (!event.submitter?.matches(".toggle")) return;
    event.preventDefault();
    press(event.submitter);
  });

  self.keepUpdated({
    address: () => location.pathname + location.search,
    channels: () => form.dataset.listens,
    show: (html) => {
      replaceChanged(html);
      return true;
    },
    isPaused: () => document.hidden,
    onAnswer: () => {},
    onFailure: () => {},
    minInterval: 1000,
    poll: 2000,
  });
})();
