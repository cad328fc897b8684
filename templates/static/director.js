/* Optional improvements of the director's pages. The pages work without them.

   [data-print]                 a button that prints the page; hidden without JavaScript
   input[data-select]           has the focus when the page opens without errors, with its value selected, so that typing replaces it
   details.fold                 its summary names the chosen radio button
   select[name=time_zone]       proposes the browser's time zone in place of the default UTC */
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  const selected = location.hash || document.querySelector("[autofocus]") ? null : document.querySelector("input[data-select]");
  selected?.focus();
  selected?.select();
  document.addEventListener("change", ({ target }) => {
    const fold = target.type === "radio" && target.closest("details.fold");
    const chosen = fold && target.closest(".choice")?.querySelector("[data-title]");
    if (chosen) fold.querySelector("summary small").textContent = chosen.textContent;
  });
  const zone = document.querySelector("select[name=time_zone]");
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  /* A browser may use an older name of the zone, such as Asia/Calcutta. */
  const browserNameOf = (value) => Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  if (zone?.value === "UTC") {
    const options = [...zone.options];
    const own = options.find(({ value }) => value === browserZone) ?? options.find(({ value }) => browserNameOf(value) === browserZone);
    if (own) zone.value = own.value;
  }
})();
