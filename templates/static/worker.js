/* Over HTTPS: a player's own pages open without the network, and what the phone kept can go out while no page is open.

   Keeps static files and pages under /me/ of the last few matches, nothing of anybody else; the network comes first
   whenever it answers. VERSION and STATIC stand above this line when it is served. */

importScripts(`${STATIC}store.js?${VERSION}`, `${STATIC}queue.js?${VERSION}`);

const FILES = `files-${VERSION}`;
const PAGES = "pages";
const MOST_PAGES = 4;
const PATIENCE = 4000;
const FOREIGN = 5000;
const MINE = /^\/me\/([0-9a-f-]{36}\/)?$/;

const isFile = (url) => url.pathname.startsWith(STATIC) || url.pathname === "/manifest.webmanifest";

const prune = async (pages) => {
  const kept = await pages.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_PAGES)).map((old) => pages.delete(old)));
};

/* A page is kept as it was told last, once it is here whole: a network that goes away halfway takes nothing with it. A
   phone that is no longer known keeps none, and none of a match that is not its player's. */
const put = async (url, response) => {
  if (response.ok) await response.clone().blob();
  if (isFile(url) && response.ok) return (await caches.open(FILES)).put(url.href, response);
  if (!MINE.test(url.pathname)) return null;
  if (response.status === 403) return caches.delete(PAGES);
  const pages = await caches.open(PAGES);
  if (response.status === 404) return pages.delete(url.pathname);
  if (!response.ok || response.redirected) return null;
  await pages.put(url.pathname, response);
  return prune(pages);
};

const keep = async (address) => {
  const url = new URL(address, location.origin);
  if (url.origin === location.origin) await put(url, await fetch(url.href, { credentials: "same-origin" }));
};

const known = (url) => caches.match(isFile(url) ? url.href : url.pathname);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const networkFirst = async (event, url) => {
  const asked = fetch(event.request);
  event.waitUntil(asked.then((response) => put(url, response.clone())).catch(() => {}));
  const late = pause(PATIENCE).then(() => known(url));
  try {
    return (await Promise.race([asked, late])) || (await asked);
  } catch (error) {
    const kept = await known(url);
    if (kept) return kept;
    throw error;
  }
};

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("files-") && name !== FILES;
  const cleaned = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(cleaned.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  if (event.request.method === "POST" && url.pathname === "/me/forget/") event.waitUntil(caches.delete(PAGES));
  if (event.request.method !== "GET") return;
  if (isFile(url) || (event.request.mode === "navigate" && MINE.test(url.pathname))) {
    event.respondWith(networkFirst(event, url));
  }
});

/* A page that was closed while it sent holds its lease still: a little later it is seen to be dead. */
const send = async () => {
  let outcome = await self.cardQueue.drain();
  if (outcome === "busy") {
    await pause(FOREIGN);
    outcome = await self.cardQueue.drain();
  }
  if (outcome === "unreachable") throw new Error("not sent yet");
};

self.addEventListener("sync", (event) => event.waitUntil(send()));

/* A call that was shown outside the page leads back to it. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = self.clients.matchAll({ type: "window" }).then((found) => {
    const mine = found.find((page) => new URL(page.url).pathname.startsWith("/me/"));
    return mine ? mine.focus() : self.clients.openWindow("/me/");
  });
  event.waitUntil(open);
});

self.addEventListener("message", (event) => {
  if (event.data === "send") event.waitUntil(send().catch(() => {}));
  else if (event.data && event.data.keep) {
    const kept = event.data.keep.map((address) => keep(address).catch(() => {}));
    event.waitUntil(Promise.all(kept).then(() => self.clients.claim()));
  }
});
