/* The cash desk: finds players as one types, “/” goes to the search field, Enter goes to the payment of the only player
   found. Without this file the search is an ordinary form. */
"use strict";

(() => {
  const TYPING_PAUSE = 250;
  const form = document.getElementById("cash-filter");
  const find = document.getElementById("find");
  if (!form) return;

  const refine = () => {
    history.replaceState(null, "", `?${new URLSearchParams(new FormData(form))}`);
    document.dispatchEvent(new CustomEvent("live:ask"));
  };
  let timer = 0;
  /* Another order moves lines, so it is another page. */
  form.addEventListener("input", ({ target }) => {
    clearTimeout(timer);
    if (target.id === "sort") {
      location.search = new URLSearchParams(new FormData(form));
      return;
    }
    timer = setTimeout(refine, target === find ? TYPING_PAUSE : 0);
  });

  /* The button of the only line that matches, once the list shows what was typed. */
  const onlyButton = () => {
    const rows = document.querySelectorAll(".cash tbody tr[data-part]");
    return rows.length === 1 ? rows[0].querySelector(".button--primary") : null;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    document.addEventListener("live:swapped", () => onlyButton()?.focus(), { once: true });
    refine();
  });

  /* A form opens in its line without a new page. What was typed into the form that was open is given up. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-form-link]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    for (const field of document.querySelectorAll(".payment [data-busy]")) field.removeAttribute("data-busy");
    history.replaceState(null, "", link.search);
    document.addEventListener("live:swapped", () => document.getElementById("payment-amount")?.select(), { once: true });
    document.dispatchEvent(new CustomEvent("live:ask"));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    event.preventDefault();
    find.select();
    find.focus();
  });
})();
