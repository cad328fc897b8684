/* Moves items onto targets by mouse, touch and keyboard.

   <… data-drag="VALUE" data-drag-name="WORDS">          an item; the mouse drags it anywhere, a finger at its handle
     <button type="button" class="handle" data-handle>    Enter, Space or a tap picks the item up
   <… data-drop="VALUE" data-drop-name="WORDS" data-drop-key="TYPED">   a target; several can have the same value
   <p class="drag-words" id="drag-words" role="status" data-picked="…{name}…" data-tapped="…{name}…" data-over="…{place}…" data-missing="…" data-cancelled="…">

   A picked up item: arrows, Home, End or the typed key choose a target, Enter or a click puts the item there, Escape
   cancels. While an item is carried, its [data-part] is busy, so that live.js does not replace it.

   self.dragAndDrop({
     root: element with the items and targets; live.js may replace what is in it
     acceptsFor: function(item), returns (a promise of) a function(target): true if the item can be put there
     drop: function(item, target)
   }) */
"use strict";

self.dragAndDrop = ({ root, acceptsFor, drop }) => {
  const START_DISTANCE = 6;
  const EDGE = 64;
  const SCROLL_STEP = 12;
  const TYPING_PAUSE = 1000;
  const STEPS = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };

  let press = null;
  let carried = null;

  const wordsBox = () => document.getElementById("drag-words");
  const say = (sentence, values = {}) => {
    const words = wordsBox();
    const text = words.dataset[sentence] || "";
    words.textContent = text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };

  /* Targets */

  const isVisible = (element) => element.getClientRects().length > 0;
  const allTargets = () => [...root.querySelectorAll("[data-drop]")];
  const acceptedTargets = () => allTargets().filter((target) => isVisible(target) && carried.accepts(target));
  const choices = () => {
    const values = new Set();
    return acceptedTargets().filter(({ dataset }) => !values.has(dataset.drop) && values.add(dataset.drop));
  };

  const mark = () => {
    const accepted = new Set(carried ? acceptedTargets() : []);
    for (const target of allTargets()) {
      target.classList.toggle("is-target", accepted.has(target));
      target.classList.toggle("is-over", accepted.has(target) && target.dataset.drop === carried.over);
    }
  };

  const moveOver = (target) => {
    const value = target ? target.dataset.drop : null;
    if (carried.over === value) return;
    carried.over = value;
    mark();
    if (!target || carried.ghost) return;
    target.scrollIntoView({ block: "nearest" });
    say("over", { name: carried.name, place: target.dataset.dropName });
  };

  /* Picking up and putting down */

  const pickUp = async (item, { ghost = null, sentence = "" } = {}) => {
    const own = { item, ghost, name: item.dataset.dragName, over: null, typed: "", accepts: () => false };
    carried = own;
    item.classList.add("is-carried");
    item.closest("[data-part]")?.setAttribute("data-busy", "");
    root.classList.add(ghost ? "is-dragging" : "is-carrying");
    if (!ghost) say(sentence, { name: own.name });
    try {
      own.accepts = await acceptsFor(item);
    } catch {
      if (carried === own) cancel();
    }
    if (carried === own) mark();
  };

  const putDown = () => {
    const { item, ghost } = carried;
    carried = null;
    ghost?.remove();
    item.classList.remove("is-carried");
    item.closest("[data-part]")?.removeAttribute("data-busy");
    root.classList.remove("is-dragging", "is-carrying");
    mark();
    document.dispatchEvent(new CustomEvent("live:ask"));
  };

  const cancel = () => {
    putDown();
    say("cancelled");
  };

  const putOn = (target) => {
    const { item } = carried;
    putDown();
    wordsBox().textContent = "";
    drop(item, target);
  };

  /* Mouse and touch */

  const newGhost = (name) => {
    const ghost = document.createElement("div");
    ghost.className = "drag-ghost";
    ghost.textContent = name;
    ghost.dir = "auto";
    ghost.setAttribute("aria-hidden", "true");
    document.body.append(ghost);
    return ghost;
  };

  const follow = ({ clientX, clientY }) => {
    press.y = clientY;
    carried.ghost.style.transform = `translate(${clientX}px, ${clientY}px)`;
    const target = document.elementFromPoint(clientX, clientY)?.closest("[data-drop]");
    moveOver(target && carried.accepts(target) ? target : null);
  };

  const scrollAtEdges = () => {
    if (!carried?.ghost || !press) return;
    if (carried.over === null && press.y < EDGE) scrollBy(0, -SCROLL_STEP);
    if (carried.over === null && press.y > innerHeight - EDGE) scrollBy(0, SCROLL_STEP);
    requestAnimationFrame(scrollAtEdges);
  };

  const ignoreNextClick = () => {
    const ignore = (event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("click", ignore, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", ignore, { capture: true }));
  };

  root.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("[data-drag]");
    const handle = event.target.closest("[data-handle]");
    if (!item || carried || event.button || !event.isPrimary) return;
    if (!handle && event.pointerType !== "mouse") return;
    const control = event.target.closest("button, input, select, summary");
    if (control && control !== handle) return;
    press = { item, x: event.clientX, y: event.clientY };
  });

  document.addEventListener("pointermove", (event) => {
    if (!press || !event.isPrimary) return;
    const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!carried && distance > START_DISTANCE) {
      pickUp(press.item, { ghost: newGhost(press.item.dataset.dragName) });
      requestAnimationFrame(scrollAtEdges);
    }
    if (carried?.ghost) follow(event);
  });

  document.addEventListener("pointerup", () => {
    if (carried?.ghost) {
      ignoreNextClick();
      const target = acceptedTargets().find((choice) => choice.dataset.drop === carried.over);
      if (target) putOn(target);
      else cancel();
    }
    press = null;
  });
  document.addEventListener("pointercancel", () => {
    press = null;
    if (carried?.ghost) cancel();
  });
  for (const name of ["selectstart", "dragstart"]) {
    root.addEventListener(name, (event) => {
      if (press) event.preventDefault();
    });
  }

  /* Keyboard, and one tap after the other */

  const step = (count) => {
    const targets = choices();
    if (!targets.length) return;
    const now = targets.findIndex((target) => target.dataset.drop === carried.over);
    const next = now < 0 ? (count > 0 ? 0 : -1) : now + count;
    moveOver(targets.at(next % targets.length));
  };

  let typingTimer = 0;
  const type = (character) => {
    clearTimeout(typingTimer);
    const own = carried;
    own.typed += character.toLowerCase();
    typingTimer = setTimeout(() => (own.typed = ""), TYPING_PAUSE);
    const keyOf = (target) => (target.dataset.dropKey || "").toLowerCase();
    const target =
      choices().find((choice) => keyOf(choice) === own.typed) ||
      choices().find((choice) => keyOf(choice).startsWith(own.typed));
    moveOver(target || null);
    if (!target) say("missing", { typed: own.typed });
  };

  const useKey = (key) => {
    const isRightToLeft = getComputedStyle(root).direction === "rtl";
    const isSideways = key === "ArrowLeft" || key === "ArrowRight";
    if (key in STEPS) step(isSideways && isRightToLeft ? -STEPS[key] : STEPS[key]);
    else if (key === "Home" || key === "End") moveOver(choices().at(key === "Home" ? 0 : -1));
    else if (key === "Enter" || key === " ") {
      const target = choices().find((choice) => choice.dataset.drop === carried.over);
      if (target) putOn(target);
      else say("picked", { name: carried.name });
    } else if (key.length === 1) type(key);
    else return false;
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (!carried || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" || event.key === "Tab") {
      press = null;
      cancel();
    }
    if (event.key === "Escape" || (carried && !carried.ghost && useKey(event.key))) event.preventDefault();
    /* The space bar clicks a button when it is released. */
    if (event.key === " ") document.addEventListener("keyup", (release) => release.preventDefault(), { once: true });
  });

  document.addEventListener("click", (event) => {
    const handle = event.target.closest("[data-handle]");
    if (!carried) {
      const sentence = event.detail ? "tapped" : "picked";
      if (handle && root.contains(handle)) pickUp(handle.closest("[data-drag]"), { sentence });
      return;
    }
    const target = event.target.closest("[data-drop]");
    if (target && root.contains(target) && carried.accepts(target)) {
      event.preventDefault();
      putOn(target);
    } else cancel();
  });

  document.addEventListener("live:swapped", () => carried && mark());
  root.classList.add("can-drag");
};
