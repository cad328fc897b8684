/* Optional improvements of the director's pages. The pages work without them.

   [data-print]                 a button that prints the page; hidden without JavaScript
   input[data-select]           has the focus when the page opens, with its value selected, so that typing replaces it
   select[name=time_zone]       proposes the browser's time zone in place of the default UTC */
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  const selected = location.hash ? null : document.querySelector("input[data-select]");
  selected?.focus();
  selected?.select();
  const zone = document.querySelector("select[name=time_zone]");
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offersZone = zone && [...zone.options].some((option) => option.value === browserZone);
  if (offersZone && zone.value === "UTC") zone.value = browserZone;
})();
