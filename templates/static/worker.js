/* The service worker, over HTTPS only: opens a player's pages without the network, and sends stored rows while no page
   is open.

   Caches static files and the last few pages under /me/, nothing else. A response from the network wins over the cache.
   The server puts the constants VERSION and STATIC above this line. */

importScripts(`${STATIC}store.js?${VERSION}`, `${STATIC}queue.js?${VERSION}`);

const FILES = `files-${VERSION}`;
const PAGES = "pages";
const MAX_PAGES = 4;
const NETWORK_TIMEOUT = 4000;
const LEASE_WAIT = 5000;
const PLAYER_PAGE = /^\/me\/([0-9a-f-]{36}\/)?$/;

const isFile = (url) => url.pathname.startsWith(STATIC) || url.pathname === "/manifest.webmanifest";

const prune = async (pages) => {
  const cached = await pages.keys();
  await Promise.all(cached.slice(0, Math.max(0, cached.length - MAX_PAGES)).map((page) => pages.delete(page)));
};

/* Caches a response once its body is complete, so that a broken connection does not replace a good page. A 403 means
   that the phone's link was revoked: all pages are deleted. A 404 means that the match is not this player's. */
const cacheResponse = async (url, response) => {
  if (response.ok) await response.clone().blob();
  if (isFile(url) && response.ok) return (await caches.open(FILES)).put(url.href, response);
  if (!PLAYER_PAGE.test(url.pathname)) return null;
  if (response.status === 403) return caches.delete(PAGES);
  const pages = await caches.open(PAGES);
  if (response.status === 404) return pages.delete(url.pathname);
  if (!response.ok || response.redirected) return null;
  await pages.put(url.pathname, response);
  return prune(pages);
};

const cacheAddress = async (address) => {
  const url = new URL(address, location.origin);
  if (url.origin === location.origin) await cacheResponse(url, await fetch(url.href, { credentials: "same-origin" }));
};

const findCached = (url) => caches.match(isFile(url) ? url.href : url.pathname);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const networkFirst = async (event, url) => {
  const fetched = fetch(event.request);
  event.waitUntil(fetched.then((response) => cacheResponse(url, response.clone())).catch(() => {}));
  const fallback = pause(NETWORK_TIMEOUT).then(() => findCached(url));
  try {
    return (await Promise.race([fetched, fallback])) || (await fetched);
  } catch (error) {
    const cached = await findCached(url);
    if (cached) return cached;
    throw error;
  }
};

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("files-") && name !== FILES;
  const cleanup = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(cleanup.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  if (event.request.method === "POST" && url.pathname === "/me/forget/") event.waitUntil(caches.delete(PAGES));
  if (event.request.method !== "GET") return;
  if (isFile(url) || (event.request.mode === "navigate" && PLAYER_PAGE.test(url.pathname))) {
    event.respondWith(networkFirst(event, url));
  }
});

/* A page that was closed while sending still holds the lease. The second attempt comes after the lease has expired. */
const send = async () => {
  let outcome = await self.cardQueue.drain();
  if (outcome === "busy") {
    await pause(LEASE_WAIT);
    outcome = await self.cardQueue.drain();
  }
  if (outcome === "unreachable") throw new Error("not sent yet");
};

self.addEventListener("sync", (event) => event.waitUntil(send()));

/* A tap on the notification of a call opens the player's page. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const focusPage = self.clients.matchAll({ type: "window" }).then((pages) => {
    const playerPage = pages.find((page) => new URL(page.url).pathname.startsWith("/me/"));
    return playerPage ? playerPage.focus() : self.clients.openWindow("/me/");
  });
  event.waitUntil(focusPage);
});

self.addEventListener("message", (event) => {
  if (event.data === "send") event.waitUntil(send().catch(() => {}));
  else if (event.data && event.data.keep) {
    const attempts = event.data.keep.map((address) => cacheAddress(address).catch(() => {}));
    event.waitUntil(Promise.all(attempts).then(() => self.clients.claim()));
  }
});
