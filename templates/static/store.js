/* What a phone keeps of its score cards, in IndexedDB: the card as last told, and the rows that were not sent yet.

   cards   {id, doc, basis, token, at, trouble}   doc: the card as the server last told it; basis: as it was when the
           first unsent row was written; trouble: {code, detail} stops the sending until somebody has looked
   rows    {number, card, key, predecessor, line, supersedes, tried, aside}   in the order they were written. `tried`: it
           may have arrived; `aside`: why it is not to be sent any more
   lease   {name, holder, beat}   who sends just now, page or worker

   Knows nothing of pages, and sends nothing: that is queue.js. */
"use strict";

(() => {
  const STORES = ["cards", "rows", "lease"];
  const PATIENCE = 5000;
  let database = null;

  const asked = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  /* Some browsers never say whether they open it: nothing is kept then, rather than waited for. */
  const inTime = (answer) => {
    const never = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), PATIENCE));
    return Promise.race([answer, never]);
  };

  const open = () => {
    const request = indexedDB.open("score-cards", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("cards", { keyPath: "id" });
      request.result.createObjectStore("rows", { keyPath: "number", autoIncrement: true });
      request.result.createObjectStore("lease", { keyPath: "name" });
    };
    return inTime(asked(request)).then((opened) => {
      opened.onversionchange = () => {
        opened.close();
        database = null;
      };
      opened.onclose = () => (database = null);
      return opened;
    });
  };

  /* One transaction: done once it is on the disk, or not at all. */
  const within = async (mode, work) => {
    database = database || open();
    const opened = await database.catch((error) => {
      database = null;
      throw error;
    });
    return new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORES, mode, { durability: "strict" });
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

  /* A key that nobody can guess, made of what is there at a plain address too. */
  const newKey = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  /* The key of the row after `tail`: the one the server gave for that place, so that another phone of the same player
     and the page without script say the same row with the same key; a new one beyond those. */
  const keyAfter = (doc, tail) => {
    const place = tail === doc.tail ? 0 : doc.keys.indexOf(tail) + 1;
    const isKnown = tail === doc.tail || place > 0;
    return (isKnown && doc.keys[place]) || newKey();
  };

  const idOf = (doc) => `${doc.match}/${doc.entry}`;

  const stateOf = async (stores, id) => {
    const card = await asked(stores.cards.get(id));
    const all = (await asked(stores.rows.getAll())).filter((row) => row.card === id);
    return { card, waiting: all.filter((row) => !row.aside), aside: all.filter((row) => row.aside) };
  };

  const applied = (lines, rows) =>
    rows.reduce(
      (now, row) =>
        row.supersedes
          ? now.filter((line) => line.key !== row.supersedes)
          : [...now, { ...row.line, key: row.key, isUnsent: true }],
      lines,
    );

  /* The card with what waits on it. `unsent` leaves out what has arrived though nobody said so yet; `isSplit`: something
     else stands where the first unsent row belongs, and it does not follow one that the desk was told of. */
  const view = ({ card, waiting, aside }) => {
    const { doc } = card;
    const unsent = waiting.filter((row) => !doc.written.includes(row.key));
    const follows = (row) => row.predecessor === doc.tail || aside.some(({ key }) => key === row.predecessor);
    const isSplit = unsent.length > 0 && !follows(unsent[0]);
    const order = [...doc.written, ...unsent.map((row) => row.key)];
    const lines = applied(doc.rows, isSplit ? [] : unsent);
    const last = [...lines].sort((a, b) => order.indexOf(b.key) - order.indexOf(a.key))[0] || null;
    const tail = unsent.length ? unsent[unsent.length - 1].key : doc.tail;
    return { lines, unsent, isSplit, last, tail };
  };

  /* What the phone itself wrote, beginning with the card as it was then. */
  const ownLines = ({ card, waiting }) => applied((card.basis || card.doc).rows, waiting);

  const put = (stores, state, row) => {
    if (!state.waiting.length) stores.cards.put({ ...state.card, basis: state.card.doc });
    stores.rows.add({ card: state.card.id, tried: false, aside: "", supersedes: null, line: null, ...row });
  };

  /* Writes only on the card that the player saw: `tail` is its last row. */
  const writing = (id, tail, work) =>
    within("readwrite", async (stores) => {
      const state = await stateOf(stores, id);
      if (!state.card || state.card.trouble) return false;
      const now = view(state);
      if (now.isSplit || now.tail !== tail) return false;
      return work(stores, state, now) !== false;
    });

  const add = (id, tail, line) =>
    writing(id, tail, (stores, state) =>
      put(stores, state, { key: keyAfter(state.card.doc, tail), predecessor: tail, line }),
    );

  /* A row that was never tried is simply gone; one that may have arrived is struck by a row of its own. */
  const undo = (id, tail) =>
    writing(id, tail, (stores, state, now) => {
      if (!now.last) return false;
      const newest = state.waiting[state.waiting.length - 1];
      if (newest && newest.key === now.last.key && !newest.tried) stores.rows.delete(newest.number);
      else put(stores, state, { key: keyAfter(state.card.doc, tail), predecessor: tail, supersedes: now.last.key });
      return true;
    });

  /* Keeps a card as it was told, unless what is known is newer; of other matches only those with rows stay. `stays`
     is asked about the known card's doc, if there is one. */
  const store = (doc, more, stays) =>
    within("readwrite", async (stores) => {
      const id = idOf(doc);
      const [known, rows] = [await asked(stores.cards.get(id)), await asked(stores.rows.getAll())];
      const isOld = stays(known && known.doc);
      if (isOld && !known) return true;
      const card = { id, basis: null, token: "", at: "", trouble: null, ...known, ...more };
      stores.cards.put({ ...card, doc: isOld ? known.doc : doc });
      for (const other of await asked(stores.cards.getAllKeys())) {
        if (other !== id && !rows.some((row) => row.card === other)) stores.cards.delete(other);
      }
      return isOld;
    });

  /* As the server has just told it to whoever sends; a card that was forgotten meanwhile does not come back. */
  const renew = (doc, more = {}) => store(doc, more, (known) => !known);

  /* As it stands on a page, which may have been written before what is known. True when it was. */
  const keep = (doc, more = {}) => store(doc, more, (known) => Boolean(known) && known.version > doc.version);

  const states = () =>
    within("readonly", async (stores) => {
      const ids = await asked(stores.cards.getAllKeys());
      return Promise.all(ids.map((id) => stateOf(stores, id)));
    });

  const change = (id, work) => within("readwrite", async (stores) => work(stores, await stateOf(stores, id)));

  const mark = (id, trouble) => change(id, (stores, { card }) => card && stores.cards.put({ ...card, trouble }));

  /* The server has this row: on the card, or (`question`) as something the desk was told. */
  const arrived = (id, row, question) =>
    change(id, async (stores, { card }) => {
      if (!card) return;
      const basis = card.basis && !question ? { ...card.basis, rows: applied(card.basis.rows, [row]) } : card.basis;
      stores.cards.put({ ...card, basis });
      if (question) stores.rows.put({ ...row, tried: true, aside: question });
      else stores.rows.delete(row.number);
    });

  /* Whether this very row stands on the card, or stood there until somebody struck it. */
  const isThere = (doc, row) => {
    if (!doc.written.includes(row.key)) return false;
    const line = doc.rows.find((known) => known.key === row.key);
    return !line || !row.line || Object.keys(row.line).every((name) => row.line[name] === line[name]);
  };

  const putAside = (id, why) =>
    change(id, async (stores, { card, waiting }) => {
      for (const row of waiting) {
        if (isThere(card.doc, row)) stores.rows.delete(row.number);
        else stores.rows.put({ ...row, aside: why });
      }
      stores.cards.put({ ...card, trouble: null, basis: null });
    });

  const isStop = (line) => Boolean(line) && line.what === "stop";

  /* What still makes sense after the card as it is now: games, one stop, and strikes of games that still count. */
  const movable = (doc, waiting) => {
    const struck = waiting.map((row) => row.supersedes).filter(Boolean);
    const counting = doc.rows.map((row) => row.key);
    return waiting.filter(
      (row) =>
        !isThere(doc, row) &&
        !(isStop(row.line) && doc.rows.some(isStop)) &&
        (row.supersedes ? counting.includes(row.supersedes) : !struck.includes(row.key)),
    );
  };

  /* The rows written here are written anew, behind the card as it is now. */
  const moveBehind = (id) =>
    change(id, async (stores, { card, waiting }) => {
      let tail = card.doc.tail;
      for (const row of waiting) stores.rows.delete(row.number);
      for (const { line, supersedes } of movable(card.doc, waiting)) {
        const key = keyAfter(card.doc, tail);
        stores.rows.add({ card: id, key, predecessor: tail, line, supersedes, tried: false, aside: "" });
        tail = key;
      }
      stores.cards.put({ ...card, trouble: null, basis: card.doc });
    });

  const forgetAside = (id) =>
    change(id, async (stores, { aside }) => aside.forEach((row) => stores.rows.delete(row.number)));

  const clear = () =>
    within("readwrite", async (stores) => {
      stores.cards.clear();
      stores.rows.clear();
    });

  self.cardStore = {
    add, arrived, asked, clear, forgetAside, idOf, keep, mark, movable, moveBehind, newKey, ownLines, putAside, renew, stateOf,
    states, undo, view, within,
  };
})();
