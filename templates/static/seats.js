/* Swaps two seats by dragging one onto the other, or with the keyboard; see drag.js. The server lists the seats that can
   be swapped with one, on the page that chooses it. Without this file both seats are chosen one after the other. */
"use strict";

(() => {
  const formOfSeats = () => document.getElementById("seats");
  if (!formOfSeats()?.querySelector("[data-drag]")) return;

  const feedOf = (token) => token.split(":")[0];

  const offeredFor = async (token) => {
    const response = await fetch(`?seat=${feedOf(token)}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return new Set([...page.querySelectorAll("button[name=other]")].map((button) => button.value));
  };

  const acceptsFor = async (item) => {
    const offered = await offeredFor(item.dataset.drag);
    return (target) => offered.has(target.dataset.drop);
  };

  const send = (fields) => {
    const form = formOfSeats();
    for (const [name, value] of Object.entries(fields)) {
      const input = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.append(input);
    }
    form.submit();
  };

  self.dragAndDrop({
    root: document.getElementById("content"),
    acceptsFor,
    drop: (item, target) => {
      const [one, other] = [item.dataset.drag, target.dataset.drop];
      if ("reasonNeeded" in formOfSeats().dataset) location.assign(`?seat=${feedOf(one)}&other=${feedOf(other)}`);
      else send({ one, other });
    },
  });
})();
