/* Stores a pasted list in this tab until it is imported, so that Back and a reload do not lose it. */
"use strict";

(() => {
  const key = `list:${location.pathname}`;
  const text = document.querySelector("textarea[name=text]");
  const preview = document.getElementById("import");

  const stored = () => {
    try {
      return sessionStorage.getItem(key) || "";
    } catch {
      return "";
    }
  };
  const store = (value) => {
    try {
      sessionStorage.setItem(key, value);
    } catch {
      // No storage (private window) or list too large: the preview page contains the list too.
    }
  };

  if (text) {
    if (!text.value.trim()) text.value = stored();
    text.form.addEventListener("submit", () => store(text.value));
  }
  preview?.addEventListener("submit", (event) => {
    if (event.submitter?.name !== "change") store("");
  });
})();
