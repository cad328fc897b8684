/* Sends the payments of the cash desk without a new page, one after the other, so that the next player can be tapped at
   once. The button of a payment on its way is busy and ignores taps. A payment that waits when the page is left is still
   sent; its key makes a second arrival harmless. Without this file the buttons are ordinary forms.

   <p id="cash-words" role="status" data-failed="…"></p>   the last answer for screen readers, and the words of a failure */
"use strict";

(() => {
  const TOAST_TIME = 30000;
  const QUICK = 5000;
  const words = document.getElementById("cash-words");
  const buttonForms = ".cash__pay > form";
  const nameOf = ({ elements }) => ["player", "currency", "direction"].map((name) => elements[name].value).join();
  const bodyOf = (form) => new URLSearchParams(new FormData(form));
  const pending = new Set();
  let recorded = [];
  let waiting = [];
  let isSending = false;

  const markPending = () => {
    for (const payment of document.querySelectorAll(buttonForms)) {
      const button = payment.querySelector("button");
      const isPending = pending.has(nameOf(payment));
      if (isPending === button.hasAttribute("data-pending")) continue;
      button.toggleAttribute("data-pending", isPending);
      for (const name of ["aria-disabled", "aria-busy"]) {
        if (isPending) button.setAttribute(name, "true");
        else button.removeAttribute(name);
      }
    }
  };

  const removeLater = (toast) => {
    setTimeout(() => (toast.matches(":hover, :focus-within") ? removeLater(toast) : toast.remove()), TOAST_TIME);
  };
  const showMessages = (fresh) => {
    if (!fresh) return;
    const shown = document.querySelector(".messages");
    words.textContent = [...fresh.children].map((message) => (message.querySelector("span") || message).textContent.trim()).join(" ");
    if (shown?.dataset.at && performance.now() - shown.dataset.at < QUICK) fresh.prepend(...[...shown.children].slice(-2));
    shown?.remove();
    fresh.dataset.at = performance.now();
    fresh.classList.add("is-toast", "is-beside");
    document.querySelector("#content > .head").before(fresh);
    removeLater(fresh);
  };
  const showFailure = () => {
    const [messages, message] = [document.createElement("div"), document.createElement("p")];
    messages.className = "messages";
    message.className = "message message--error";
    message.textContent = words.dataset.failed;
    messages.append(message);
    showMessages(messages);
  };

  /* True if the payment is recorded. A question opens the form that answers it. */
  const send = async (payment) => {
    const response = await fetch(payment.action, { method: "POST", body: bodyOf(payment), keepalive: true });
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const answer = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!answer.getElementById("cash-filter")) {
      location.reload();
      return true;
    }
    const { search, searchParams } = new URL(response.url);
    if (searchParams.get("ask")) {
      history.replaceState(null, "", search);
      const showQuestion = () => document.getElementById("payment")?.scrollIntoView({ block: "nearest" });
      document.addEventListener("live:swapped", showQuestion, { once: true });
    }
    showMessages(answer.querySelector(".messages"));
    return !answer.querySelector(".message--error");
  };
  /* The list of open payments keeps the line of a player who has just paid, so that no line moves under the finger. */
  const keepLine = (player) => {
    const query = new URLSearchParams(location.search);
    query.append("paid", player);
    history.replaceState(null, "", `?${query}`);
  };

  const sendWaiting = async () => {
    isSending = true;
    while (waiting.length) {
      const payment = waiting.shift();
      const isRecorded = await send(payment).catch(showFailure);
      if (isRecorded) recorded.push(nameOf(payment));
      else pending.delete(nameOf(payment));
      markPending();
      document.dispatchEvent(new CustomEvent("live:ask"));
    }
    isSending = false;
  };
  document.addEventListener("live:swapped", () => {
    for (const name of recorded) pending.delete(name);
    recorded = [];
    markPending();
  });
  document.addEventListener(
    "submit",
    (event) => {
      if (!event.target.matches(buttonForms)) return;
      event.preventDefault();
      if (pending.has(nameOf(event.target))) return;
      pending.add(nameOf(event.target));
      waiting.push(event.target);
      keepLine(event.target.elements.player.value);
      markPending();
      if (!isSending) sendWaiting();
    },
    true,
  );
  addEventListener("pagehide", () => {
    for (const payment of waiting) navigator.sendBeacon(payment.action, bodyOf(payment));
    waiting = [];
  });
})();
