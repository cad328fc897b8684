/* Small comforts of the director's pages. Everything works without them.

   [data-print]                 a button that prints the page; hidden until there is script
   select[name=time_zone]       proposes the browser's own zone while UTC stands there untouched */
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  const zone = document.querySelector("select[name=time_zone]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && zone.value === "UTC" && [...zone.options].some((option) => option.value === here)) zone.value = here;
})();
