/* Sends what a phone has kept, the oldest row first, one sender at a time. Runs in pages and in the service worker.

   Who sends holds a lease in the store and renews it every second; no clock is asked: a lease is dead when its beat has
   not moved while somebody else waited for it. Should two send all the same, every row has its key and the server
   writes it once. A row leaves the queue only when the server has named its key. */
"use strict";

(() => {
  const { arrived, asked, mark, newKey, renew, stateOf, states, within } = self.cardStore;
  const BEAT = 1000;
  const DEAD_AFTER = 4000;
  const PATIENCE = 30000;
  const UNREACHABLE = { code: "unreachable" };
  const KINDS = { played: ["", "single", "gammon", "backgammon"], dropped: ["", "drop"] };
  const LOOK_FIRST = ["card-conflict", "key-reused", "no-such-row"];
  const channel = (() => {
    try {
      return new BroadcastChannel("score-cards");
    } catch {
      return null; /* other tabs then see what was written here when they are looked at */
    }
  })();

  const heard = () => self.dispatchEvent(new Event("cards:changed"));
  const tell = () => {
    heard();
    if (channel) channel.postMessage("changed");
  };
  if (channel) channel.onmessage = heard;

  /* The lease */

  const me = newKey();
  let seen = { holder: "", beat: -1, since: 0 };

  const isDead = (lease) => {
    if (lease.holder === seen.holder && lease.beat === seen.beat) return performance.now() - seen.since > DEAD_AFTER;
    seen = { holder: lease.holder, beat: lease.beat, since: performance.now() };
    return false;
  };

  const acquire = () =>
    within("readwrite", async ({ lease }) => {
      const now = await asked(lease.get("sender"));
      if (now && now.holder !== me && !isDead(now)) return false;
      lease.put({ name: "sender", holder: me, beat: 0 });
      return true;
    });

  const holds = async ({ lease }) => {
    const now = await asked(lease.get("sender"));
    return now && now.holder === me ? now : null;
  };

  const beat = () =>
    within("readwrite", async (stores) => {
      const mine = await holds(stores);
      if (mine) stores.lease.put({ ...mine, beat: mine.beat + 1 });
    }).catch(() => {});

  const release = () =>
    within("readwrite", async (stores) => {
      if (await holds(stores)) stores.lease.delete("sender");
    });

  /* One row */

  /* The oldest row of this card, marked as tried; nothing when the lease went to somebody else. */
  const take = (id) =>
    within("readwrite", async (stores) => {
      if (!(await holds(stores))) return null;
      const state = await stateOf(stores, id);
      if (!state.card || state.card.trouble || !state.waiting.length) return null;
      stores.rows.put({ ...state.waiting[0], tried: true });
      return { card: state.card, row: state.waiting[0] };
    });

  const address = (doc, name) => `/me/${doc.match}/${name}`;

  const fieldsOf = (doc, row) => {
    const said = { key: row.key, predecessor: row.predecessor, entry: doc.entry, step: "save" };
    if (row.supersedes) return ["undo/", { ...said, supersedes: row.supersedes }];
    const { line } = row;
    if (line.what === "stop") return ["stop/", said];
    if (line.what === "final") return ["final/", { ...said, left: line.left, right: line.right }];
    const { winner, cube, automatic_doubles, checkers_left } = line;
    const kind = KINDS[line.ending][line.win];
    const left = checkers_left === null ? "" : checkers_left;
    return ["row/", { ...said, winner, kind, cube, automatic_doubles, checkers_left: left }];
  };

  /* The answer as JSON with its status; whatever is no answer of ours (a gate of the hotel's) counts as no connection. */
  const ask = async (path, options) => {
    const stop = self.AbortController ? new AbortController() : null;
    const late = setTimeout(() => stop && stop.abort(), PATIENCE);
    try {
      const headers = { Accept: "application/json", ...options.headers };
      const signal = stop ? stop.signal : undefined;
      const response = await fetch(path, { ...options, headers, signal, cache: "no-store", credentials: "same-origin" });
      if (response.status >= 500 || response.status === 429) return UNREACHABLE;
      if (!/json/.test(response.headers.get("Content-Type") || "")) return { status: response.status, told: {} };
      return { status: response.status, told: await response.json() };
    } catch (error) {
      return UNREACHABLE;
    } finally {
      clearTimeout(late);
    }
  };

  /* The card as it is now with a fresh secret for forms. */
  const look = async ({ doc }) => {
    const answer = await ask(`${address(doc, "card.json")}?entry=${doc.entry}`, {});
    if (answer.status === 200 && answer.told.card) await renew(answer.told.card, { token: answer.told.token });
    return answer;
  };

  const post = ({ card, row }, token) => {
    const [name, fields] = fieldsOf(card.doc, row);
    const headers = { "X-CSRFToken": token };
    return ask(address(card.doc, name), { method: "POST", headers, body: new URLSearchParams(fields) });
  };

  /* A refusal may only mean that the secret is old: then a fresh one is fetched, once. */
  const send = async (taken) => {
    const answer = await post(taken, taken.card.token);
    if (answer.status !== 403) return answer;
    const now = await look(taken.card);
    return now.status === 200 && now.told.token ? post(taken, now.told.token) : now;
  };

  const settle = async (taken, answer) => {
    if (answer === UNREACHABLE) return "unreachable";
    const { status, told } = answer;
    if (status === 200 && told.key === taken.row.key) {
      await renew(told.card, { at: told.at });
      await arrived(taken.card.id, taken.row, told.question);
      return "sent";
    }
    if (!told.code) return "unreachable";
    if (told.card) await renew(told.card);
    const code = LOOK_FIRST.includes(told.code) ? "split" : told.code;
    await mark(taken.card.id, { code, detail: told.detail });
    return "trouble";
  };

  const sendAll = async () => {
    for (const { card } of await states()) {
      for (let taken = await take(card.id); taken; taken = await take(card.id)) {
        const outcome = await settle(taken, await send(taken));
        tell();
        if (outcome === "unreachable") return outcome;
        if (outcome === "trouble") break;
      }
    }
    return "done";
  };

  /* "done", "unreachable", or "busy" while somebody else sends. */
  const drain = async () => {
    if (!(await acquire())) return "busy";
    const beating = setInterval(beat, BEAT);
    try {
      return await sendAll();
    } finally {
      clearInterval(beating);
      await release();
    }
  };

  let running = null;
  const once = () => {
    running = running || drain().finally(() => (running = null));
    return running;
  };

  self.cardQueue = { drain: once, look, tell };
})();
