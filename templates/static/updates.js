/* Keeps a part of a page up to date: fetches it after a "changed" event of the live stream. Without the stream it polls
   every few seconds. A hidden page that may pause closes its stream and fetches once when it becomes visible.

   keepUpdated({
     address: function, returns the address of the part
     etag: of the part that the page shows
     channels: function, returns the channels to follow, "ID,ID"
     show: function, shows the fetched HTML; returns false if it could not show all of it
     reload: function, loads the full page (optional)
     isPaused: function, true while nothing is fetched
     onAnswer(response), onFailure(): functions, called after each request
     minInterval: milliseconds between two fetches after changes
     poll: milliseconds between two fetches without the stream
   })

   Returns a function that fetches at once. */
"use strict";

/* A place for one stream among those of all windows of this browser. A browser has six connections to an HTTP/1.1 server;
   streams keep MOST_STREAMS of them at most, so that pages load beside them.

   take(): promise of whether there is a place; of two that ask together the earlier one gets it
   release(): leaves the place to another window */
self.StreamPlace = class {
  static MOST_STREAMS = 4;
  static ANSWER_TIME = 100;

  constructor() {
    this.ticket = null;
    this.earlier = new Set();
    if (!window.BroadcastChannel) return;
    this.windows = new BroadcastChannel("live-streams");
    this.windows.onmessage = ({ data: { asks, answers, ticket } }) => {
      if (asks && this.ticket && this.ticket < asks) this.windows.postMessage({ answers: asks, ticket: this.ticket });
      if (answers && answers === this.ticket) this.earlier.add(ticket);
    };
  }

  async take() {
    this.ticket = `${Date.now()} ${Math.random()}`;
    this.earlier.clear();
    this.windows?.postMessage({ asks: this.ticket });
    await new Promise((resolve) => setTimeout(resolve, self.StreamPlace.ANSWER_TIME));
    return this.earlier.size < self.StreamPlace.MOST_STREAMS;
  }

  release() {
    this.ticket = null;
  }
};

self.keepUpdated = (options) => {
  const { address, channels, show, isPaused, onAnswer, onFailure, minInterval = 0, poll = 5000 } = options;
  const { reload = () => location.reload() } = options;
  let { etag } = options;
  const JITTER = 200;
  const SAFETY_POLL = 60000;
  const RECONNECT = 15000;
  const POLL_WITHOUT_PLACE = 2000;
  const REQUEST_TIMEOUT = 15000;
  /* Forbidden, not found, conflict, or a redirect to the sign-in: the full page explains it. */
  const RELOAD_STATUSES = [403, 404, 409];
  /* The server's limit of channels for one stream. Pages with more channels poll in addition. */
  const MAX_CHANNELS = 160;

  /* Fetching */

  let isFetching = false;
  let isOutdated = false;
  let retryTimer = 0;

  const fetchPart = async () => {
    const controller = new AbortController();
    const timeout = setTimeout(() => controller.abort(), REQUEST_TIMEOUT);
    try {
      const response = await fetch(address(), {
        /* X-Live: the server keeps its messages for the next full page. */
        headers: { "X-Live": "1", ...(etag ? { "If-None-Match": etag } : {}) },
        cache: "no-store",
        signal: controller.signal,
      });
      if (response.redirected || RELOAD_STATUSES.includes(response.status)) {
        reload();
        return;
      }
      if (response.status === 200) {
        etag = show(await response.text()) ? response.headers.get("ETag") || "" : "";
        if (source && channels() !== subscribed) subscribe();
      } else if (response.status !== 304) {
        throw new Error(`status ${response.status}`);
      }
      onAnswer(response);
    } catch {
      onFailure();
      retryTimer = setTimeout(() => isPaused() || update(), poll);
    } finally {
      clearTimeout(timeout);
    }
  };

  const update = async () => {
    isOutdated = true;
    if (isFetching) return;
    isFetching = true;
    clearTimeout(retryTimer);
    while (isOutdated) {
      isOutdated = false;
      await fetchPart();
    }
    isFetching = false;
  };

  /* Changes during the delay are part of the same fetch. */
  let isPlanned = false;
  let updatedAt = -minInterval;
  const updateSoon = () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      updatedAt = performance.now();
      update();
    }, Math.max(Math.random() * JITTER, updatedAt + minInterval - performance.now()));
  };

  /* The same interval again continues, or frequent stream errors would postpone every poll. */
  let pollTimer = 0;
  let pollInterval = 0;
  const pollEvery = (milliseconds) => {
    if (pollInterval === milliseconds) return;
    clearInterval(pollTimer);
    pollInterval = milliseconds;
    pollTimer = setInterval(update, milliseconds);
  };

  /* Live stream */

  let source = null;
  let subscribed = "";
  const place = new self.StreamPlace();
  let attempt = null;
  let retryPlaceTimer = 0;

  const subscribe = async () => {
    closeStream();
    subscribed = channels();
    const names = subscribed.split(",").filter(Boolean);
    if (!names.length || !window.EventSource) {
      pollEvery(poll);
      return;
    }
    const thisAttempt = {};
    attempt = thisAttempt;
    const hasPlace = await place.take();
    if (attempt !== thisAttempt) return;
    if (!hasPlace) {
      closeStream();
      pollEvery(Math.min(poll, POLL_WITHOUT_PLACE));
      retryPlaceTimer = setTimeout(() => isPaused() || subscribe(), RECONNECT);
      return;
    }
    const connectedPoll = names.length > MAX_CHANNELS ? poll : SAFETY_POLL;
    pollEvery(connectedPoll);
    const query = names.slice(0, MAX_CHANNELS).map((name) => `bracket=${encodeURIComponent(name)}`).join("&");
    source = new EventSource(`/live/?${query}`);
    source.addEventListener("changed", updateSoon);
    source.addEventListener("open", (event) => {
      if (event instanceof MessageEvent) return; // the server's own event of this name
      pollEvery(connectedPoll);
      update(); // changes before the connection were not received
    });
    source.addEventListener("error", () => {
      pollEvery(poll);
      if (!source || source.readyState !== EventSource.CLOSED) return;
      source = null;
      place.release();
      setTimeout(() => isPaused() || source || subscribe(), RECONNECT);
    });
  };

  const closeStream = () => {
    if (source) source.close();
    source = null;
    attempt = null;
    place.release();
    clearTimeout(retryPlaceTimer);
    clearInterval(pollTimer);
    pollInterval = 0;
  };

  document.addEventListener("visibilitychange", () => {
    if (isPaused()) closeStream();
    if (document.hidden) return;
    update();
    subscribe();
  });
  addEventListener("pagehide", closeStream);
  addEventListener("online", update);
  if (!isPaused()) subscribe();
  return update;
};
