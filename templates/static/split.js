/* Shows two versions of a card side by side, game by game. The player chooses; nothing is merged automatically. */
"use strict";

(() => {
  const box = document.getElementById("split");
  if (!box) return;

  const score = self.cardScore;
  const { isReplaceable, movable, moveBehind, ownLines, putAside, replaceWithMine } = self.cardStore;
  const { el, fill, sendWaiting, isSplit, lineText, scoreText } = self.outbox;
  const words = { ...self.outbox.words, ...document.getElementById("card-words").dataset };
  const problems = JSON.parse(words.problems);
  let shownSignature = "";

  const replay = (doc, lines) => score.replayCard(lines, doc.length, doc.rules, doc.games);

  /* The lines of a card. The end of a session by time is the last one. */
  const linesOf = ({ lines, score: after, stop }) => (stop ? [...lines, { line: stop, after }] : lines);

  const nameOf = (doc, { winner }) => (winner ? el("strong", {}, el("bdi", {}, doc.names[winner])) : "");

  const cell = (doc, played) =>
    played
      ? el("td", {}, nameOf(doc, played), " ", el("b", { class: "num" }, scoreText(doc, played.after)), el("br"), el("small", {}, lineText(played)))
      : el("td", {}, "–");

  const signatureOf = (doc, played) => (played ? `${played.winner} ${scoreText(doc, played.after)} ${lineText(played)}` : "");

  const comparison = (doc, theirs, mine) => {
    const rows = Array.from({ length: Math.max(theirs.length, mine.length) }, (_, place) => {
      const [a, b] = [theirs[place], mine[place]];
      const differs = signatureOf(doc, a) !== signatureOf(doc, b);
      return el("tr", { class: differs ? "is-different" : null }, el("th", { scope: "row" }, `${place + 1}`), cell(doc, a), cell(doc, b));
    });
    const number = el("th", { scope: "col" }, el("span", { class: "for-readers" }, words.splitGame));
    const heads = [number, ...[words.splitCard, words.splitPhone].map((text) => el("th", { scope: "col" }, text))];
    return el("table", { class: "split" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows));
  };

  const cardWithMovedRows = ({ card: { doc }, waiting }) => {
    const moved = movable(doc, waiting);
    const superseded = moved.map((row) => row.supersedes).filter(Boolean);
    const remaining = doc.rows.filter((line) => !superseded.includes(line.key));
    return replay(doc, [...remaining, ...moved.filter((row) => row.line).map((row) => row.line)]);
  };

  /* Applies the choice only if the server's card is still the one shown. Otherwise both versions are shown again. */
  const decide = (state, work) => async () => {
    await self.cardQueue.refreshCard(state.card);
    const latest = (await self.cardStore.states()).find(({ card }) => card.id === state.card.id);
    if (latest.card.doc.tail === state.card.doc.tail) await work(state.card.id);
    self.cardQueue.publishChange();
    sendWaiting();
  };

  const choices = (state) => {
    const after = cardWithMovedRows(state);
    const wideButton = (text, work) =>
      el("button", { type: "button", class: "button button--wide", onclick: decide(state, work) }, text);
    const { doc } = state.card;
    const choice = (sentence, { score: result }, work) => wideButton(fill(sentence, { score: scoreText(doc, result) }), work);
    const theirs = choice(words.splitTheirs, replay(doc, doc.rows), (id) => putAside(id, "chosen"));
    const mine = isReplaceable(state) ? choice(words.splitMine, replay(doc, ownLines(state)), replaceWithMine) : "";
    if (after.problem) {
      const reason = fill(problems[after.problem.code], after.problem.params);
      return [mine, theirs, el("p", { class: "hint" }, fill(words.splitCannot, { why: reason }))];
    }
    return [mine, theirs, choice(words.splitBoth, after, moveBehind)];
  };

  const show = (state) => {
    const isWanted = Boolean(state) && state.waiting.length > 0 && isSplit(state);
    const signature = isWanted ? JSON.stringify([state.card, state.waiting]) : "";
    if (signature === shownSignature) return;
    shownSignature = signature;
    box.hidden = !isWanted;
    while (box.firstChild) box.firstChild.remove();
    if (!isWanted) return;
    const { doc } = state.card;
    const mine = linesOf(replay(doc, ownLines(state)));
    box.append(
      el("h2", { id: "split-title" }, words.splitTitle),
      el("p", {}, words.splitWhy),
      comparison(doc, linesOf(replay(doc, doc.rows)), mine),
      el("div", { class: "stack stack--tight" }, ...choices(state)),
      el("p", { class: "hint" }, words.splitDesk),
    );
  };

  document.addEventListener("card:shown", (event) => show(event.detail));
})();
