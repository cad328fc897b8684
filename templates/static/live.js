/* Replaces the parts of a page that changed. Markup:

   <div data-live="FRAGMENT ADDRESS" data-brackets="ID,ID" data-etag="…" data-rest="minimum SECONDS between two fetches"
        data-poll="SECONDS between two fetches without a live stream">
     <… data-part="listens" data-listens="ID,ID"></…>   in the fragment too, if brackets may be added later
     <… data-part="NAME" data-stamp="…">…</…>   replaced only if it (or its stamp, if it has one) differs
     <p data-notice role="status" hidden>…</p>   shown while a changed part is busy. With it, fields that were changed
                                                 and details that were opened make their part busy
     <li data-line id="…">   in a part: the first one in view keeps its place on the screen
   </div>
   <… data-part="NAME" data-outside>…</…>   a part of the page outside the box, if the fragment is the page itself

   If the fragment is the page itself, only its [data-live] of the same address is used. A part with an unsent form
   (data-busy, or in it) is not replaced until the form is sent. While a finger is down nothing is replaced, or its tap
   would be lost. Dispatches "live:swapping" before and "live:swapped" after showing an answer (detail: `page`, the fetched document, and `hasChanged`,
   true if a part was replaced); fetches at once on "live:ask". updates.js decides when to fetch. A page with several
   [data-live] has a live stream for each. */
"use strict";

