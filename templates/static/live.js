/* Keeps a live part of a page fresh. Markup:

   <div data-live="FRAGMENT ADDRESS" data-brackets="ID,ID" data-etag="…" data-rest="SECONDS between two looks, at least">
     <… data-part="listens" data-listens="ID,ID"></…>   in the fragment too, where brackets may be drawn meanwhile
     <… data-part="NAME" data-stamp="…">…</…>   swapped one by one, only where it (or its stamp, if it has one) differs
   </div>

   The fragment may be the page itself: then what stands in its own [data-live] counts. X-Live says that nobody reads
   the rest, so that messages wait for the page that shows them.

   Told over /live/ that a bracket changed, it fetches the fragment with If-None-Match after a little jitter. When the
   stream fails it asks every few seconds instead, as it does when the server cannot answer just now; an answer that does
   not come is not waited for. A hidden page lets go
   of its stream and asks once when it returns. A part that holds an unsent form (data-busy) is left alone until the form
   is sent. Says "live:swapped" when it has swapped something, and asks at once when it hears "live:ask". */
"use strict";

(() => {
  const box = document.querySelector("[data-live]");
  if (!box) return;

  const JITTER = 200;
  const POLL = 5000;
  const SAFETY = 60000;
  const RETRY = 30000;
  const PATIENCE = 15000;
  const LIT = 4000;
  /* So many ids one stream may name; the rest is asked for now and then. */
  const MOST = 160;
  let etag = box.dataset.etag || "";
  let source = null;
  let timer = 0;
  let pace = 0;
  let later = 0;
  let asking = false;
  let again = false;
  let heard = "";

  /* A page that rings when its player is called goes on listening behind others. */
  const isAsleep = () => document.hidden && !document.documentElement.classList.contains("rings");

  const parts = (root) => new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));

  /* What the server last said of each part: scripts may have hidden or lit it since. */
  const words = (part) => part.dataset.stamp || part.outerHTML;
  const allWords = (found) => new Map([...found].map(([name, part]) => [name, words(part)]));
  let said = allWords(parts(box));

  const isSameShape = (now, next) =>
    now.size === next.size && [...next.keys()].every((name) => now.has(name));

  const light = (part) => {
    part.classList.add("is-changed");
    setTimeout(() => part.classList.remove("is-changed"), LIT);
  };

  const focus = (element) => element && element.focus({ preventScroll: true });

  const swap = (old, fresh) => {
    const held = old.contains(document.activeElement) ? document.activeElement : null;
    old.replaceWith(fresh);
    if (held && held.id) focus(document.getElementById(held.id));
    else if (held && held.href) focus([...fresh.querySelectorAll("a")].find((a) => a.href === held.href));
  };

  const show = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.querySelector("[data-live]") || page.body;
    const now = parts(box);
    const fresh = parts(next);
    if (!isSameShape(now, fresh)) {
      if (box.querySelector("[data-busy]")) {
        etag = "";
        return;
      }
      const { scrollX, scrollY } = window;
      box.replaceChildren(...next.childNodes);
      said = allWords(parts(box));
      window.scrollTo(scrollX, scrollY);
      document.dispatchEvent(new CustomEvent("live:swapped"));
      return;
    }
    for (const [name, part] of fresh) {
      const old = now.get(name);
      if (said.get(name) === words(part)) continue;
      if (old.matches("[data-busy]")) {
        etag = "";
        continue;
      }
      said.set(name, words(part));
      swap(old, part);
      light(part);
    }
    document.dispatchEvent(new CustomEvent("live:swapped"));
  };

  const ask = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    clearTimeout(later);
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const response = await fetch(box.dataset.live + location.search, {
        headers: { "X-Live": "1", ...(etag ? { "If-None-Match": etag } : {}) },
        cache: "no-store",
        credentials: "same-origin",
        signal: patience.signal,
      });
      if (response.status >= 500) throw new Error("not just now");
      if (response.status === 200) {
        etag = response.headers.get("ETag") || "";
        show(await response.text());
        listenToMore();
      } else if ([403, 404, 409].includes(response.status)) {
        location.reload();
      }
      document.documentElement.classList.remove("is-cut-off");
    } catch (error) {
      document.documentElement.classList.add("is-cut-off");
      later = setTimeout(() => isAsleep() || ask(), POLL);
    } finally {
      clearTimeout(late);
      asking = false;
      if (again) {
        again = false;
        ask();
      }
    }
  };

  /* Changes that come while it waits are in the same look. */
  const REST = Number(box.dataset.rest || 0) * 1000;
  let askedAt = -REST;
  let planned = 0;
  const askSoon = () => {
    if (planned) return;
    const wait = Math.max(Math.random() * JITTER, askedAt + REST - performance.now());
    planned = setTimeout(() => {
      planned = 0;
      askedAt = performance.now();
      ask();
    }, wait);
  };

  const pollEvery = (milliseconds) => {
    if (timer && pace === milliseconds) return;
    clearInterval(timer);
    pace = milliseconds;
    timer = setInterval(ask, milliseconds);
  };

  /* Asks at once: something may have happened while nobody listened. The stream's own words are no opening. */
  const opened = (event) => {
    if (event instanceof MessageEvent) return;
    pollEvery(names().length > MOST ? POLL : SAFETY);
    ask();
  };

  const listenLater = () => {
    source = null;
    setTimeout(() => isAsleep() || source || listen(), RETRY);
  };

  const failed = () => {
    pollEvery(POLL);
    if (source && source.readyState === EventSource.CLOSED) listenLater();
  };

  const wanted = () => {
    const part = box.querySelector("[data-listens]");
    return (part && part.dataset.listens) || box.dataset.brackets || "";
  };

  const names = () => heard.split(",").filter(Boolean);

  const listen = () => {
    heard = wanted();
    if (!names().length || !window.EventSource) {
      pollEvery(POLL);
      return;
    }
    const query = names().slice(0, MOST).map((name) => `bracket=${encodeURIComponent(name)}`).join("&");
    source = new EventSource(`/live/?${query}`);
    source.addEventListener("open", opened);
    source.addEventListener("changed", askSoon);
    source.addEventListener("error", failed);
  };

  const letGo = () => {
    if (source) source.close();
    source = null;
    clearInterval(timer);
    timer = 0;
  };

  /* A bracket was drawn while the page lay open. */
  const listenToMore = () => {
    if (!source || wanted() === heard) return;
    letGo();
    listen();
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden && !isAsleep()) return;
    letGo();
    if (isAsleep()) return;
    ask();
    listen();
  });
  addEventListener("pagehide", letGo);
  addEventListener("online", ask);
  document.addEventListener("live:ask", ask);
  if (!isAsleep()) listen();
})();
