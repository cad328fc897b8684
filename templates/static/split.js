/* Two versions of one card, game by game beside each other, and a plain choice. Nothing is chosen by itself. */
"use strict";

(() => {
  const box = document.getElementById("split");
  if (!box) return;

  const score = self.cardScore;
  const { movable, moveBehind, ownLines, putAside, view } = self.cardStore;
  const { el, fill, go, isSplit, lineWords, scoreSeen } = self.kept;
  const words = { ...self.kept.words, ...document.getElementById("card-words").dataset };
  const problems = JSON.parse(words.problems);
  let shown = "";

  const worked = (doc, lines) => score.standing(lines, doc.length, doc.rules, doc.games);

  /* The lines of a card, and at the end that time is over. */
  const linesOf = ({ lines, score: after, stop }) => (stop ? [...lines, { line: stop, after }] : lines);

  const nameOf = (doc, { winner }) => (winner ? el("strong", {}, el("bdi", {}, doc.names[winner])) : "");

  const cell = (doc, played) =>
    played
      ? el("td", {}, nameOf(doc, played), " ", el("b", { class: "num" }, scoreSeen(doc, played.after)), el("br"), el("small", {}, lineWords(played)))
      : el("td", {}, "–");

  const said = (doc, played) => (played ? `${played.winner} ${scoreSeen(doc, played.after)} ${lineWords(played)}` : "");

  const table = (doc, theirs, mine) => {
    const rows = Array.from({ length: Math.max(theirs.length, mine.length) }, (_, place) => {
      const [a, b] = [theirs[place], mine[place]];
      const differs = said(doc, a) !== said(doc, b);
      return el("tr", { class: differs ? "is-different" : null }, el("th", { scope: "row" }, `${place + 1}`), cell(doc, a), cell(doc, b));
    });
    const number = el("th", { scope: "col" }, el("span", { class: "for-readers" }, words.splitGame));
    const heads = [number, ...[words.splitCard, words.splitPhone].map((text) => el("th", { scope: "col" }, text))];
    return el("table", { class: "split" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows));
  };

  const behind = ({ card: { doc }, waiting }) => {
    const moved = movable(doc, waiting);
    const struck = moved.map((row) => row.supersedes).filter(Boolean);
    const kept = doc.rows.filter((line) => !struck.includes(line.key));
    return worked(doc, [...kept, ...moved.filter((row) => row.line).map((row) => row.line)]);
  };

  /* Only what was looked at is chosen: when the card has changed again, both versions are shown anew. */
  const choose = (state, work) => async () => {
    await self.cardQueue.look(state.card);
    const still = (await self.cardStore.states()).find(({ card }) => card.id === state.card.id);
    if (still.card.doc.tail === state.card.doc.tail) await work(state.card.id);
    self.cardQueue.tell();
    go();
  };

  const choices = (state) => {
    const after = behind(state);
    const theirs = el("button", { type: "button", class: "button button--wide", onclick: choose(state, (id) => putAside(id, "chosen")) }, words.splitTheirs);
    if (after.problem) {
      const why = fill(problems[after.problem.code], after.problem.params);
      return [theirs, el("p", { class: "hint" }, fill(words.splitCannot, { why }))];
    }
    const text = fill(words.splitMine, { score: scoreSeen(state.card.doc, after.score) });
    return [theirs, el("button", { type: "button", class: "button button--wide", onclick: choose(state, moveBehind) }, text)];
  };

  const show = (state) => {
    const isWanted = Boolean(state) && state.waiting.length > 0 && isSplit(state);
    const signature = isWanted ? JSON.stringify([state.card, state.waiting]) : "";
    if (signature === shown) return;
    shown = signature;
    box.hidden = !isWanted;
    while (box.firstChild) box.firstChild.remove();
    if (!isWanted) return;
    const { doc } = state.card;
    const mine = linesOf(worked(doc, ownLines(state)));
    box.append(
      el("h2", { id: "split-title" }, words.splitTitle),
      el("p", {}, words.splitWhy),
      table(doc, linesOf(worked(doc, doc.rows)), mine),
      el("div", { class: "stack stack--tight" }, ...choices(state)),
      el("p", { class: "hint" }, words.splitDesk),
    );
  };

  document.addEventListener("card:shown", (event) => show(event.detail));
})();
