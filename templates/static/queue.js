/* Sends the stored rows of a phone to the public API, oldest first, one sender at a time. Runs in pages and in the
   service worker.

   The sender holds a lease in the store and renews it every second. The lease needs no wall clock: it has expired when
   its beat did not change while another sender watched it. Two senders at once do no harm, because the server writes
   each key once. A row leaves the queue only after the server has confirmed its key. */
"use strict";

(() => {
  const { markArrived, requestResult, setTrouble, newKey, saveFromServer, stateOf, states, inTransaction } = self.cardStore;
  const BEAT_INTERVAL = 1000;
  const LEASE_EXPIRY = 4000;
  const REQUEST_TIMEOUT = 30000;
  const UNREACHABLE = { code: "unreachable" };
  const WINS = ["", "single", "gammon", "backgammon"];
  const CONFLICT_CODES = ["card-changed", "key-reused", "no-such-row"];
  /* The CSRF token was refused, also after a refresh. The row is not at fault, so it is sent again later. */
  const CSRF_CODE = "permission-denied";
  const channel = (() => {
    try {
      return new BroadcastChannel("score-cards");
    } catch {
      return null; /* other tabs then read the store when they become visible */
    }
  })();

  const dispatchChange = () => self.dispatchEvent(new Event("cards:changed"));
  const publishChange = () => {
    dispatchChange();
    if (channel) channel.postMessage("changed");
  };
  if (channel) channel.onmessage = dispatchChange;

  /* The lease */

  const ownId = newKey();
  let lastSeen = { holder: "", beat: -1, since: 0 };

  const isExpired = (lease) => {
    const isUnchanged = lease.holder === lastSeen.holder && lease.beat === lastSeen.beat;
    if (isUnchanged) return performance.now() - lastSeen.since > LEASE_EXPIRY;
    lastSeen = { holder: lease.holder, beat: lease.beat, since: performance.now() };
    return false;
  };

  const acquire = () =>
    inTransaction("readwrite", async ({ lease }) => {
      const current = await requestResult(lease.get("sender"));
      if (current && current.holder !== ownId && !isExpired(current)) return false;
      lease.put({ name: "sender", holder: ownId, beat: 0 });
      return true;
    });

  const ownLease = async ({ lease }) => {
    const current = await requestResult(lease.get("sender"));
    return current && current.holder === ownId ? current : null;
  };

  const beat = () =>
    inTransaction("readwrite", async (stores) => {
      const held = await ownLease(stores);
      if (held) stores.lease.put({ ...held, beat: held.beat + 1 });
    }).catch(() => {});

  const release = () =>
    inTransaction("readwrite", async (stores) => {
      if (await ownLease(stores)) stores.lease.delete("sender");
    });

  /* One row */

  /* Returns the oldest row of this card and marks it as tried. Returns null after losing the lease. */
  const takeOldestRow = (id) =>
    inTransaction("readwrite", async (stores) => {
      if (!(await ownLease(stores))) return null;
      const state = await stateOf(stores, id);
      if (!state.card || state.card.trouble || !state.waiting.length) return null;
      stores.rows.put({ ...state.waiting[0], tried: true });
      return { card: state.card, row: state.waiting[0] };
    });

  const address = (doc, name) => `/api/v1/matches/${doc.match}/${name}/?entry=${doc.entry}`;

  /* The kind of a row as the API names it, and its body. */
  const requestOf = ({ key, predecessor, supersedes, line }) => {
    if (supersedes) return ["strikes", { key, predecessor, supersedes }];
    if (line.what === "stop") return ["stop", { key, predecessor }];
    if (line.what === "final") return ["final", { key, predecessor, left: line.left, right: line.right }];
    const { winner, win, ending, cube, checkers_left, automatic_doubles } = line;
    return ["games", { key, predecessor, winner, win: WINS[win], ending, cube, checkers_left, automatic_doubles }];
  };

  /* Resolves to status and JSON body, or UNREACHABLE. A body that is not JSON (a hotel's login page) counts as empty. */
  const sendRequest = async (path, options) => {
    const controller = self.AbortController ? new AbortController() : null;
    const timeout = setTimeout(() => controller && controller.abort(), REQUEST_TIMEOUT);
    try {
      const headers = { Accept: "application/json", ...options.headers };
      const signal = controller ? controller.signal : undefined;
      const response = await fetch(path, { ...options, headers, signal, cache: "no-store", credentials: "same-origin" });
      if (response.status >= 500 || response.status === 429) return UNREACHABLE;
      if (!/json/.test(response.headers.get("Content-Type") || "")) return { status: response.status, body: {} };
      return { status: response.status, body: await response.json() };
    } catch (error) {
      return UNREACHABLE;
    } finally {
      clearTimeout(timeout);
    }
  };

  /* Fetches the current card and a new CSRF token. */
  const refreshCard = async ({ doc }) => {
    const answer = await sendRequest(address(doc, "own-card"), {});
    const { own_card: latest, token } = answer.body || {};
    if (answer.status === 200 && latest) await saveFromServer(latest, { token }, doc.version);
    return answer;
  };

  const post = ({ card, row }, token) => {
    const [name, body] = requestOf(row);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    return sendRequest(address(card.doc, name), { method: "POST", headers, body: JSON.stringify(body) });
  };

  /* A 403 may mean that the CSRF token is old: fetches a new one and retries once. */
  const send = async (job) => {
    const answer = await post(job, job.card.token);
    if (answer.status !== 403) return answer;
    const refreshed = await refreshCard(job.card);
    return refreshed.status === 200 && refreshed.body.token ? post(job, refreshed.body.token) : refreshed;
  };

  /* 201: the row is on the card. 202: it came after the result and is a question for the desk. */
  const isConfirmed = ({ status, body }, row) =>
    (status === 201 && body.row && body.row.key === row.key) || (status === 202 && body.question);

  const settle = async (job, answer) => {
    if (answer === UNREACHABLE) return "unreachable";
    const { status, body } = answer;
    if (isConfirmed(answer, job.row) && body.own_card) {
      await saveFromServer(body.own_card, { at: body.at }, job.card.doc.version);
      await markArrived(job.card.id, job.row, status === 202 ? body.detail : "");
      return "sent";
    }
    if (!body.code || body.code === CSRF_CODE) return "unreachable";
    if ((await refreshCard(job.card)) === UNREACHABLE) return "unreachable";
    const code = CONFLICT_CODES.includes(body.code) ? "split" : body.code;
    const isStopped = await setTrouble(job.card.id, job.row, { code, detail: body.detail });
    return isStopped ? "trouble" : "replaced";
  };

  const sendAll = async () => {
    for (const { card } of await states()) {
      for (let job = await takeOldestRow(card.id); job; job = await takeOldestRow(card.id)) {
        const outcome = await settle(job, await send(job));
        publishChange();
        if (outcome === "unreachable") return outcome;
        if (outcome === "trouble") break;
      }
    }
    return "done";
  };

  /* Resolves to "done", "unreachable", or "busy" while another sender holds the lease. */
  const drain = async () => {
    if (!(await acquire())) return "busy";
    const timer = setInterval(beat, BEAT_INTERVAL);
    try {
      return await sendAll();
    } finally {
      clearInterval(timer);
      await release();
    }
  };

  let running = null;
  const drainOnce = () => {
    running = running || drain().finally(() => (running = null));
    return running;
  };

  self.cardQueue = { drain: drainOnce, refreshCard, publishChange };
})();
