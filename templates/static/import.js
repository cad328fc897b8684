/* Stores a pasted list in this tab until it is imported, so that Back and a reload do not lose it. Reads a text file
   into the list, so that it can be edited too. */
"use strict";

(() => {
  const key = `list:${location.pathname}`;
  const text = document.querySelector("textarea[name=text]");
  const file = document.querySelector("input[name=file]");
  const note = document.getElementById("file-note");
  const preview = document.getElementById("import");
  const MOST_BYTES = 1_000_000;

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
  // The server reads all other files: workbooks, and encodings that have to be guessed.
  const decoded = (bytes) => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return "";
    }
  };

  if (text) {
    if (!text.value.trim()) text.value = stored();
    text.form.addEventListener("submit", () => store(text.value));
  }
  file?.addEventListener("change", async () => {
    const [picked] = file.files;
    note.textContent = "";
    if (!picked || picked.size > MOST_BYTES || !/\.(csv|tsv|txt)$/i.test(picked.name)) return;
    const list = decoded(await picked.arrayBuffer());
    if (!list || list.includes("\0")) return;
    text.value = list;
    file.value = "";
    file.dispatchEvent(new Event("change", { bubbles: true }));
    note.textContent = note.dataset.read.replace("FILE", picked.name);
    text.focus();
  });
  preview?.addEventListener("submit", (event) => {
    if (!["change", "renew"].includes(event.submitter?.name)) store("");
  });
})();
