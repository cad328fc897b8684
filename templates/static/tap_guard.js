/* Drops a tap that meets another button than the one the finger aimed at: after a payment the list moves or the page is
   loaded again, and a double tap meets the next player. The button is busy for a moment and the page says so. A form that
   is being sent ignores further taps. All other taps go through, also on buttons that did not move. Only buttons of forms
   with a key, which move money, are guarded.

   <p role="status" data-missed="…"></p>   gets these words after a dropped tap */
"use strict";

(() => {
  const PAUSE = 700;
  const SENDING = 3000;
  const STILL = 8;
  const STORED = "money-buttons";
  const isMoney = (button) => Boolean(button?.form?.elements.key);
  const meaningOf = (button) => `${button.form.elements.player?.value} ${button.textContent}`;
  const isIn = ({ left, top, right, bottom }, { clientX, clientY }) =>
    left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;

  const placeOf = (button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    return { meaning: meaningOf(button), left, top, right, bottom };
  };
  const places = () => [...document.querySelectorAll("button[type=submit]")].filter(isMoney).map(placeOf);
  const areNear = (one, other) => Math.abs(one.left - other.left) < STILL && Math.abs(one.top - other.top) < STILL;
  const wasThere = (place, before) => before.some((earlier) => earlier.meaning === place.meaning && areNear(earlier, place));

  const disable = (button, time) => {
    for (const name of ["aria-disabled", "aria-busy"]) button.setAttribute(name, "true");
    setTimeout(() => {
      for (const name of ["aria-disabled", "aria-busy"]) button.removeAttribute(name);
    }, time);
  };
  const showMissed = (button) => {
    disable(button, PAUSE);
    const words = document.querySelector("[data-missed]");
    if (words) words.textContent = words.dataset.missed;
  };

  /* Where the buttons were before each change of the last moment, and which of them it did not move. */
  let changes = [];
  const addChange = (before, isStill) => {
    const now = performance.now();
    changes = [...changes.filter(({ at }) => now - at < PAUSE), { at: now, before, isStill }];
  };
  /* A new page scrolls to its line later, so its buttons are compared when one is tapped. */
  const onLastPage = JSON.parse(sessionStorage.getItem(STORED) || "[]");
  sessionStorage.removeItem(STORED);
  addChange(onLastPage, (button) => wasThere(placeOf(button), onLastPage));
  let beforeSwap = [];
  document.addEventListener("live:swapping", () => {
    beforeSwap = places();
  });
  document.addEventListener("live:swapped", () => {
    const before = beforeSwap;
    const still = new Set(places().filter((place) => wasThere(place, before)).map(({ meaning }) => meaning));
    addChange(before, (button) => still.has(meaningOf(button)));
  });

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button[type=submit]");
      const isPointer = event.detail > 0;
      if (!isPointer || !isMoney(button)) return;
      const meaning = meaningOf(button);
      const isMissed = ({ at, before, isStill }) =>
        performance.now() - at < PAUSE &&
        !isStill(button) &&
        before.some((earlier) => earlier.meaning !== meaning && isIn(earlier, event));
      if (!changes.some(isMissed)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      showMissed(button);
    },
    true,
  );
  document.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    if (event.defaultPrevented || !button || !isMoney(button)) return;
    if (form.querySelector("button[aria-disabled]")) {
      event.preventDefault();
      return;
    }
    sessionStorage.setItem(STORED, JSON.stringify(places()));
    disable(button, SENDING);
  });
})();
