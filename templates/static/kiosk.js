/* The kiosk: finds names as a player types, and returns to the start when nobody touches it.

   <main data-start="ADDRESS" data-idle="SECONDS">  #find, #names */
"use strict";

(() => {
  const page = document.querySelector("main[data-start]");
  const input = document.getElementById("find");
  const TYPING_PAUSE = 150;
  const RETRY = 5000;

  /* The page stays while the server is away: a browser's error page would have no way back. */
  const returnToStart = () => {
    fetch(page.dataset.start, { cache: "no-store" }).then(
      () => location.replace(page.dataset.start),
      () => setTimeout(returnToStart, RETRY),
    );
  };

  let idleTimer = 0;
  const isStart = () => input && !input.value && location.pathname === page.dataset.start && !location.search;
  const restartIdle = () => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => isStart() || returnToStart(), Number(page.dataset.idle) * 1000);
  };
  for (const name of ["pointerdown", "keydown", "input"]) document.addEventListener(name, restartIdle);
  restartIdle();
  /* Back and forward show a page that the browser kept: the next player must not see the one before. */
  addEventListener("pageshow", (event) => event.persisted && location.replace(page.dataset.start));

  if (!input) return;
  let typingTimer = 0;
  let latest = 0;
  const find = async () => {
    const number = ++latest;
    const response = await fetch(`${page.dataset.start}?find=${encodeURIComponent(input.value)}`, { cache: "no-store" });
    if (number !== latest) return;
    const names = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("names");
    if (names) document.getElementById("names").replaceChildren(...names.childNodes);
    else location.reload();
  };
  input.addEventListener("input", () => {
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => find().catch(() => {}), TYPING_PAUSE);
  });
})();
