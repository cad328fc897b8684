/* Shows the unsent rows of this phone, and decides when to send them.

   <section id="kept" data-match data-entry …words></section>   the page of a card names match and entry; on a player's
   other pages they are missing, and only waiting rows are shown.

   Sends at once, when the network or the page comes back, and after a growing pause. */
"use strict";

self.outbox = (() => {
  const box = document.getElementById("kept");
  const words = box ? box.dataset : {};
  const pageCardId = words.match ? `${words.match}/${words.entry}` : "";
  const { clear, clearTrouble, deleteAside, saveFromPage, ownLines, putAside, states, view } = self.cardStore;
  const queue = self.cardQueue;
  const SLOW_AFTER = 2000;
  const MAX_PAUSE = 30000;
  const LEASE_WAIT = 5000;
  /* Problems that may be over when a page opens. The last two were stored by the scripts of release 0.1. */
  const RETRIED_CODES = [
    "sign-in-first", "not-found", "card-closed", "match-cancelled", "phone-unknown", "not-your-match",
  ];

  const fill = (sentence, values = {}) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  /* The form of a sentence for a number. The server supplies the forms as JSON. */
  const plural = (json, number) => {
    const { forms, of } = JSON.parse(json);
    return forms[of[number < of.length ? number : 100 + (number % 100)]];
  };

  const el = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === "onclick") element.addEventListener("click", value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  };

  const button = (text, onclick, kind = "") =>
    el("button", { type: "button", class: `button button--small ${kind}`, onclick }, text);

  /* A line of a card as text, for reading it to the desk. */
  const lineText = ({ line, isCrawford }) => {
    if (line.what === "final") return words.final;
    if (line.what === "penalty") return words.penalty;
    if (line.what === "stop") return words.stop;
    const kind = line.ending === "dropped" ? words.drop : [words.single, words.gammon, words.backgammon][line.win - 1];
    const cube = line.cube > 1 ? `, ${fill(words.cubeShown, { cube: line.cube })}` : "";
    return kind + cube + (isCrawford ? ` · ${words.crawford}` : "");
  };

  const scoreText = (doc, score) => {
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
        el("small", {}, lineText(played)),
        note ? el("small", { class: "kept__mark" }, ` ${note}`) : "",
      ),
      el("b", { class: "num" }, scoreText(doc, played.after)),
    );

  /* The lines of a card as list items, unsent ones with the note. The end of a session by time is the last item. */
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

  const opponentName = (doc) => doc.names[doc.side === "left" ? "right" : "left"];

  /* When to send */

  let phase = "idle";
  let pause = 0;
  let nextTryAt = 0;
  let timer = 0;

  const isToSend = (state) => state.waiting.length > 0 && !state.card.trouble && !view(state).isSplit;

  const schedule = (milliseconds) => {
    clearTimeout(timer);
    nextTryAt = performance.now() + milliseconds;
    timer = setTimeout(sendWaiting, milliseconds);
  };

  const nextPause = () => {
    pause = Math.min(MAX_PAUSE, pause ? pause * 2 : 1000);
    return pause * (0.75 + Math.random() / 2);
  };

  /* If the store fails, the rows are sent later. */
  const sendWaiting = () => attempt().catch(() => schedule(nextPause()));

  const attempt = async () => {
    if (!(await states()).some(isToSend)) return setPhase("idle");
    clearTimeout(timer);
    if (phase !== "waiting") phase = "sending";
    const slow = setTimeout(() => setPhase("waiting"), SLOW_AFTER);
    show();
    const outcome = await queue.drain().catch(() => "unreachable");
    clearTimeout(slow);
    if (outcome === "done") pause = 0;
    const hasMore = (await states()).some(isToSend);
    if (hasMore) schedule(outcome === "busy" ? LEASE_WAIT : outcome === "done" ? 0 : nextPause());
    return setPhase(hasMore ? "waiting" : "idle");
  };

  const setPhase = (newPhase) => {
    phase = newPhase;
    nextTryAt = newPhase === "idle" ? 0 : nextTryAt;
    if (newPhase === "waiting") requestBackgroundSync();
    return show();
  };

  /* The random delay spreads the phones of a room after an outage. */
  const sendSoon = () => {
    pause = 0;
    schedule(Math.random() * 300);
  };

  /* Content of the box */

  const countText = (rows) => {
    const areGames = rows.every((row) => row.line && row.line.what === "game");
    return fill(plural(areGames ? words.games : words.changes, rows.length), { count: rows.length });
  };

  const rowList = (state) => {
    const { length, rules, games } = state.card.doc;
    const replayed = self.cardScore.replayCard(ownLines(state), length, rules, games);
    return el("ol", { class: "games", role: "list" }, ...gameItems(state.card.doc, replayed, words.notSent));
  };

  const asideDetails = (state) => {
    if (!state.aside.length) return [];
    const { doc } = state.card;
    const items = state.aside.map((row) => {
      const winner = row.line && row.line.what === "game" ? `${doc.names[row.line.winner]}: ` : "";
      const score = row.line && row.line.what === "final" ? ` ${scoreText(doc, row.line)}` : "";
      const text = row.line ? lineText({ line: row.line }) + score : words.struck;
      return el("li", {}, el("bdi", {}, `${winner}${text}`));
    });
    const reasons = [...new Set(state.aside.map((row) => words[row.aside] || row.aside))].join(" ");
    const forget = () => deleteAside(state.card.id).then(queue.publishChange);
    return [
      el(
        "details",
        { class: "kept__aside" },
        el("summary", {}, fill(words.asideTitle, { count: state.aside.length })),
        el("p", {}, reasons),
        el("ul", {}, ...items),
        button(words.forget, forget),
      ),
    ];
  };

  const troublePart = (state) => {
    const { trouble, doc, id } = state.card;
    const tryAgain = () => clearTrouble(id).then(queue.publishChange).then(sendWaiting);
    return [
      el("p", { class: "strong" }, trouble.detail),
      el("p", {}, fill(words.readToDesk, { name: doc.names[doc.side] })),
      rowList(state),
      el("div", { class: "actions" }, button(words.tryAgain, tryAgain), button(words.giveUp, () => giveUp(id))),
    ];
  };

  const giveUp = (id) => putAside(id, "given").then(queue.publishChange);

  const waitingPart = (state) => {
    if (phase === "sending") return [el("p", { role: "status" }, words.sending)];
    const opponent = state.card.id === pageCardId ? "" : ` ${fill(words.against, { name: opponentName(state.card.doc) })}`;
    return [
      el("p", { role: "status", class: "strong" }, `${countText(state.waiting)}${opponent}`),
      el("div", { class: "kept__try" }, el("span", { class: "kept__next" }), button(words.sendNow, sendSoon)),
    ];
  };

  const sentPart = (state) => {
    const { at, doc } = state.card;
    const text = at ? fill(words.sentAt, { time: at }) : doc.written.length ? words.allSent : words.nothing;
    return state.card.id === pageCardId ? [el("p", { role: "status", class: "kept__sent" }, text)] : [];
  };

  const isSplit = (state) => {
    const { trouble } = state.card;
    return (trouble && trouble.code === "split") || (!trouble && view(state).isSplit);
  };

  const cardPart = (state) => {
    const { card, waiting } = state;
    if (!waiting.length && card.id !== pageCardId && !state.aside.length) return null;
    const split = waiting.length > 0 && isSplit(state);
    const link = split && card.id !== pageCardId ? el("a", { href: `/me/${card.doc.match}/` }, words.openCard) : "";
    const kind = split || (card.trouble && waiting.length) ? "trouble" : waiting.length ? "waits" : "sent";
    const body = split
      ? [el("p", { class: "strong" }, words.split), link]
      : kind === "trouble" ? troublePart(state) : kind === "waits" ? waitingPart(state) : sentPart(state);
    return el("div", { class: `kept__card kept__card--${kind}`, "data-state": kind }, ...body, ...asideDetails(state));
  };

  const explanation = () => {
    const text = navigator.serviceWorker ? words.howSecure : words.howPlain;
    return el("details", { class: "kept__how" }, el("summary", {}, words.howTitle), el("p", {}, text));
  };

  let shownSignature = "";
  let hasStore = true;
  const show = async () => {
    const cards = await states();
    const signature = JSON.stringify([phase, cards]);
    if (signature === shownSignature || !box || !hasStore) return;
    shownSignature = signature;
    const parts = cards.map(cardPart).filter(Boolean);
    const opened = [...box.querySelectorAll("details[open]")].map((details) => details.className);
    while (box.firstChild) box.firstChild.remove();
    box.append(...parts, pageCardId ? explanation() : "");
    for (const details of box.querySelectorAll("details")) details.open = opened.includes(details.className);
    box.hidden = !parts.length && !pageCardId;
    updateCountdown();
    document.dispatchEvent(new CustomEvent("outbox:shown", { detail: { phase } }));
  };

  const updateCountdown = () => {
    const seconds = Math.ceil((nextTryAt - performance.now()) / 1000);
    for (const line of document.querySelectorAll(".kept__next")) {
      line.textContent = seconds > 0 ? fill(words.next, { seconds }) : words.trying;
    }
  };
  setInterval(updateCountdown, 1000);

  /* The service worker, over HTTPS only */

  const activeWorker = () => (navigator.serviceWorker ? navigator.serviceWorker.controller : null);

  /* Asks the browser to keep the store, and to wake the worker when the network is back. */
  const requestBackgroundSync = () => {
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
    if (!navigator.serviceWorker || !self.SyncManager) return;
    navigator.serviceWorker.ready.then((registration) => registration.sync.register("send")).catch(() => {});
  };

  /* A new worker did not see the requests of this page, so it receives their addresses. */
  const cachePage = async () => {
    const registration = await navigator.serviceWorker.ready;
    const files = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], link[rel=manifest], script[src]")];
    const addresses = [...files.map((file) => file.href || file.src), location.pathname, "/me/"];
    const cached = await Promise.all(addresses.map((address) => caches.match(address)));
    if (!activeWorker() || !cached.every(Boolean)) registration.active.postMessage({ keep: addresses });
  };

  const install = async () => {
    if (!navigator.serviceWorker) return;
    navigator.serviceWorker.addEventListener("controllerchange", cachePage);
    await navigator.serviceWorker.register("/worker.js");
    await cachePage();
  };

  const start = async () => {
    for (const { card } of await states()) {
      if (card.trouble && RETRIED_CODES.includes(card.trouble.code)) await clearTrouble(card.id);
    }
    addEventListener("cards:changed", show);
    addEventListener("online", sendSoon);
    document.addEventListener("visibilitychange", () => document.hidden || sendSoon());
    addEventListener("pagehide", () => phase !== "idle" && activeWorker() && activeWorker().postMessage("send"));
    await show();
    return sendWaiting();
  };

  /* Resolves to true with a store; otherwise the page says that this browser stores nothing. */
  const showNoStore = () => {
    hasStore = false;
    if (box && pageCardId) {
      while (box.firstChild) box.firstChild.remove();
      box.append(el("p", { class: "kept__card kept__card--trouble", role: "status" }, words.noStore));
      box.hidden = false;
    }
    return false;
  };
  const ready = states().then(() => true, showNoStore);

  /* Signing a player out deletes the store. With waiting rows the form asks for confirmation first. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-forgets]")) return;
    event.preventDefault();
    forget(form);
  });

  const forget = async (form) => {
    const hasStored = await ready;
    if (hasStored && !form.dataset.sure && (await states()).some((state) => state.waiting.length)) {
      form.dataset.sure = "yes";
      form.querySelector("[data-lost]").hidden = false;
      return;
    }
    if (hasStored) await clear().catch(() => {});
    form.submit();
  };

  ready.then((hasDatabase) => hasDatabase && start()).catch(() => {});
  install().catch(() => {});

  return {
    el, fill, gameItems, isSplit, lineText, pageCardId, plural, ready, saveFromPage, scoreText, sendWaiting, show, showNoStore, words,
    phase: () => phase,
  };
})();
