/* The score card on the phone. Shows the points of a game before it is saved, stores it at once, and shows score, Crawford
   state and the next game's keys without waiting for the server, which checks every row again.

   Works in the part of the page that live.js refreshes. The server's content is patched only while the phone has newer
   rows. Without IndexedDB the forms are posted one by one; without JavaScript the server shows a preview first. */
"use strict";

(() => {
  const live = document.getElementById("live");
  if (!live || !document.getElementById("card-words")) return;

  const score = self.cardScore;
  const { add, states, undo, view, withTimeout } = self.cardStore;
  const { el, fill, gameItems, plural, sendWaiting, pageCardId, isSplit, saveFromPage, showNoStore, ready, scoreText } =
    self.outbox;
  const words = { ...self.outbox.words, ...document.getElementById("card-words").dataset };
  const problems = JSON.parse(words.problems);
  const KINDS = { single: [1, "played"], gammon: [2, "played"], backgammon: [3, "played"], drop: [1, "dropped"] };
  const LONG_NAME = 14;
  const SHORT_NAME = 11;
  const pristine = new Map();
  let current = null;
  let lastState = null;

  const partOf = (name) => live.querySelector(`[data-part="${name}"]`);
  const cardOnPage = () => JSON.parse(partOf("kept").dataset.card);
  const clear = (node) => {
    while (node.firstChild) node.firstChild.remove();
  };
  const sentenceOf = ({ code, params }) => fill(problems[code] || code, params);
  const isolated = (text) => `\u2068${text}\u2069`;
  /* A name in the line above Save, which has room for one line. */
  const shortName = (name) => isolated(name.length > SHORT_NAME ? `${[...name].slice(0, SHORT_NAME - 1).join("")}…` : name);

  /* State of the card: the server's rows and those of this phone */

  const cardState = (state) => {
    const doc = state ? state.card.doc : cardOnPage();
    const stored = state ? view(state) : { lines: doc.rows, unsent: [], tail: doc.tail, isSplit: false, last: null };
    const replayed = score.replayCard(stored.lines, doc.length, doc.rules, doc.games);
    const isBlocked = Boolean(state) && state.waiting.length > 0 && (isSplit(state) || Boolean(state.card.trouble));
    const takesRows = doc.is_open && !isBlocked;
    const isAhead = Boolean(state) && (stored.unsent.length > 0 || doc.version !== cardOnPage().version);
    const choices = score.choices(replayed.score, doc.rules);
    return { ...stored, ...replayed, doc, takesRows, isAhead, isBlocked, choices };
  };

  const showMessage = (sentence) => {
    const line = document.getElementById("card-says");
    line.textContent = sentence;
    line.hidden = !sentence;
    if (sentence) line.scrollIntoView({ block: "nearest" });
  };

  /* Parts of the page from the server, patched */

  const patchPart = (name, work) => {
    const part = partOf(name);
    if (!part) return;
    if (!part.hasAttribute("data-patched")) pristine.set(name, part.cloneNode(true));
    else {
      clear(part);
      part.append(...pristine.get(name).cloneNode(true).childNodes);
    }
    const isWanted = current.isAhead && current.unsent.length + current.lines.length + cardOnPage().rows.length > 0;
    part.toggleAttribute("data-patched", isWanted);
    if (isWanted) work(part);
  };

  const badge = () => {
    if (score.isOver(current.score)) return "";
    if (score.isDoubleMatchPoint(current.score)) {
      return el("span", { class: "badge badge--crawford" }, words.doubleMatchPoint);
    }
    if (current.choices.isCrawford) return el("span", { class: "badge badge--crawford" }, words.crawford);
    if (current.doc.length === null) return el("span", { class: "badge badge--open" }, sessionState(current.score));
    return score.isPostCrawford(current.score) ? el("span", { class: "badge badge--open" }, words.postCrawford) : "";
  };

  const sessionState = ({ games, agreed }) => {
    if (agreed === null) return fill(words.session, { number: games + 1 });
    if (games < agreed) return fill(words.sessionOf, { number: games + 1, games: agreed });
    return fill(words.sessionLevel, { number: games });
  };

  const patchBoard = (part) => {
    const mine = current.doc.side;
    const theirs = mine === "left" ? "right" : "left";
    const points = [...part.querySelectorAll(".side__points")];
    points[0].textContent = current.score[mine];
    points[1].textContent = current.score[theirs];
    const state = part.querySelector("[data-card-state]");
    clear(state);
    state.append(badge());
  };

  const patchGames = (part) => {
    const before = new Map([...part.querySelectorAll("li[data-key]")].map((item) => [item.dataset.key, item]));
    const mark = self.outbox.phase() === "sending" ? words.sendingMark : words.keptMark;
    const pointsOf = (item) => (item.querySelector(".num") || item).textContent;
    const items = gameItems(current.doc, current, mark).map((fresh) => {
      const existing = before.get(fresh.dataset.key);
      return existing && pointsOf(existing) === pointsOf(fresh) ? existing : fresh;
    });
    clear(part);
    if (!items.length) return;
    const list = el("ol", { class: "games", role: "list" }, ...items);
    part.append(el("section", { class: "stack stack--tight" }, el("h2", {}, words.theCard), list));
  };

  /* The form of the next game */

  const checkedValue = (form, name) => {
    const key = form.querySelector(`[name="${name}"]:checked`);
    return key ? key.value : "";
  };
  const numberIn = (form, name) => {
    const field = form.querySelector(`[name="${name}"]`);
    return field && field.value !== "" ? Number(field.value) : null;
  };

  const selection = (form) => ({
    winner: checkedValue(form, "winner"),
    kind: checkedValue(form, "kind") || (form.querySelector('[type="hidden"][name="kind"]') ? "single" : ""),
    cube: Number(checkedValue(form, "cube") || (form.querySelector('[type="hidden"][name="cube"]') ? 1 : 0)),
    automatic: numberIn(form, "automatic_doubles") || 0,
    checkers: numberIn(form, "checkers_left"),
  });

  const lineOf = ({ winner, kind, cube, automatic, checkers }) => {
    const [win, ending] = KINDS[kind] || [1, "played"];
    const line = { what: "game", winner, win, ending, cube, checkers_left: null, automatic_doubles: automatic };
    return score.asksForCheckers(line, current.doc.rules) ? { ...line, checkers_left: checkers } : line;
  };

  /* An ordinary game, chosen before the first tap: a single game with the cube at 1. */
  const PRESELECTED = { kind: "single", cube: "1" };

  const key = (name, value, label, note, extra = {}) =>
    el(
      "label",
      { class: name === "winner" && label.length > LONG_NAME ? "key key--long" : "key" },
      el("input", { type: "radio", name, value, required: true, checked: PRESELECTED[name] === value, ...extra }),
      el("span", {}, el("bdi", {}, label), note ? el("small", {}, ` ${note}`) : ""),
    );

  const keys = (legend, kind, ...items) =>
    el("fieldset", { class: `keys ${kind}` }, el("legend", kind ? { class: "for-readers" } : {}, legend), ...items);

  const winnerKeys = () => {
    const { doc } = current;
    const sides = doc.side === "left" ? ["left", "right"] : ["right", "left"];
    const items = sides.map((side) =>
      key("winner", side, doc.names[side], side === doc.side ? words.you : "", { "data-name": doc.names[side] }),
    );
    return keys(fill(words.who, { number: current.score.games + 1 }), "", ...items);
  };

  const kindKeys = () => {
    if (score.isDoubleMatchPoint(current.score)) return el("input", { type: "hidden", name: "kind", value: "single" });
    const notes = { gammon: "×2", backgammon: "×3", drop: words.dropNote };
    const kinds = Object.keys(KINDS).filter((kind) => kind !== "drop" || usesCube());
    return keys(words.how, "keys--kind", ...kinds.map((kind) => key("kind", kind, words[kind], notes[kind])));
  };

  /* False if nobody can double, and at double match point, where the cube changes nothing. */
  const usesCube = () => current.choices.cubes.length > 1;

  const cubeKeys = () => {
    const { choices } = current;
    if (usesCube()) {
      const name = el("span", { class: "keys__name", "aria-hidden": "true" }, words.cubeShort);
      const note = el("small", { class: "keys__drop" }, words.cubeNote);
      const items = choices.cubes.map((cube) => key("cube", String(cube), String(cube), ""));
      return keys(words.cube, "keys--cube", name, ...items, note);
    }
    const isDoubleMatchPoint = score.isDoubleMatchPoint(current.score) && !choices.whyNoCube;
    const why = isDoubleMatchPoint
      ? words.noCubeDoubleMatchPoint
      : { crawford: words.noCubeCrawford, one_point_match: words.noCubeOne }[choices.whyNoCube];
    return el("p", { class: "hint" }, why || words.noCube, el("input", { type: "hidden", name: "cube", value: "1" }));
  };

  const numberField = (name, label, note, limits) => {
    const id = `card-${name}`;
    const field = el("input", { id, name, type: "number", inputmode: "numeric", ...limits });
    return el("div", { class: "field" }, el("label", { for: id }, label), field, note ? el("p", { class: "hint" }, note) : "");
  };

  const checkersField = () => {
    const field = numberField("checkers_left", words.checkers, words.checkersNote, { min: 1, max: 15 });
    field.setAttribute("data-checkers-field", "");
    return field;
  };

  const saveBar = () =>
    el(
      "div",
      { class: "savebar" },
      el("output", { class: "savebar__says" }),
      el("button", { class: "button savebar__undo", type: "submit", form: "undo", hidden: true }, words.undo),
      el("button", { class: "button button--primary savebar__save", type: "submit" }, words.save),
    );

  const buildForm = (form) => {
    const selected = form.hasAttribute("data-built-for") ? null : selection(form);
    const hadFocus = form.contains(document.activeElement);
    for (const child of [...form.children]) if (child.type !== "hidden" || child.name === "kind") child.remove();
    form.append(winnerKeys(), kindKeys(), cubeKeys());
    if (current.choices.needsCheckers) form.append(checkersField());
    const most = current.choices.automatic;
    if (most !== 0) form.append(numberField("automatic_doubles", words.automatic, "", { min: 0, max: most, value: 0 }));
    form.append(saveBar());
    for (const name of selected ? Object.keys(selected) : []) {
      const radio = form.querySelector(`[type="radio"][name="${name}"][value="${selected[name]}"]`);
      if (radio) radio.checked = true;
    }
    if (hadFocus) form.querySelector("[type=radio]").focus({ preventScroll: true });
  };

  /* Rebuilds the form only for another game, so that the player's selection is not lost. */
  const updateForm = (form) => {
    form.hidden = !current.takesRows || score.isOver(current.score);
    if (form.hidden) return;
    const { games, left, right } = current.score;
    const signature = JSON.stringify([games, left, right, current.choices, current.doc.names]);
    if (form.dataset.builtFor !== signature) {
      buildForm(form);
      form.dataset.builtFor = signature;
      markBusy(form);
    }
    updateOutcome(form);
  };

  const updateOptions = (form, game) => {
    const drop = form.querySelector('[name="kind"][value="drop"]');
    if (drop && game.winner) {
      drop.disabled = !current.choices.mayDouble.includes(game.winner);
      if (drop.disabled) drop.checked = false;
    }
    const field = form.querySelector("[data-checkers-field]");
    if (!field) return;
    field.hidden = !game.winner || !game.kind || !score.asksForCheckers(lineOf(game), current.doc.rules);
    if (field.hidden) field.querySelector("input").value = "";
  };

  const missingInput = (form, game) => {
    if (!game.winner) return savedText() || words.asksWinner;
    if (!game.kind) return words.asksKind;
    const line = lineOf(game);
    if (score.asksForCheckers(line, current.doc.rules) && line.checkers_left === null) return words.asksCheckers;
    const problem = score.problem(current.score, line, current.doc.rules);
    return problem ? sentenceOf(problem) : "";
  };

  /* The last game, if it was saved last and so can be undone. */
  const savedText = () => {
    const last = current.last && current.lines[current.lines.length - 1];
    if (!last || !last.number || last.line.key !== current.last.key) return "";
    const { winner, credited, after } = last;
    const values = { name: shortName(current.doc.names[winner]), points: credited, score: isolated(scoreText(current.doc, after)) };
    return fill(words.saved, values);
  };

  const outcome = (line) => {
    const { winner, credited: points, after } = score.play(current.score, line, current.doc.rules);
    const sentence = score.isOver(after) ? words.saysEnd : plural(words.says, points);
    const values = { name: shortName(current.doc.names[winner]), points, score: isolated(scoreText(current.doc, after)) };
    return fill(sentence, values);
  };

  const saveButton = (form) => form.querySelector('[type="submit"]:not([form])');

  const showOutcome = (form, hint, sentence) => {
    const says = form.querySelector("output");
    says.hidden = false;
    says.textContent = hint || sentence();
    says.classList.toggle("quiet", Boolean(hint));
    saveButton(form).setAttribute("aria-disabled", String(Boolean(hint)));
  };

  const updateOutcome = (form) => {
    updateOptions(form, selection(form));
    const game = selection(form);
    showOutcome(form, missingInput(form, game), () => outcome(lineOf(game)));
  };

  /* The final score, for tournaments that accept it */

  const finalOf = (form) => ({ what: "final", left: numberIn(form, "left"), right: numberIn(form, "right") });

  const updateFinalForm = (form) => {
    const box = form.closest("details");
    box.hidden = !current.takesRows || score.isOver(current.score);
    saveButton(form).textContent = words.report;
    const { left, right } = finalOf(form);
    const isComplete = left !== null && right !== null;
    const problem = isComplete ? score.finalProblem(left, right, current.doc.length) : null;
    const hint = problem ? sentenceOf(problem) : isComplete ? "" : words.asksFinal;
    showOutcome(form, hint, () => {
      const name = isolated(current.doc.names[left > right ? "left" : "right"]);
      return fill(words.saysEnd, { name, score: isolated(scoreText(current.doc, { left, right })) });
    });
    const { classList } = form.querySelector("output");
    classList.toggle("quiet", Boolean(hint) && !problem);
    classList.toggle("error", Boolean(problem));
  };

  /* The end of a session by time */

  const updateStopForm = (form) => {
    const { doc, score: at } = current;
    const box = form.closest("details");
    box.hidden = !current.takesRows || score.isOver(at) || Boolean(current.stop);
    if (box.hidden) box.open = false;
    const name = isolated(doc.names[at.left > at.right ? "left" : "right"]);
    const ends = () => fill(words.saysEnd, { name, score: isolated(scoreText(doc, at)) });
    showOutcome(form, "", () => (at.left === at.right ? words.stopLevel : ends()));
  };

  const showUndo = (form) => {
    form.hidden = !current.takesRows || !current.last;
    const text = { final: words.undoFinal, stop: words.undoStop }[current.last && current.last.what] || words.undoGame;
    saveButton(form).textContent = text;
    for (const button of live.querySelectorAll('.savebar [form="undo"]')) {
      button.hidden = form.hidden;
      button.setAttribute("aria-label", text);
    }
  };

  const showOver = () => {
    const entry = partOf("entry");
    const old = entry.querySelector("[data-over]");
    if (old) old.remove();
    if (!score.isOver(current.score) || !current.unsent.length || current.isBlocked) return;
    const side = score.winner(current.score);
    const sentence = side === current.doc.side ? words.overMine : words.overTheirs;
    const values = { name: isolated(current.doc.names[side]), score: isolated(scoreText(current.doc, current.score)) };
    entry.prepend(el("p", { class: "message message--info", "data-over": true, role: "status" }, fill(sentence, values)));
  };

  const render = (state) => {
    current = cardState(state);
    patchPart("board", patchBoard);
    patchPart("games", patchGames);
    live.querySelectorAll("form.card").forEach(updateForm);
    live.querySelectorAll("form[data-final]").forEach(updateFinalForm);
    live.querySelectorAll("form[data-stop]").forEach(updateStopForm);
    if (state) live.querySelectorAll("form[data-undo]").forEach(showUndo);
    for (const line of live.querySelectorAll("[data-looks-on]")) line.hidden = current.unsent.length > 0;
    showOver();
    const details = partOf("entry").querySelector("details:not(.final)");
    if (details && current.unsent.length) details.open = true;
    document.dispatchEvent(new CustomEvent("card:shown", { detail: state }));
  };

  const refresh = async () => {
    lastState = (await states()).find(({ card }) => card.id === pageCardId) || null;
    render(lastState);
    if (current.isAhead && !current.unsent.length) document.dispatchEvent(new CustomEvent("live:ask"));
  };

  /* Taps */

  const markBusy = (form) => {
    const part = form.closest("[data-part]");
    const isTouched = [...part.querySelectorAll("input, textarea")].some((field) =>
      field.type === "radio" ? field.checked !== field.defaultChecked : field.type !== "hidden" && field.value !== field.defaultValue,
    );
    part.toggleAttribute("data-busy", isTouched);
  };

  const afterWriting = (form) => {
    showMessage("");
    for (const messages of document.querySelectorAll(".messages")) messages.remove();
    form.reset();
    markBusy(form);
    self.cardQueue.publishChange();
    scrollTo({ top: 0 });
    return sendWaiting();
  };

  /* Without a store the form is posted to the server. Checks the network first, to avoid the browser's error page. */
  const submitDirectly = async (form) => {
    const isReached = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
    if (!isReached) {
      showMessage(words.needsNetwork);
      return;
    }
    form.append(el("input", { type: "hidden", name: "step", value: "save" }));
    form.submit();
  };

  const ACTIONS = {
    "form.card": (form) => add(pageCardId, current.tail, lineOf(selection(form))),
    "form[data-final]": (form) => add(pageCardId, current.tail, finalOf(form)),
    "form[data-stop]": () => add(pageCardId, current.tail, { what: "stop" }),
    "form[data-undo]": () => undo(pageCardId, current.tail),
  };

  let isWriting = false;
  const write = async (form, work) => {
    if (isWriting) return;
    isWriting = true;
    const hasStore = await withTimeout(storing).catch(() => false);
    const outcome = hasStore ? await work(form).catch(() => "not stored") : "not stored";
    isWriting = false;
    if (outcome === "not stored") await submitDirectly(form);
    else if (outcome) await afterWriting(form);
    else showMessage(words.changed);
  };

  const isCutOff = () =>
    document.documentElement.classList.contains("is-cut-off") || self.outbox.phase() === "waiting" || !navigator.onLine;

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    if (!form || !form.closest("[data-part]")) return;
    markBusy(form);
    if (form.matches(".card")) updateOutcome(form);
    if (form.matches("[data-final]")) updateFinalForm(form);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.querySelector('[type="submit"][aria-disabled="true"]')) {
      event.preventDefault();
      form.querySelector("output").scrollIntoView({ block: "nearest" });
      return;
    }
    const name = Object.keys(ACTIONS).find((kind) => form.matches(kind));
    if (name) {
      event.preventDefault();
      write(form, ACTIONS[name]);
    } else if (form.dataset.sent) event.preventDefault();
    else if (form.method === "post" && isCutOff()) {
      event.preventDefault();
      showMessage(words.needsNetwork);
    } else form.dataset.sent = "yes";
  });

  /* Over HTTP there is no worker: a page that is left without the network cannot be opened again. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.hash || navigator.serviceWorker || !isCutOff()) return;
    event.preventDefault();
    showMessage(words.stay);
  });

  /* Shows the last known waiting rows at once, so that no row disappears for a moment, then reads the store. */
  const afterSwap = () => {
    const doc = cardOnPage();
    const isOld = lastState && lastState.card.doc.version > doc.version;
    render(lastState && { ...lastState, card: isOld ? lastState.card : { ...lastState.card, doc } });
    storing.then((hasStore) => hasStore && saveFromPage(doc).then(refresh).then(() => self.outbox.show()));
  };

  addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
  addEventListener("online", () => {
    const shown = document.getElementById("card-says").textContent;
    if (shown === words.needsNetwork || shown === words.stay) showMessage("");
  });
  document.addEventListener("live:swapped", afterSwap);
  document.addEventListener("outbox:shown", () => refresh());

  const storePage = async () => {
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    const isOld = await saveFromPage(cardOnPage(), token ? { token: token.value } : {});
    if (isOld) {
      const stored = (await states()).find(({ card }) => card.id === pageCardId);
      self.cardQueue.refreshCard(stored.card).then(self.cardQueue.publishChange);
    }
    return true;
  };

  render(null);
  /* If the store has no room for the card, its games are posted one by one. */
  const storing = ready.then((hasStore) => hasStore && storePage().catch(showNoStore));
  storing.then(async (hasStore) => {
    if (!hasStore) return;
    document.querySelectorAll(".cut-off").forEach((line) => (line.textContent = words.cutOff));
    await refresh();
    self.outbox.show();
  });
})();
