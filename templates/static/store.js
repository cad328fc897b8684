/* Stores score cards and unsent rows on the phone, in IndexedDB.

   cards   {id, doc, basis, token, at, trouble}   doc: the latest card from the server; basis: the card when the first
           unsent row was written; trouble: {code, detail}, stops sending until the player has decided
   rows    {number, card, key, predecessor, line, supersedes, tried, aside}   in the order of writing. `tried`: the
           server may have the row; `aside`: the reason why the row is no longer sent
   lease   {name, holder, beat}   the current sender, a page or the worker

   Does not touch the page and sends nothing: queue.js sends. */
"use strict";

(() => {
  const STORES = ["cards", "rows", "lease"];
  const TIMEOUT = 5000;
  let database = null;

  const requestResult = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  /* Some browsers never answer an open request. After the timeout the page works without a store. */
  const withTimeout = (promise) => {
    const timeout = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), TIMEOUT));
    return Promise.race([promise, timeout]);
  };

  const open = () => {
    const request = indexedDB.open("score-cards", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("cards", { keyPath: "id" });
      request.result.createObjectStore("rows", { keyPath: "number", autoIncrement: true });
      request.result.createObjectStore("lease", { keyPath: "name" });
    };
    return withTimeout(requestResult(request)).then((connection) => {
      connection.onversionchange = () => {
        connection.close();
        database = null;
      };
      connection.onclose = () => (database = null);
      return connection;
    });
  };

  /* Runs `work` in one transaction. Resolves after the data is on disk; an error in `work` aborts the transaction. */
  const inTransaction = async (mode, work) => {
    database = database || open();
    const connection = await database.catch((error) => {
      database = null;
      throw error;
    });
    return new Promise((resolve, reject) => {
      const transaction = connection.transaction(STORES, mode, { durability: "strict" });
      const [cards, rows, lease] = STORES.map((name) => transaction.objectStore(name));
      let result;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      work({ cards, rows, lease }).then(
        (value) => (result = value),
        (error) => {
          reject(error);
          transaction.abort();
        },
      );
    });
  };

  /* A random UUID, also over HTTP, where browsers offer random bytes only. */
  const newKey = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  /* The key of the row after `tail`. The server supplies the next keys, so that another phone of the same player and
     the page without script write the same row under the same key. Beyond those keys a random one is used. */
  const keyAfter = (doc, tail) => {
    const place = tail === doc.tail ? 0 : doc.keys.indexOf(tail) + 1;
    const isSupplied = tail === doc.tail || place > 0;
    return (isSupplied && doc.keys[place]) || newKey();
  };

  const idOf = (doc) => `${doc.match}/${doc.entry}`;

  const stateOf = async (stores, id) => {
    const card = await requestResult(stores.cards.get(id));
    const rows = (await requestResult(stores.rows.getAll())).filter((row) => row.card === id);
    return { card, waiting: rows.filter((row) => !row.aside), aside: rows.filter((row) => row.aside) };
  };

  const applyRows = (lines, rows) =>
    rows.reduce(
      (current, row) =>
        row.supersedes
          ? current.filter((line) => line.key !== row.supersedes)
          : [...current, { ...row.line, key: row.key, isUnsent: true }],
      lines,
    );

  /* The card with its waiting rows applied. `unsent` omits rows that the server's card already contains. `isSplit`: the
     first unsent row follows neither the last row of the server's card nor a row that was put aside. */
  const view = ({ card, waiting, aside }) => {
    const { doc } = card;
    const unsent = waiting.filter((row) => !doc.written.includes(row.key));
    const follows = (row) => row.predecessor === doc.tail || aside.some(({ key }) => key === row.predecessor);
    const isSplit = unsent.length > 0 && !follows(unsent[0]);
    const order = [...doc.written, ...unsent.map((row) => row.key)];
    const lines = applyRows(doc.rows, isSplit ? [] : unsent);
    const last = [...lines].sort((a, b) => order.indexOf(b.key) - order.indexOf(a.key))[0] || null;
    const tail = unsent.length ? unsent[unsent.length - 1].key : doc.tail;
    return { lines, unsent, isSplit, last, tail };
  };

  /* The card at the time of the first unsent row, with the rows of this phone applied. */
  const ownLines = ({ card, waiting }) => applyRows((card.basis || card.doc).rows, waiting);

  const put = (stores, state, row) => {
    if (!state.waiting.length) stores.cards.put({ ...state.card, basis: state.card.doc });
    stores.rows.add({ card: state.card.id, tried: false, aside: "", supersedes: null, line: null, ...row });
  };

  /* Writes only if the card is still the one that the player saw, with last row `tail`. Resolves to false otherwise. */
  const writeIfCurrent = (id, tail, work) =>
    inTransaction("readwrite", async (stores) => {
      const state = await stateOf(stores, id);
      if (!state.card || state.card.trouble) return false;
      const current = view(state);
      if (current.isSplit || current.tail !== tail) return false;
      return work(stores, state, current) !== false;
    });

  const add = (id, tail, line) =>
    writeIfCurrent(id, tail, (stores, state) =>
      put(stores, state, { key: keyAfter(state.card.doc, tail), predecessor: tail, line }),
    );

  /* Deletes a row that was never tried. A row that the server may have is superseded by a new row instead. */
  const undo = (id, tail) =>
    writeIfCurrent(id, tail, (stores, state, current) => {
      if (!current.last) return false;
      const newest = state.waiting[state.waiting.length - 1];
      if (newest && newest.key === current.last.key && !newest.tried) stores.rows.delete(newest.number);
      else put(stores, state, { key: keyAfter(state.card.doc, tail), predecessor: tail, supersedes: current.last.key });
      return true;
    });

  /* Saves a card and deletes the cards of other matches that have no rows. `keepsStored(doc)` receives the stored doc, or
     undefined, and returns true to keep it. Resolves to its answer. */
  const saveCard = (doc, fields, keepsStored) =>
    inTransaction("readwrite", async (stores) => {
      const id = idOf(doc);
      const [stored, rows] = [await requestResult(stores.cards.get(id)), await requestResult(stores.rows.getAll())];
      const isOld = keepsStored(stored && stored.doc);
      if (isOld && !stored) return true;
      const card = { id, basis: null, token: "", at: "", trouble: null, ...stored, ...fields };
      stores.cards.put({ ...card, doc: isOld ? stored.doc : doc });
      for (const other of await requestResult(stores.cards.getAllKeys())) {
        if (other !== id && !rows.some((row) => row.card === other)) stores.cards.delete(other);
      }
      return isOld;
    });

  /* For a response of the server. `requested` is the version that the phone had when it asked. If the stored card has
     changed since, the newer one is kept: answers can overtake each other. Does not restore a card that was deleted. */
  const saveFromServer = (doc, fields, requested) =>
    saveCard(doc, fields, (stored) => !stored || (stored.version !== requested && stored.version > doc.version));

  /* For the card in a page, which may be older than the stored card. Resolves to true if it is older. */
  const saveFromPage = (doc, fields = {}) =>
    saveCard(doc, fields, (stored) => Boolean(stored) && stored.version > doc.version);

  const states = () =>
    inTransaction("readonly", async (stores) => {
      const ids = await requestResult(stores.cards.getAllKeys());
      return Promise.all(ids.map((id) => stateOf(stores, id)));
    });

  const updateCard = (id, work) => inTransaction("readwrite", async (stores) => work(stores, await stateOf(stores, id)));

  const clearTrouble = (id) => updateCard(id, (stores, { card }) => card && stores.cards.put({ ...card, trouble: null }));

  /* For an answer to this row. Resolves to false if the player has replaced the row meanwhile, or put it aside. */
  const setTrouble = (id, row, trouble) =>
    updateCard(id, (stores, { card, waiting }) => {
      if (!card || !waiting.some(({ number }) => number === row.number)) return false;
      stores.cards.put({ ...card, trouble });
      return true;
    });

  /* Marks a row as received by the server. With `question` the row is not on the card but in a question to the desk. */
  const markArrived = (id, row, question) =>
    updateCard(id, async (stores, { card }) => {
      if (!card) return;
      const basis = card.basis && !question ? { ...card.basis, rows: applyRows(card.basis.rows, [row]) } : card.basis;
      stores.cards.put({ ...card, basis });
      if (question) stores.rows.put({ ...row, tried: true, aside: question });
      else stores.rows.delete(row.number);
    });

  /* True if exactly this row is on the server's card, or was there before it was superseded. */
  const isOnCard = (doc, row) => {
    if (!doc.written.includes(row.key)) return false;
    const onServer = doc.rows.find((line) => line.key === row.key);
    return !onServer || !row.line || Object.keys(row.line).every((name) => row.line[name] === onServer[name]);
  };

  const putAside = (id, reason) =>
    updateCard(id, async (stores, { card, waiting }) => {
      for (const row of waiting) {
        if (isOnCard(card.doc, row)) stores.rows.delete(row.number);
        else stores.rows.put({ ...row, aside: reason });
      }
      stores.cards.put({ ...card, trouble: null, basis: null });
    });

  const isStop = (line) => Boolean(line) && line.what === "stop";

  /* The waiting rows that are still valid after the server's card: games, one stop, and undos of games on that card. */
  const movable = (doc, waiting) => {
    const superseded = waiting.map((row) => row.supersedes).filter(Boolean);
    const current = doc.rows.map((row) => row.key);
    return waiting.filter(
      (row) =>
        !isOnCard(doc, row) &&
        !(isStop(row.line) && doc.rows.some(isStop)) &&
        (row.supersedes ? current.includes(row.supersedes) : !superseded.includes(row.key)),
    );
  };

  const isSameLine = (a, b) => Boolean(b) && Object.keys(a).every((name) => name === "isUnsent" || a[name] === b[name]);

  /* The lines of the server's card to supersede, newest first, and the lines to write, so that the player's own version
     becomes the card. */
  const replacement = (state) => {
    const [mine, theirs] = [ownLines(state), state.card.doc.rows];
    const differs = mine.findIndex((line, place) => !isSameLine(line, theirs[place]));
    const same = differs < 0 ? mine.length : differs;
    return { superseded: theirs.slice(same).reverse(), added: mine.slice(same) };
  };

  /* Penalty points are a decision of the desk. */
  const isReplaceable = (state) => {
    const { superseded, added } = replacement(state);
    return [...superseded, ...added].every((line) => line.what !== "penalty");
  };

  /* Replaces the waiting rows by `rowsOf(state)`, with new keys that follow the server's card. */
  const rewrite = (id, rowsOf) =>
    updateCard(id, async (stores, state) => {
      const { card, waiting } = state;
      let tail = card.doc.tail;
      for (const row of waiting) stores.rows.delete(row.number);
      for (const { line, supersedes } of rowsOf(state)) {
        const key = keyAfter(card.doc, tail);
        stores.rows.add({ card: id, key, predecessor: tail, line, supersedes, tried: false, aside: "" });
        tail = key;
      }
      stores.cards.put({ ...card, trouble: null, basis: card.doc });
    });

  const moveBehind = (id) => rewrite(id, ({ card, waiting }) => movable(card.doc, waiting));

  const replaceWithMine = (id) =>
    rewrite(id, (state) => {
      const { superseded, added } = replacement(state);
      const contents = added.map(({ key: _key, isUnsent: _isUnsent, ...line }) => line);
      return [
        ...superseded.map(({ key }) => ({ line: null, supersedes: key })),
        ...contents.map((line) => ({ line, supersedes: null })),
      ];
    });

  const deleteAside = (id) =>
    updateCard(id, async (stores, { aside }) => aside.forEach((row) => stores.rows.delete(row.number)));

  const clear = () =>
    inTransaction("readwrite", async (stores) => {
      stores.cards.clear();
      stores.rows.clear();
    });

  self.cardStore = {
    add, clear, clearTrouble, deleteAside, idOf, inTransaction, isReplaceable, markArrived, movable, moveBehind, newKey, ownLines, putAside,
    replaceWithMine, requestResult, saveFromPage, saveFromServer, setTrouble, stateOf, states, undo, view, withTimeout,
  };
})();
