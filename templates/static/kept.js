/* The line that says honestly what this phone has kept and what has arrived; and when to try to send again.

   <section id="kept" data-match data-entry …words></section>   on the card's own page it names match and entry; on other
   pages of a player it stands without them and shows only what waits.

   Tries at once, when the network or the page comes back, and after a pause that grows. */
"use strict";

self.kept = (() => {
  const box = document.getElementById("kept");
  const words = box ? box.dataset : {};
  const here = words.match ? `${words.match}/${words.entry}` : "";
  const { clear, forgetAside, keep, mark, ownLines, putAside, states, view } = self.cardStore;
  const queue = self.cardQueue;
  const SLOW = 2000;
  const LONGEST = 30000;
  const FOREIGN = 5000;
  const AGAIN = ["phone-unknown", "not-your-match", "card-closed", "match-cancelled"];

  const fill = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const el = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") made.addEventListener("click", value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  };

  const button = (text, onclick, kind = "") =>
    el("button", { type: "button", class: `button button--small ${kind}`, onclick }, text);

  /* A line of a card in words: what a player reads to the desk. */
  const lineWords = ({ line, isCrawford }) => {
    if (line.what === "final") return words.final;
    if (line.what === "penalty") return words.penalty;
    if (line.what === "stop") return words.stop;
    const kind = line.ending === "dropped" ? words.drop : [words.single, words.gammon, words.backgammon][line.win - 1];
    const cube = line.cube > 1 ? `, ${fill(words.cubeShown, { cube: line.cube })}` : "";
    return kind + cube + (isCrawford ? ` · ${words.crawford}` : "");
  };

  const scoreSeen = (doc, score) => {
    const [mine, theirs] = doc.side === "left" ? [score.left, score.right] : [score.right, score.left];
    return `${mine}–${theirs}`;
  };

  const gameItem = (doc, played, note) =>
    el(
      "li",
      { "data-key": played.line.key || null, class: note ? "is-kept" : null },
      el("span", { class: "quiet" }, played.number === null ? "–" : String(played.number)),
      el(
        "span",
        {},
        el("strong", {}, el("bdi", {}, doc.names[played.winner])),
        played.credited ? ` +${played.credited}` : "",
        el("br"),
        el("small", {}, lineWords(played)),
        note ? el("small", { class: "kept__mark" }, ` ${note}`) : "",
      ),
      el("b", { class: "num" }, scoreSeen(doc, played.after)),
    );

  /* All lines of a card as items of a list, the note behind each unsent one; at the end, that time is over. */
  const gameItems = (doc, { lines, score, stop }, note) => {
    const noteOf = ({ isUnsent }) => (isUnsent ? note : "");
    const items = lines.map((played) => gameItem(doc, played, noteOf(played.line)));
    return stop ? [...items, stopItem(score, stop, noteOf(stop))] : items;
  };

  const stopItem = ({ agreed }, stop, note) =>
    el(
      "li",
      { "data-key": stop.key || null, class: note ? "is-kept" : null },
      el("span", { class: "quiet" }, "–"),
      el("span", {}, fill(words.stopAfter, { number: agreed }), note ? el("small", { class: "kept__mark" }, ` ${note}`) : ""),
    );

  const otherName = (doc) => doc.names[doc.side === "left" ? "right" : "left"];

  /* When to send */

  let phase = "idle";
  let pause = 0;
  let until = 0;
  let timer = 0;

  const isToSend = (state) => state.waiting.length > 0 && !state.card.trouble && !view(state).isSplit;

  const later = (milliseconds) => {
    clearTimeout(timer);
    until = performance.now() + milliseconds;
    timer = setTimeout(go, milliseconds);
  };

  const grown = () => {
    pause = Math.min(LONGEST, pause ? pause * 2 : 1000);
    return pause * (0.75 + Math.random() / 2);
  };

  const go = async () => {
    if (!(await states()).some(isToSend)) return settled("idle");
    clearTimeout(timer);
    if (phase !== "waiting") phase = "sending";
    const slow = setTimeout(() => settled("waiting"), SLOW);
    show();
    const outcome = await queue.drain().catch(() => "unreachable");
    clearTimeout(slow);
    if (outcome === "done") pause = 0;
    const isLeft = (await states()).some(isToSend);
    if (isLeft) later(outcome === "busy" ? FOREIGN : outcome === "done" ? 0 : grown());
    return settled(isLeft ? "waiting" : "idle");
  };

  const settled = (now) => {
    phase = now;
    until = now === "idle" ? 0 : until;
    if (now === "waiting") digIn();
    return show();
  };

  /* At once, after a moment that differs from phone to phone. */
  const soon = () => {
    pause = 0;
    later(Math.random() * 300);
  };

  /* What stands in the box */

  const counted = (rows) => {
    const kind = rows.every((row) => row.line && row.line.what === "game") ? "game" : "change";
    const one = kind === "game" ? words.oneGame : words.oneChange;
    return rows.length === 1 ? one : fill(kind === "game" ? words.games : words.changes, { count: rows.length });
  };

  const listOf = (state) => {
    const { length, rules, games } = state.card.doc;
    const worked = self.cardScore.standing(ownLines(state), length, rules, games);
    return el("ol", { class: "games", role: "list" }, ...gameItems(state.card.doc, worked, words.notSent));
  };

  const asideOf = (state) => {
    if (!state.aside.length) return [];
    const { doc } = state.card;
    const said = state.aside.map((row) => {
      const who = row.line && row.line.what === "game" ? `${doc.names[row.line.winner]}: ` : "";
      const what = row.line ? lineWords({ line: row.line }) : words.struck;
      return el("li", {}, el("bdi", {}, `${who}${what}`));
    });
    const why = [...new Set(state.aside.map((row) => words[row.aside] || row.aside))].join(" ");
    const forget = () => forgetAside(state.card.id).then(queue.tell);
    return [
      el(
        "details",
        { class: "kept__aside" },
        el("summary", {}, fill(words.asideTitle, { count: state.aside.length })),
        el("p", {}, why),
        el("ul", {}, ...said),
        button(words.forget, forget),
      ),
    ];
  };

  const troubleOf = (state) => {
    const { trouble, doc, id } = state.card;
    const tryAgain = () => mark(id, null).then(queue.tell).then(go);
    return [
      el("p", { class: "strong" }, trouble.detail),
      el("p", {}, fill(words.readToDesk, { name: doc.names[doc.side] })),
      listOf(state),
      el("div", { class: "actions" }, button(words.tryAgain, tryAgain), button(words.giveUp, () => giveUp(id))),
    ];
  };

  const giveUp = (id) => putAside(id, "given").then(queue.tell);

  const waitingOf = (state) => {
    if (phase === "sending") return [el("p", { role: "status" }, words.sending)];
    const about = state.card.id === here ? "" : ` ${fill(words.against, { name: otherName(state.card.doc) })}`;
    return [
      el("p", { role: "status", class: "strong" }, `${counted(state.waiting)}${about}`),
      el("div", { class: "kept__try" }, el("span", { class: "kept__next" }), button(words.sendNow, soon)),
    ];
  };

  const sentOf = (state) => {
    const { at, doc } = state.card;
    const text = at ? fill(words.sentAt, { time: at }) : doc.written.length ? words.allSent : words.nothing;
    return state.card.id === here ? [el("p", { role: "status", class: "kept__sent" }, text)] : [];
  };

  const isSplit = (state) => {
    const { trouble } = state.card;
    return (trouble && trouble.code === "split") || (!trouble && view(state).isSplit);
  };

  const partOf = (state) => {
    const { card, waiting } = state;
    if (!waiting.length && card.id !== here && !state.aside.length) return null;
    const split = waiting.length > 0 && isSplit(state);
    const link = split && card.id !== here ? el("a", { href: `/me/${card.doc.match}/` }, words.openCard) : "";
    const kind = split || (card.trouble && waiting.length) ? "trouble" : waiting.length ? "waits" : "sent";
    const body = split
      ? [el("p", { class: "strong" }, words.split), link]
      : kind === "trouble" ? troubleOf(state) : kind === "waits" ? waitingOf(state) : sentOf(state);
    return el("div", { class: `kept__card kept__card--${kind}`, "data-state": kind }, ...body, ...asideOf(state));
  };

  const how = () => {
    const text = navigator.serviceWorker ? words.howSecure : words.howPlain;
    return el("details", { class: "kept__how" }, el("summary", {}, words.howTitle), el("p", {}, text));
  };

  let shown = "";
  let hasStore = true;
  const show = async () => {
    const all = await states();
    const signature = JSON.stringify([phase, all]);
    if (signature === shown || !box || !hasStore) return;
    shown = signature;
    const parts = all.map(partOf).filter(Boolean);
    const opened = [...box.querySelectorAll("details[open]")].map((details) => details.className);
    while (box.firstChild) box.firstChild.remove();
    box.append(...parts, here ? how() : "");
    for (const details of box.querySelectorAll("details")) details.open = opened.includes(details.className);
    box.hidden = !parts.length && !here;
    count();
    document.dispatchEvent(new CustomEvent("kept:shown", { detail: { phase } }));
  };

  const count = () => {
    const seconds = Math.ceil((until - performance.now()) / 1000);
    for (const line of document.querySelectorAll(".kept__next")) {
      line.textContent = seconds > 0 ? fill(words.next, { seconds }) : words.trying;
    }
  };
  setInterval(count, 1000);

  /* Over HTTPS: the pages of a player open without the network, and the browser may send while none is open. */

  const worker = () => (navigator.serviceWorker ? navigator.serviceWorker.controller : null);

  /* It may take long: the browser is asked not to clear what is kept, and to wake the worker when there is a network. */
  const digIn = () => {
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
    if (!navigator.serviceWorker || !self.SyncManager) return;
    navigator.serviceWorker.ready.then((ready) => ready.sync.register("send")).catch(() => {});
  };

  /* What this page was made of may have gone past a worker that is new, or came to look after it halfway. */
  const handOver = async () => {
    const ready = await navigator.serviceWorker.ready;
    const files = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], link[rel=manifest], script[src]")];
    const wanted = [...files.map((file) => file.href || file.src), location.pathname, "/me/"];
    const kept = await Promise.all(wanted.map((address) => caches.match(address)));
    if (!worker() || !kept.every(Boolean)) ready.active.postMessage({ keep: wanted });
  };

  const install = async () => {
    if (!navigator.serviceWorker) return;
    navigator.serviceWorker.addEventListener("controllerchange", handOver);
    await navigator.serviceWorker.register("/worker.js");
    await handOver();
  };

  const begin = async () => {
    for (const { card } of await states()) {
      if (card.trouble && AGAIN.includes(card.trouble.code)) await mark(card.id, null);
    }
    addEventListener("cards:changed", show);
    addEventListener("online", soon);
    document.addEventListener("visibilitychange", () => document.hidden || soon());
    addEventListener("pagehide", () => phase !== "idle" && worker() && worker().postMessage("send"));
    await show();
    return go();
  };

  /* The store is there, or the page says that this browser keeps nothing. */
  const keepsNothing = () => {
    hasStore = false;
    if (box && here) {
      while (box.firstChild) box.firstChild.remove();
      box.append(el("p", { class: "kept__card kept__card--trouble", role: "status" }, words.noStore));
      box.hidden = false;
    }
    return false;
  };
  const ready = states().then(() => true, keepsNothing);

  /* Somebody else gets this phone: not before what it kept is sent, or said to be lost. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-forgets]")) return;
    event.preventDefault();
    forget(form);
  });

  const forget = async (form) => {
    const isKept = await ready;
    if (isKept && !form.dataset.sure && (await states()).some((state) => state.waiting.length)) {
      form.dataset.sure = "yes";
      form.querySelector("[data-lost]").hidden = false;
      return;
    }
    if (isKept) await clear().catch(() => {});
    form.submit();
  };

  ready.then((is) => is && begin()).catch(() => {});
  install().catch(() => {});

  return { el, fill, gameItems, go, here, isSplit, keep, keepsNothing, lineWords, ready, scoreSeen, show, words, phase: () => phase };
})();
