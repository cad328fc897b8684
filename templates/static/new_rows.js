/* Drops a tap that meets another button than the one the finger aimed at: after a payment the list moves or the page is
   loaded again, and a double tap meets the next player. The button turns grey for a moment. A form that is being sent
   ignores further taps. All other taps go through. Only buttons of forms with a key, which move money, are guarded. */
"use strict";

(() => {
  const PAUSE = 700;
  const SENDING = 3000;
  const STORED = "money-buttons";
  const isMoney = (button) => Boolean(button?.form?.elements.key);
  const meaningOf = (button) => `${button.form.elements.player?.value} ${button.textContent}`;
  const isIn = ({ left, top, right, bottom }, { clientX, clientY }) =>
    left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;

  const places = () =>
    [...document.querySelectorAll("button[type=submit]")].filter(isMoney).map((button) => {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      return { meaning: meaningOf(button), left, top, right, bottom };
    });

  const disable = (button, time) => {
    button.setAttribute("aria-disabled", "true");
    setTimeout(() => button.removeAttribute("aria-disabled"), time);
  };

  /* Where the buttons were before each change of the last moment. */
  let changes = [];
  const addChange = (buttons) => {
    const now = performance.now();
    changes = [...changes.filter(({ at }) => now - at < PAUSE), { at: now, buttons }];
  };
  addChange(JSON.parse(sessionStorage.getItem(STORED) || "[]"));
  sessionStorage.removeItem(STORED);
  document.addEventListener("live:swapping", () => addChange(places()));

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button[type=submit]");
      const isPointer = event.detail > 0;
      if (!isPointer || !isMoney(button)) return;
      const meaning = meaningOf(button);
      const recent = changes.filter(({ at }) => performance.now() - at < PAUSE).flatMap(({ buttons }) => buttons);
      if (!recent.some((earlier) => earlier.meaning !== meaning && isIn(earlier, event))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      disable(button, PAUSE);
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
