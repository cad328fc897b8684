/* Marks what does not match (.is-missed): <input type="search" data-filter="#LIST"> and items with data-find="words".
   Accents, case and joiners do not matter. Without script the whole list stays. */
"use strict";

(() => {
  const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", æ: "ae", œ: "oe", þ: "th", ə: "e", ß: "ss" };
  const plain = (text) =>
    text
      .toLowerCase()
      .replace(/[øłđðħıæœþəß]/g, (letter) => LETTERS[letter])
      .normalize("NFKD")
      .replace(/[\u200c\u200d\p{M}]/gu, "");

  /* What the server has to say where nobody is missed. */
  const said = new Map();
  const answerTo = (input, isNobody) => {
    const answer = document.querySelector(input.dataset.answer || "[data-filter-answer]");
    if (!answer) return;
    if (!said.has(answer)) said.set(answer, [...answer.childNodes]);
    const { nobody } = answer.dataset;
    if (isNobody) answer.textContent = nobody;
    else if (answer.textContent === nobody) answer.replaceChildren(...said.get(answer));
  };

  const apply = (input) => {
    const list = document.querySelector(input.dataset.filter);
    if (!list) return;
    const wanted = plain(input.value.trim()).split(/\s+/).filter(Boolean);
    let found = 0;
    const items = list.querySelectorAll("[data-find]");
    for (const item of items) {
      const words = plain(item.dataset.find);
      const fits = wanted.every((word) => words.includes(word));
      item.classList.toggle("is-missed", !fits);
      found += fits ? 1 : 0;
    }
    list.classList.toggle("is-filtered", wanted.length > 0);
    answerTo(input, wanted.length > 0 && items.length > 0 && !found);
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
