/* Marks what does not match (.is-missed): <input type="search" data-filter="#LIST"> and items with data-find="words".
   Accents and case do not matter. Without script the whole list stays. */
"use strict";

(() => {
  const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ə: "e", ß: "ss" };
  const plain = (text) =>
    text
      .toLowerCase()
      .replace(/[øłđðħıæœþəß]/g, (letter) => LETTERS[letter])
      .normalize("NFKD")
      .replace(/\p{M}/gu, "");

  const apply = (input) => {
    const list = document.querySelector(input.dataset.filter);
    if (!list) return;
    const wanted = plain(input.value.trim()).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const item of list.querySelectorAll("[data-find]")) {
      const words = plain(item.dataset.find);
      const fits = wanted.every((word) => words.includes(word));
      item.classList.toggle("is-missed", !fits);
      found += fits ? 1 : 0;
    }
    list.classList.toggle("is-filtered", wanted.length > 0);
    const answer = document.querySelector(input.dataset.answer || "[data-filter-answer]");
    if (answer) answer.textContent = wanted.length && !found ? answer.dataset.nobody : "";
  };

  const inputs = [...document.querySelectorAll("input[data-filter]")];
  for (const input of inputs) {
    input.closest("[hidden]")?.removeAttribute("hidden");
    const asksForMore = input.form?.querySelector("select");
    if (input.form?.matches("[role=search]") && !asksForMore) {
      input.form.addEventListener("submit", (event) => event.preventDefault());
    }
    input.addEventListener("input", () => apply(input));
    if (input.value) apply(input);
  }
  document.addEventListener("live:swapped", () => inputs.filter((input) => input.value).forEach(apply));
})();
