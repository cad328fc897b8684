/* The score card under the thumb: says what a game brings before it is saved, and saves it in one go.
   Without this script the same form is looked at on the server first. Points as in the rules: cube times the kind of
   win, never more than what is missing; the server works them out again and has the last word. */
"use strict";

(() => {
  const TIMES = { single: 1, gammon: 2, backgammon: 3, drop: 1 };

  const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`);
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const read = (form) => ({
    winner: chosen(form, "winner"),
    kind: chosen(form, "kind")?.value.replace("resigned-", ""),
    cube: Number((chosen(form, "cube") || form.querySelector('[type="hidden"][name="cube"]'))?.value || 0),
    automatic: Number(form.querySelector('[name="automatic_doubles"]')?.value || 0),
    checkers: Number(form.querySelector('[name="checkers_left"]')?.value || 0),
  });

  const countsCheckers = (form, game) =>
    form.dataset.checkers && game.kind === "single" && game.cube === 1;

  const worth = (form, game) => {
    if (countsCheckers(form, game)) return game.checkers;
    const doubled = game.kind === "drop" || game.cube > 2 ** game.automatic;
    const times = form.dataset.jacoby && !doubled ? 1 : TIMES[game.kind];
    return game.cube * times;
  };

  const wordsOf = (form) => form.querySelector(".savebar__says").dataset;

  const missing = (form, game) => {
    const words = wordsOf(form);
    if (!game.winner) return words.asksWinner;
    if (!game.kind) return words.asksKind;
    if (!game.cube) return words.asksCube;
    if (countsCheckers(form, game) && !game.checkers) return words.asksCheckers;
    return "";
  };

  const outcome = (form, game) => {
    const { mine, theirs, length, side } = form.dataset;
    const isMine = game.winner.value === side;
    const have = Number(isMine ? mine : theirs);
    const points = length ? Math.min(worth(form, game), Number(length) - have) : worth(form, game);
    const score = isMine ? `${have + points}–${theirs}` : `${mine}–${have + points}`;
    const ends = length && have + points >= Number(length);
    const words = wordsOf(form);
    const sentence = ends ? words.saysEnd : points === 1 ? words.saysOne : words.says;
    return fill(sentence, { name: `\u2068${game.winner.dataset.name}\u2069`, points, score: `\u2068${score}\u2069` });
  };

  const offer = (form, game) => {
    const drop = form.querySelector('[name="kind"][value="drop"]');
    if (drop && game.winner) {
      drop.disabled = !form.dataset.doublers.split(" ").includes(game.winner.value);
      if (drop.disabled) drop.checked = false;
    }
    const field = form.querySelector("[data-checkers-field]");
    if (!field) return;
    field.hidden = !countsCheckers(form, game);
    if (field.hidden) field.querySelector("input").value = "";
  };

  const tell = (form) => {
    offer(form, read(form));
    const game = read(form);
    const says = form.querySelector(".savebar__says");
    const button = form.querySelector(".savebar button");
    const wanted = missing(form, game);
    says.hidden = false;
    says.textContent = wanted || outcome(form, game);
    says.classList.toggle("quiet", Boolean(wanted));
    button.value = "save";
    button.textContent = wordsOf(form).save;
    button.setAttribute("aria-disabled", String(Boolean(wanted)));
  };

  const isTouched = (part) =>
    [...part.querySelectorAll("input, textarea")].some((field) =>
      field.type === "radio" ? field.checked : field.type !== "hidden" && field.value !== field.defaultValue,
    );

  const dress = () => document.querySelectorAll("form.card").forEach(tell);

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    const part = event.target.closest("[data-part]");
    if (part) part.toggleAttribute("data-busy", isTouched(part));
    if (form?.matches(".card")) tell(form);
  });

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      event.target.querySelector(".savebar__says")?.scrollIntoView({ block: "nearest" });
      return;
    }
    if (event.target.dataset.sent) {
      event.preventDefault();
      return;
    }
    event.target.dataset.sent = "yes";
  });

  addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
    dress();
  });
  document.addEventListener("live:swapped", dress);
})();
