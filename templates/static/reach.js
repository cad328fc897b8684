/* Checks whether phones can reach this computer: waits for a phone, or tests the connection from a phone. */
"use strict";

(() => {
  const box = document.getElementById("reach");
  const words = box.dataset;

  const showMessage = (kind, key, values = {}) => {
    let line = box.querySelector(`[data-key="${key}"]`);
    if (!line) {
      line = document.createElement("p");
      line.dataset.key = key;
      line.setAttribute("role", "status");
      box.append(line);
    }
    line.className = `message message--${kind}`;
    line.textContent = words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
    return line;
  };
  const removeMessage = (key) => box.querySelector(`[data-key="${key}"]`)?.remove();

  const check = async () => {
    const startedAt = performance.now();
    const response = await fetch(words.check, { cache: "no-store" });
    return { ...(await response.json()), milliseconds: Math.round(performance.now() - startedAt) };
  };

  const watch = async () => {
    try {
      const { seen } = await check();
      removeMessage("fails");
      if (seen) {
        box.replaceChildren();
        showMessage("success", "seen", { address: seen });
      } else if (!box.children.length) {
        showMessage("info", "waiting");
      }
    } catch {
      showMessage("error", "fails");
    }
    setTimeout(watch, 3000);
  };

  const stream = () => {
    const source = new EventSource("/live/?bracket=00000000-0000-0000-0000-000000000000");
    const finish = (kind, key) => {
      clearTimeout(timeout);
      source.close();
      showMessage(kind, key);
    };
    const timeout = setTimeout(() => finish("warning", "polls"), 4000);
    source.addEventListener("open", () => finish("success", "streams"));
    source.addEventListener("error", () => finish("warning", "polls"));
  };

  const testConnection = async () => {
    try {
      showMessage("success", "works", await check());
      stream();
    } catch {
      showMessage("error", "fails");
    }
  };

  if ("laptop" in words) watch();
  else testConnection();
})();
