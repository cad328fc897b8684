/* The score card under the thumb. Says what a game brings before it is saved; keeps it on the phone at once; shows score,
   Crawford state and the keys of the next game without waiting for anybody. The server works everything out again.

   Works on the part of the page that live.js keeps fresh: what the server wrote there is patched only while the phone
   knows more. Without IndexedDB the same forms go to the server one by one; without script they are looked at first. */
"use strict";

(() => {
  const live = document.getElementById("live");
  if (!live || !document.getElementById("card-words")) return;

  const score = self.cardScore;
  const { add, states, undo, view } = self.cardStore;
  const { el, fill, gameItems, go, here, isSplit, keep, keepsNothing, ready, scoreSeen } = self.kept;
  const words = { ...self.kept.words, ...document.getElementById("card-words").dataset };
  const problems = JSON.parse(words.problems);
  const KINDS = { single: [1, "played"], gammon: [2, "played"], backgammon: [3, "played"], drop: [1, "dropped"] };
  const pristine = new Map();
  let now = null;
  let last = null;

  const partOf = (name) => live.querySelector(`[data-part="${name}"]`);
  const told = () => JSON.parse(partOf("kept").dataset.card);
  const clear = (node) => {
    while (node.firstChild) node.firstChild.remove();
  };
  const sentenceOf = ({ code, params }) => fill(problems[code] || code, params);
  const isolated = (text) => `\u2068${text}\u2069`;

  /* What stands on the card now, told by the server and written here */

  const read = (state) => {
    const seen = state ? view(state) : { lines: told().rows, unsent: [], tail: told().tail, isSplit: false, last: null };
    const doc = state ? state.card.doc : told();
    const worked = score.standing(seen.lines, doc.length, doc.rules, doc.games);
    const isBlocked = Boolean(state) && state.waiting.length > 0 && (isSplit(state) || Boolean(state.card.trouble));
    const takes = doc.is_open && !isBlocked;
    const isAhead = Boolean(state) && (seen.unsent.length > 0 || doc.version !== told().version);
    return { ...seen, ...worked, doc, takes, isAhead, isBlocked, choices: score.choices(worked.score, doc.rules) };
  };

  const say = (sentence) => {
    const line = document.getElementById("card-says");
    line.textContent = sentence;
    line.hidden = !sentence;
    if (sentence) line.scrollIntoView({ block: "nearest" });
  };

  /* The parts that the server wrote, patched */

  const patched = (name, work) => {
    const part = partOf(name);
    if (!part) return;
    if (!part.hasAttribute("data-patched")) pristine.set(name, part.cloneNode(true));
    else {
      clear(part);
      part.append(...pristine.get(name).cloneNode(true).childNodes);
    }
    const isWanted = now.isAhead && now.unsent.length + now.lines.length + told().rows.length > 0;
    part.toggleAttribute("data-patched", isWanted);
    if (isWanted) work(part);
  };

  const badge = () => {
    if (score.isOver(now.score)) return "";
    if (score.isDoubleMatchPoint(now.score)) return el("span", { class: "badge badge--crawford" }, words.doubleMatchPoint);
    if (now.choices.isCrawford) return el("span", { class: "badge badge--crawford" }, words.crawford);
    if (now.doc.length === null) return el("span", { class: "badge badge--open" }, sessionState(now.score));
    return score.isPostCrawford(now.score) ? el("span", { class: "badge badge--open" }, words.postCrawford) : "";
  };

  const sessionState = ({ games, agreed }) => {
    if (agreed === null) return fill(words.session, { number: games + 1 });
    if (games < agreed) return fill(words.sessionOf, { number: games + 1, games: agreed });
    return fill(words.sessionLevel, { number: games });
  };

  const patchBoard = (part) => {
    const mine = now.doc.side;
    const theirs = mine === "left" ? "right" : "left";
    const points = [...part.querySelectorAll(".side__points")];
    points[0].textContent = now.score[mine];
    points[1].textContent = now.score[theirs];
    const state = part.querySelector("[data-card-state]");
    clear(state);
    state.append(badge());
  };

  const patchGames = (part) => {
    const before = new Map([...part.querySelectorAll("li[data-key]")].map((item) => [item.dataset.key, item]));
    const mark = self.kept.phase() === "sending" ? words.sendingMark : words.keptMark;
    const pointsOf = (item) => (item.querySelector(".num") || item).textContent;
    const items = gameItems(now.doc, now, mark).map((fresh) => {
      const known = before.get(fresh.dataset.key);
      return known && pointsOf(known) === pointsOf(fresh) ? known : fresh;
    });
    clear(part);
    if (!items.length) return;
    const list = el("ol", { class: "games", role: "list" }, ...items);
    part.append(el("section", { class: "stack stack--tight" }, el("h2", {}, words.theCard), list));
  };

  /* The form of the next game */

  const checked = (form, name) => {
    const key = form.querySelector(`[name="${name}"]:checked`);
    return key ? key.value : "";
  };
  const numberIn = (form, name) => {
    const field = form.querySelector(`[name="${name}"]`);
    return field && field.value !== "" ? Number(field.value) : null;
  };

  const tapped = (form) => ({
    winner: checked(form, "winner"),
    kind: checked(form, "kind"),
    cube: Number(checked(form, "cube") || (form.querySelector('[type="hidden"][name="cube"]') ? 1 : 0)),
    automatic: numberIn(form, "automatic_doubles") || 0,
    checkers: numberIn(form, "checkers_left"),
  });

  const lineOf = ({ winner, kind, cube, automatic, checkers }) => {
    const [win, ending] = KINDS[kind] || [1, "played"];
    const line = { what: "game", winner, win, ending, cube, checkers_left: null, automatic_doubles: automatic };
    return score.asksForCheckers(line, now.doc.rules) ? { ...line, checkers_left: checkers } : line;
  };

  const key = (name, value, label, note, extra = {}) =>
    el(
      "label",
      { class: "key" },
      el("input", { type: "radio", name, value, required: true, ...extra }),
      el("span", {}, el("bdi", {}, label), note ? el("small", {}, ` ${note}`) : ""),
    );

  const keys = (legend, note, kind, ...made) =>
    el(
      "fieldset",
      { class: `keys ${kind}` },
      el("legend", {}, legend, note ? el("small", {}, ` ${note}`) : ""),
      ...made,
    );

  const winnerKeys = () => {
    const { doc } = now;
    const sides = doc.side === "left" ? ["left", "right"] : ["right", "left"];
    const made = sides.map((side) =>
      key("winner", side, doc.names[side], side === doc.side ? words.you : "", { "data-name": doc.names[side] }),
    );
    return keys(fill(words.who, { number: now.score.games + 1 }), "", "", ...made);
  };

  const kindKeys = () => {
    const notes = { gammon: "×2", backgammon: "×3", drop: words.dropNote };
    const kinds = Object.keys(KINDS).filter((kind) => kind !== "drop" || now.choices.mayDouble.length);
    return keys(words.how, "", "", ...kinds.map((kind) => key("kind", kind, words[kind], notes[kind])));
  };

  const cubeKeys = () => {
    const { choices } = now;
    if (choices.mayDouble.length) {
      const made = choices.cubes.map((cube) => key("cube", String(cube), String(cube), ""));
      return keys(words.cube, words.cubeNote, "keys--many", ...made);
    }
    const why = { crawford: words.noCubeCrawford, one_point_match: words.noCubeOne }[choices.whyNoCube];
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
      el("button", { class: "button button--primary button--wide", type: "submit" }, words.save),
    );

  const build = (form) => {
    const down = form.hasAttribute("data-dressed") ? null : tapped(form);
    const hadFocus = form.contains(document.activeElement);
    for (const child of [...form.children]) if (child.type !== "hidden") child.remove();
    form.append(winnerKeys(), kindKeys(), cubeKeys());
    if (now.choices.needsCheckers) form.append(checkersField());
    const most = now.choices.automatic;
    if (most !== 0) form.append(numberField("automatic_doubles", words.automatic, "", { min: 0, max: most, value: 0 }));
    form.append(saveBar());
    for (const name of down ? ["winner", "kind", "cube"] : []) {
      const again = form.querySelector(`[type="radio"][name="${name}"][value="${down[name]}"]`);
      if (again) again.checked = true;
    }
    if (hadFocus) form.querySelector("[type=radio]").focus({ preventScroll: true });
  };

  /* Built anew only when it is about another game: what was tapped stays down meanwhile. */
  const dress = (form) => {
    form.hidden = !now.takes || score.isOver(now.score);
    if (form.hidden) return;
    const { games, left, right } = now.score;
    const about = JSON.stringify([games, left, right, now.choices, now.doc.names]);
    if (form.dataset.dressed !== about) {
      build(form);
      form.dataset.dressed = about;
      markBusy(form);
    }
    tell(form);
  };

  const offer = (form, game) => {
    const drop = form.querySelector('[name="kind"][value="drop"]');
    if (drop && game.winner) {
      drop.disabled = !now.choices.mayDouble.includes(game.winner);
      if (drop.disabled) drop.checked = false;
    }
    const field = form.querySelector("[data-checkers-field]");
    if (!field) return;
    field.hidden = !game.winner || !game.kind || !score.asksForCheckers(lineOf(game), now.doc.rules);
    if (field.hidden) field.querySelector("input").value = "";
  };

  const missing = (form, game) => {
    if (!game.winner) return words.asksWinner;
    if (!game.kind) return words.asksKind;
    if (!game.cube) return words.asksCube;
    const line = lineOf(game);
    if (score.asksForCheckers(line, now.doc.rules) && line.checkers_left === null) return words.asksCheckers;
    const wrong = score.problem(now.score, line, now.doc.rules);
    return wrong ? sentenceOf(wrong) : "";
  };

  const outcome = (line) => {
    const { winner, credited: points, after } = score.play(now.score, line, now.doc.rules);
    const sentence = score.isOver(after) ? words.saysEnd : points === 1 ? words.saysOne : words.says;
    const values = { name: isolated(now.doc.names[winner]), points, score: isolated(scoreSeen(now.doc, after)) };
    return fill(sentence, values);
  };

  const saying = (form, wanted, sentence) => {
    const says = form.querySelector("output");
    says.hidden = false;
    says.textContent = wanted || sentence();
    says.classList.toggle("quiet", Boolean(wanted));
    form.querySelector("[type=submit]").setAttribute("aria-disabled", String(Boolean(wanted)));
  };

  const tell = (form) => {
    offer(form, tapped(form));
    const game = tapped(form);
    saying(form, missing(form, game), () => outcome(lineOf(game)));
  };

  /* The final score, for tournaments that take it */

  const finalOf = (form) => ({ what: "final", left: numberIn(form, "left"), right: numberIn(form, "right") });

  const tellFinal = (form) => {
    const box = form.closest("details");
    box.hidden = !now.takes || score.isOver(now.score);
    form.querySelector("[type=submit]").textContent = words.report;
    const { left, right } = finalOf(form);
    const isWhole = left !== null && right !== null;
    const wrong = isWhole ? score.finalProblem(left, right, now.doc.length) : null;
    const wanted = wrong ? sentenceOf(wrong) : isWhole ? "" : words.asksFinal;
    saying(form, wanted, () => {
      const name = isolated(now.doc.names[left > right ? "left" : "right"]);
      return fill(words.saysEnd, { name, score: isolated(scoreSeen(now.doc, { left, right })) });
    });
  };

  /* The end of a session by time */

  const tellStop = (form) => {
    const { doc, score: at } = now;
    const box = form.closest("details");
    box.hidden = !now.takes || score.isOver(at) || Boolean(now.stop);
    if (box.hidden) box.open = false;
    const name = isolated(doc.names[at.left > at.right ? "left" : "right"]);
    const ends = () => fill(words.saysEnd, { name, score: isolated(scoreSeen(doc, at)) });
    saying(form, "", () => (at.left === at.right ? words.stopLevel : ends()));
  };

  const showUndo = (form) => {
    form.hidden = !now.takes || !now.last;
    const said = { final: words.undoFinal, stop: words.undoStop }[now.last && now.last.what];
    form.querySelector("[type=submit]").textContent = said || words.undoGame;
  };

  const showOver = () => {
    const entry = partOf("entry");
    const old = entry.querySelector("[data-over]");
    if (old) old.remove();
    if (!score.isOver(now.score) || !now.unsent.length || now.isBlocked) return;
    const side = score.winner(now.score);
    const sentence = side === now.doc.side ? words.overMine : words.overTheirs;
    const values = { name: isolated(now.doc.names[side]), score: isolated(scoreSeen(now.doc, now.score)) };
    entry.prepend(el("p", { class: "message message--info", "data-over": true, role: "status" }, fill(sentence, values)));
  };

  const render = (state) => {
    now = read(state);
    patched("board", patchBoard);
    patched("games", patchGames);
    live.querySelectorAll("form.card").forEach(dress);
    live.querySelectorAll("form[data-final]").forEach(tellFinal);
    live.querySelectorAll("form[data-stop]").forEach(tellStop);
    if (state) live.querySelectorAll("form[data-undo]").forEach(showUndo);
    showOver();
    const details = partOf("entry").querySelector("details:not(.final)");
    if (details && now.unsent.length) details.open = true;
    document.dispatchEvent(new CustomEvent("card:shown", { detail: state }));
  };

  const refresh = async () => {
    last = (await states()).find(({ card }) => card.id === here) || null;
    render(last);
    if (now.isAhead && !now.unsent.length) document.dispatchEvent(new CustomEvent("live:ask"));
  };

  /* Taps */

  const markBusy = (form) => {
    const part = form.closest("[data-part]");
    const isTouched = [...part.querySelectorAll("input, textarea")].some((field) =>
      field.type === "radio" ? field.checked : field.type !== "hidden" && field.value !== field.defaultValue,
    );
    part.toggleAttribute("data-busy", isTouched);
  };

  const written = (form) => {
    say("");
    form.reset();
    markBusy(form);
    self.cardQueue.tell();
    scrollTo({ top: 0 });
    return go();
  };

  /* Where nothing is kept, a form that leaves without the network ends on the browser's error page. */
  const natively = async (form) => {
    const isReached = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
    if (!isReached) {
      say(words.needsNetwork);
      return;
    }
    form.append(el("input", { type: "hidden", name: "step", value: "save" }));
    form.submit();
  };

  const WORK = {
    "form.card": (form) => add(here, now.tail, lineOf(tapped(form))),
    "form[data-final]": (form) => add(here, now.tail, finalOf(form)),
    "form[data-stop]": () => add(here, now.tail, { what: "stop" }),
    "form[data-undo]": () => undo(here, now.tail),
  };

  let isWriting = false;
  const write = async (form, work) => {
    if (isWriting) return;
    isWriting = true;
    const outcome = (await keeps) ? await work(form).catch(() => "not kept") : "not kept";
    isWriting = false;
    if (outcome === "not kept") await natively(form);
    else if (outcome) await written(form);
    else say(words.changed);
  };

  const isCutOff = () =>
    document.documentElement.classList.contains("is-cut-off") || self.kept.phase() === "waiting" || !navigator.onLine;

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    if (!form || !form.closest("[data-part]")) return;
    markBusy(form);
    if (form.matches(".card")) tell(form);
    if (form.matches("[data-final]")) tellFinal(form);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.querySelector('[type="submit"][aria-disabled="true"]')) {
      event.preventDefault();
      form.querySelector("output").scrollIntoView({ block: "nearest" });
      return;
    }
    const name = Object.keys(WORK).find((kind) => form.matches(kind));
    if (name) {
      event.preventDefault();
      write(form, WORK[name]);
    } else if (form.dataset.sent) event.preventDefault();
    else if (form.method === "post" && isCutOff()) {
      event.preventDefault();
      say(words.needsNetwork);
    } else form.dataset.sent = "yes";
  });

  /* At a plain address a page that is left without the network cannot be opened again. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.hash || navigator.serviceWorker || !isCutOff()) return;
    event.preventDefault();
    say(words.stay);
  });

  /* The page never shows less than it did: what waits is put back at once, then looked up. */
  const heard = () => {
    const doc = told();
    const isOld = last && last.card.doc.version > doc.version;
    render(last && { ...last, card: isOld ? last.card : { ...last.card, doc } });
    keeps.then((is) => is && keep(doc).then(refresh).then(() => self.kept.show()));
  };

  addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
  document.addEventListener("live:swapped", heard);
  document.addEventListener("kept:shown", () => refresh());

  const keepFirst = async () => {
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    const isOld = await keep(told(), token ? { token: token.value } : {});
    if (isOld) self.cardQueue.look({ doc: told() }).then(self.cardQueue.tell);
    return true;
  };

  render(null);
  /* Where there is no room even for the card as it is told, its games go to the server one by one. */
  const keeps = ready.then((is) => is && keepFirst().catch(keepsNothing));
  keeps.then(async (is) => {
    if (!is) return;
    document.querySelectorAll(".cut-off").forEach((line) => (line.textContent = words.cutOff));
    await refresh();
    self.kept.show();
  });
})();
