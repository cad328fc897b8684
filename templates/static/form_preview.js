/* Shows what a form would save while it is written. The form has `data-preview`, the id of the part of the page that the
   server renders again. The form is sent when typing pauses and something changed, one request at a time. Without
   JavaScript the button named “preview” does the same. */
"use strict";

(() => {
  const TYPING_PAUSE = 400;

  const keepPreview = (form) => {
    const fieldsOf = () => new URLSearchParams(new FormData(form)).toString();
    let shown = fieldsOf();
    let timer = 0;
    let isFetching = false;

    const show = async () => {
      if (isFetching || fieldsOf() === shown) return;
      isFetching = true;
      shown = fieldsOf();
      try {
        const body = new URLSearchParams(shown);
        body.set("preview", "on");
        const response = await fetch(form.action, { method: "POST", body });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const part = page.getElementById(form.dataset.preview);
        if (part) document.getElementById(form.dataset.preview).replaceWith(part);
      } catch {
        // No network: the button still works.
      }
      isFetching = false;
      show();
    };

    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(show, TYPING_PAUSE);
    });
  };
  document.querySelectorAll("form[data-preview]").forEach(keepPreview);
})();
