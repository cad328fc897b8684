/* Refreshes the live part of a page. Markup:

   <div data-live="FRAGMENT ADDRESS" data-brackets="ID,ID" data-etag="…" data-rest="minimum SECONDS between two fetches">
     <… data-part="listens" data-listens="ID,ID"></…>   in the fragment too, if brackets may be added later
     <… data-part="NAME" data-stamp="…">…</…>   replaced only if it (or its stamp, if it has one) differs
   </div>

   If the fragment is the page itself, only its [data-live] is used. The header X-Live tells the server that the rest is
   not shown, so that it keeps messages for the next full page.

   After a "changed" event from /live/ it fetches the fragment with If-None-Match and a short random delay. If the stream
   or the server fails, it polls every few seconds; requests have a timeout. A hidden page closes its stream and fetches
   once when it becomes visible. A part with an unsent form (data-busy) is not replaced until the form is sent.
   Dispatches "live:swapped" after replacing parts; fetches at once on "live:ask". */
"use strict";

(() => {
  const box = document.querySelector("[data-live]");
  if (!box) return;

  const JITTER = 200;
  const POLL = 5000;
  const SAFETY_POLL = 60000;
  const RETRY = 30000;
  const REQUEST_TIMEOUT = 15000;
  const HIGHLIGHT_TIME = 4000;
  /* The server's limit of channels for one stream. Pages with more channels poll in addition. */
  const MAX_CHANNELS = 160;
  let etag = box.dataset.etag || "";
  let source = null;
  let timer = 0;
  let pollInterval = 0;
  let retryTimer = 0;
  let isFetching = false;
  let fetchAgain = false;
  let subscribed = "";

  /* A page that rings on calls keeps its stream while it is hidden. */
  const isPaused = () => document.hidden && !document.documentElement.classList.contains("rings");

  const parts = (root) => new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));

  /* The server's latest version of each part. Scripts may have changed the part in the page since. */
  const stampOf = (part) => part.dataset.stamp || part.outerHTML;
  const stampsOf = (partsByName) => new Map([...partsByName].map(([name, part]) => [name, stampOf(part)]));
  let serverStamps = stampsOf(parts(box));

  const isSameShape = (now, next) =>
    now.size === next.size && [...next.keys()].every((name) => now.has(name));

  const highlight = (part) => {
    part.classList.add("is-changed");
    setTimeout(() => part.classList.remove("is-changed"), HIGHLIGHT_TIME);
  };

  const focus = (element) => element && element.focus({ preventScroll: true });

  const swap = (old, fresh) => {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    old.replaceWith(fresh);
    if (focused && focused.id) focus(document.getElementById(focused.id));
    else if (focused && focused.href) focus([...fresh.querySelectorAll("a")].find((a) => a.href === focused.href));
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
      serverStamps = stampsOf(parts(box));
      window.scrollTo(scrollX, scrollY);
      document.dispatchEvent(new CustomEvent("live:swapped"));
      return;
    }
    for (const [name, part] of fresh) {
      const old = now.get(name);
      if (serverStamps.get(name) === stampOf(part)) continue;
      if (old.matches("[data-busy]")) {
        etag = "";
        continue;
      }
      serverStamps.set(name, stampOf(part));
      swap(old, part);
      highlight(part);
    }
    document.dispatchEvent(new CustomEvent("live:swapped"));
  };

  const fetchFragment = async () => {
    if (isFetching) {
      fetchAgain = true;
      return;
    }
    isFetching = true;
    clearTimeout(retryTimer);
    const controller = new AbortController();
    const timeout = setTimeout(() => controller.abort(), REQUEST_TIMEOUT);
    try {
      const response = await fetch(box.dataset.live + location.search, {
        headers: { "X-Live": "1", ...(etag ? { "If-None-Match": etag } : {}) },
        cache: "no-store",
        credentials: "same-origin",
        signal: controller.signal,
      });
      if (response.status >= 500) throw new Error("server error");
      if (response.status === 200) {
        etag = response.headers.get("ETag") || "";
        show(await response.text());
        updateSubscription();
      } else if ([403, 404, 409].includes(response.status)) {
        location.reload();
      }
      document.documentElement.classList.remove("is-cut-off");
    } catch (error) {
      document.documentElement.classList.add("is-cut-off");
      retryTimer = setTimeout(() => isPaused() || fetchFragment(), POLL);
    } finally {
      clearTimeout(timeout);
      isFetching = false;
      if (fetchAgain) {
        fetchAgain = false;
        fetchFragment();
      }
    }
  };

  /* Changes during the wait are part of the same fetch. */
  const MIN_INTERVAL = Number(box.dataset.rest || 0) * 1000;
  let fetchedAt = -MIN_INTERVAL;
  let plannedFetch = 0;
  const fetchSoon = () => {
    if (plannedFetch) return;
    const wait = Math.max(Math.random() * JITTER, fetchedAt + MIN_INTERVAL - performance.now());
    plannedFetch = setTimeout(() => {
      plannedFetch = 0;
      fetchedAt = performance.now();
      fetchFragment();
    }, wait);
  };

  const pollEvery = (milliseconds) => {
    if (timer && pollInterval === milliseconds) return;
    clearInterval(timer);
    pollInterval = milliseconds;
    timer = setInterval(fetchFragment, milliseconds);
  };

  /* Fetches at once, because changes before the connection were not received. Server events named "open" are ignored. */
  const streamOpened = (event) => {
    if (event instanceof MessageEvent) return;
    pollEvery(subscribedNames().length > MAX_CHANNELS ? POLL : SAFETY_POLL);
    fetchFragment();
  };

  const subscribeLater = () => {
    source = null;
    setTimeout(() => isPaused() || source || subscribe(), RETRY);
  };

  const streamFailed = () => {
    pollEvery(POLL);
    if (source && source.readyState === EventSource.CLOSED) subscribeLater();
  };

  const currentChannels = () => {
    const part = box.querySelector("[data-listens]");
    return (part && part.dataset.listens) || box.dataset.brackets || "";
  };

  const subscribedNames = () => subscribed.split(",").filter(Boolean);

  const subscribe = () => {
    subscribed = currentChannels();
    if (!subscribedNames().length || !window.EventSource) {
      pollEvery(POLL);
      return;
    }
    const query = subscribedNames().slice(0, MAX_CHANNELS).map((name) => `bracket=${encodeURIComponent(name)}`).join("&");
    source = new EventSource(`/live/?${query}`);
    source.addEventListener("open", streamOpened);
    source.addEventListener("changed", fetchSoon);
    source.addEventListener("error", streamFailed);
  };

  const closeStream = () => {
    if (source) source.close();
    source = null;
    clearInterval(timer);
    timer = 0;
  };

  /* A bracket may have been drawn since the page was loaded. */
  const updateSubscription = () => {
    if (!source || currentChannels() === subscribed) return;
    closeStream();
    subscribe();
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden && !isPaused()) return;
    closeStream();
    if (isPaused()) return;
    fetchFragment();
    subscribe();
  });
  addEventListener("pagehide", closeStream);
  addEventListener("online", fetchFragment);
  document.addEventListener("live:ask", fetchFragment);
  if (!isPaused()) subscribe();
})();