const keepLive = (box) => {
  const HIGHLIGHT_TIME = 4000;
  const LONGEST_PRESS = 2000;
  const READING_TIME = 8000;
  const UNDO_TIME = 120000;

  const isWholePage = box.dataset.live === location.pathname;
  const outsideParts = (page) => (isWholePage ? [...page.querySelectorAll("[data-part][data-outside]")] : []);
  const partsByName = (root) =>
    new Map(
      [...root.querySelectorAll("[data-part]"), ...outsideParts(root.ownerDocument)].map((part) => [part.dataset.part, part]),
    );

  /* Each answer has a new token and a new key in its forms. */
  const contentOf = (part) => {
    const copy = part.cloneNode(true);
    for (const field of copy.querySelectorAll("input[name=csrfmiddlewaretoken], input[name=key]")) field.remove();
    return copy.outerHTML;
  };

  /* The server's latest version of each part. Scripts may have changed the part in the page since. */
  const stampOf = (part) => part.dataset.stamp || contentOf(part);
  const stampsOf = (parts) => new Map([...parts].map(([name, part]) => [name, stampOf(part)]));
  let serverStamps = stampsOf(partsByName(box));

  const haveSameNames = (shown, fresh) =>
    shown.size === fresh.size && [...fresh.keys()].every((name) => shown.has(name));

  /* The message of the last action. A change makes it old, once it was there long enough to be read. data-at: since
     when it is there, if a script put it there. A pointer on it or a focus in it keeps it. */
  let oldMessages = null;
  const removeLater = (messages, time) => {
    setTimeout(() => (messages.matches(":hover, :focus-within") ? removeLater(messages, READING_TIME) : messages.remove()), time);
  };
  const removeMessages = () => {
    const messages = document.querySelector(".messages");
    if (!messages || messages === oldMessages) return;
    oldMessages = messages;
    const age = performance.now() - Number(messages.dataset.at || 0);
    const time = messages.querySelector("form") ? UNDO_TIME : READING_TIME;
    removeLater(messages, Math.max(0, time - age));
  };

  const highlight = (part) => {
    part.classList.add("is-changed");
    setTimeout(() => part.classList.remove("is-changed"), HIGHLIGHT_TIME);
  };

  const KEYS = ["name", "value", "formAction", "textContent"];
  const isSame = (element, focused) =>
    focused.href
      ? element.href === focused.href
      : KEYS.every((key) => element[key] === focused[key]) && element.form?.action === focused.form?.action;
  const focusOn = (focused, fresh) => {
    const element = focused.id
      ? document.getElementById(focused.id)
      : [...fresh.querySelectorAll(focused.localName)].find((candidate) => isSame(candidate, focused));
    if (element) element.focus({ preventScroll: true });
  };

  const topOf = (element) => element.getBoundingClientRect().top;

  /* Keeps the focus, and the place of the line that is being read. */
  const replace = (shown, change) => {
    const focused = shown.contains(document.activeElement) ? document.activeElement : null;
    const line = [...shown.querySelectorAll("[data-line]")].find((element) => topOf(element) >= 0);
    const top = line && topOf(line.parentElement) < 0 ? topOf(line) : null;
    const fresh = change();
    const same = top !== null && document.getElementById(line.id);
    if (same) window.scrollBy(0, topOf(same) - top);
    if (focused) focusOn(focused, fresh);
  };

  const replacePart = (shown, fresh) => {
    replace(shown, () => {
      shown.replaceWith(fresh);
      return fresh;
    });
  };

  const isBusy = (part) => part.matches("[data-busy]") || part.querySelector("[data-busy]");

  const replaceAll = (next) => {
    if (isBusy(box)) return { isComplete: false, hasChanged: false };
    const { scrollX, scrollY } = window;
    removeMessages();
    const freshParts = partsByName(next);
    for (const part of outsideParts(document)) {
      const fresh = freshParts.get(part.dataset.part);
      if (fresh && serverStamps.get(part.dataset.part) !== stampOf(fresh)) replacePart(part, fresh);
    }
    replace(box, () => {
      box.replaceChildren(...next.childNodes);
      window.scrollTo(scrollX, scrollY);
      return box;
    });
    serverStamps = stampsOf(partsByName(box));
    return { isComplete: true, hasChanged: true };
  };

  const replaceChanged = (shownParts, freshParts) => {
    let [isComplete, hasChanged] = [true, false];
    for (const [name, fresh] of freshParts) {
      const shown = shownParts.get(name);
      if (serverStamps.get(name) === stampOf(fresh)) continue;
      if (isBusy(shown)) {
        isComplete = false;
        continue;
      }
      hasChanged = true;
      serverStamps.set(name, stampOf(fresh));
      removeMessages();
      replacePart(shown, fresh);
      highlight(fresh);
    }
    return { isComplete, hasChanged };
  };

  let pressTimer = 0;
  let hasSkipped = false;
  const release = () => {
    clearTimeout(pressTimer);
    pressTimer = 0;
    if (hasSkipped) update();
    hasSkipped = false;
  };
  /* The timer stands in for the end of a press that the page does not learn of. */
  document.addEventListener("pointerdown", () => {
    clearTimeout(pressTimer);
    pressTimer = setTimeout(release, LONGEST_PRESS);
  });
  /* The click follows in the same task. */
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(release));

  const show = (html) => {
    if (pressTimer) {
      hasSkipped = true;
      return false;
    }
    document.dispatchEvent(new CustomEvent("live:swapping"));
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.querySelector(`[data-live="${box.dataset.live}"]`) || page.body;
    const [shownParts, freshParts] = [partsByName(box), partsByName(next)];
    const { isComplete, hasChanged } = haveSameNames(shownParts, freshParts)
      ? replaceChanged(shownParts, freshParts)
      : replaceAll(next);
    if (isWholePage && isComplete) document.title = page.title;
    const notice = box.querySelector("[data-notice]");
    if (notice) notice.hidden = isComplete;
    document.dispatchEvent(new CustomEvent("live:swapped", { detail: { page, hasChanged } }));
    return isComplete;
  };

  /* A form that is being sent leads to the next page; a reload would stop it on the way. */
  let isLeaving = false;
  document.addEventListener("submit", (event) => {
    isLeaving = !event.defaultPrevented;
  });
  addEventListener("pageshow", () => {
    isLeaving = false;
  });

  const reload = () => {
    if (isLeaving) return;
    const notice = box.querySelector("[data-notice]");
    if (notice && isBusy(box)) notice.hidden = false;
    else location.reload();
  };

  if (box.querySelector("[data-notice]")) {
    for (const name of ["input", "change"]) {
      box.addEventListener(name, ({ target }) => target.setAttribute("data-busy", ""));
    }
    box.addEventListener("click", ({ target }) => {
      const details = target.closest("summary")?.parentElement;
      details?.toggleAttribute("data-busy", !details.open);
      if (details?.open) update();
    });
  }

  const showConnection = (isConnected) => document.documentElement.classList.toggle("is-cut-off", !isConnected);

  const update = self.keepUpdated({
    address: () => box.dataset.live + location.search,
    etag: box.dataset.etag,
    channels: () => {
      const part = box.querySelector("[data-listens]");
      return (part && part.dataset.listens) || box.dataset.brackets || "";
    },
    show,
    reload,
    /* A page that rings on calls keeps its stream while it is hidden. */
    isPaused: () => document.hidden && !document.documentElement.classList.contains("rings"),
    onAnswer: () => showConnection(true),
    onFailure: () => showConnection(false),
    minInterval: Number(box.dataset.rest || 0) * 1000,
    poll: Number(box.dataset.poll || 5) * 1000,
  });
  document.addEventListener("live:ask", update);
};

document.querySelectorAll("[data-live]").forEach(keepLive);
