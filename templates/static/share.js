/* Passes an address on.

   <button data-copy="#ID" data-done="Copied" hidden>      copies the words of an element, or the value of a field
   <button data-share data-url data-title data-done hidden>   asks the phone to share a page, or copies its address

   Hidden until there is script. Browsers copy for pages over HTTPS only, so elsewhere the words are marked for copying. */
"use strict";

(() => {
  const said = (button) => {
    if (!button.dataset.words) button.dataset.words = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = button.dataset.words;
    }, 2500);
  };

  const byHand = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "for-readers";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  };

  const copy = async (text) => {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else byHand(text);
  };

  const mark = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const from = document.querySelector(button.dataset.copy);
      copy(from.textContent.trim()).then(() => said(button), () => mark(from));
    });
  }

  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const { url, title } = button.dataset;
      if (navigator.share) navigator.share({ url, title }).catch(() => {});
      else copy(url).then(() => said(button), () => prompt(title, url));
    });
  }
})();
