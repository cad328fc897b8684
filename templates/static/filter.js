/* Hides items that do not match (.is-missed): <input type="search" data-filter="#LIST"> and items with data-find="words".
   Ignores accents, case and joiners. Without JavaScript the whole list is visible. */
"use strict";

(() => {
  const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ə: "e", ß: "ss" };
  const normalize = (text) =>
    text
      .toLowerCase()
      .replace(/[øłđðħıæœþəß]/g, (letter) => LETTERS[letter])
      .normalize("NFKD")
      .replace(/[\u200c\u200d\p{M}]/gu, "");

  /* The server's text, restored when the list has matches again. */
  const initialContent = new Map();
  const showAnswer = (input, hasNoMatch) => {
    const answer = document.querySelector(input.dataset.answer || "[data-filter-answer]");
    if (!answer) return;
    if (!initialContent.has(answer)) initialContent.set(answer, [...answer.childNodes]);
    const noMatchText = answer.dataset.nobody;
    if (hasNoMatch) answer.textContent = noMatchText;
    else if (answer.textContent === noMatchText) answer.replaceChildren(...initialContent.get(answer));
  };

  const apply = (input) => {
    const list = document.querySelector(input.dataset.filter);
    if (!list) return;
    const wanted = normalize(input.value.trim()).split(/\s+/).filter(Boolean);
    let matches = 0;
    const items = list.querySelectorAll("[data-find]");
    for (const item of items) {
      const words = normalize(item.dataset.find);
      const isMatch = wanted.every((word) => words.includes(word));
      item.classList.toggle("is-missed", !isMatch);
      matches += isMatch ? 1 : 0;
    }
    list.classList.toggle("is-filtered", wanted.length > 0);
    showAnswer(input, wanted.length > 0 && items.length > 0 && !matches);
  };

  const inputs = [...document.querySelectorAll("input[data-filter]")];
  for (const input of inputs) {
    input.closest("[hidden]")?.removeAttribute("hidden");
    const hasSelect = input.form?.querySelector("select");
    if (input.form?.matches("[role=search]") && !hasSelect) {
      input.form.addEventListener("submit", (event) => event.preventDefault());
    }
    input.addEventListener("input", () => apply(input));
    if (input.value) apply(input);
  }
  document.addEventListener("live:swapped", () => inputs.filter((input) => input.value).forEach(apply));
})();
