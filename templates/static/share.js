/* Shares or copies an address.

   <button data-copy="#ID" data-done="Copied" hidden>      copies the text of an element
   <button data-share data-url data-title data-done hidden>   opens the phone's share dialog, or copies the address

   Hidden without JavaScript. Over HTTP, where the clipboard may be unavailable, the text is selected instead. */
"use strict";

(() => {
  const confirmDone = (button) => {
    if (!button.dataset.words) button.dataset.words = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = button.dataset.words;
    }, 2500);
  };

  const copySelection = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "for-readers";
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (!isCopied) throw new Error("not copied");
  };

  const copy = async (text) => {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copySelection(text);
  };

  const selectText = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  const copyFrom = (button) => {
    const source = document.querySelector(button.dataset.copy);
    copy(source.textContent.trim()).then(() => confirmDone(button), () => selectText(source));
  };

  const share = (button) => {
    const { url, title } = button.dataset;
    if (navigator.share) navigator.share({ url, title }).catch(() => {});
    else copy(url).then(() => confirmDone(button), () => prompt(title, url));
  };

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-copy], [data-share]");
    if (button) (button.matches("[data-copy]") ? copyFrom : share)(button);
  });

  const showButtons = () => {
    for (const button of document.querySelectorAll("[data-copy], [data-share]")) button.hidden = false;
  };
  document.addEventListener("live:swapped", showButtons);
  showButtons();
})();
