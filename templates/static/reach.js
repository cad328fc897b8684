/* The page that tells whether phones can reach this computer: watches for a phone, or tries the way from one. */
"use strict";

(() => {
  const box = document.getElementById("reach");
  const words = box.dataset;

  const say = (kind, key, values = {}) => {
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
  const unsay = (key) => box.querySelector(`[data-key="${key}"]`)?.remove();

  const check = async () => {
    const began = performance.now();
    const response = await fetch(words.check, { cache: "no-store" });
    return { ...(await response.json()), milliseconds: Math.round(performance.now() - began) };
  };

  const watch = async () => {
    try {
      const { seen } = await check();
      unsay("fails");
      if (seen) {
        box.replaceChildren();
        say("success", "seen", { address: seen });
      } else if (!box.children.length) {
        say("info", "waiting");
      }
    } catch {
      say("error", "fails");
    }
    setTimeout(watch, 3000);
  };

  const stream = () => {
    const source = new EventSource("/live/?bracket=00000000-0000-0000-0000-000000000000");
    const done = (kind, key) => {
      clearTimeout(late);
      source.close();
      say(kind, key);
    };
    const late = setTimeout(() => done("warning", "polls"), 4000);
    source.addEventListener("open", () => done("success", "streams"));
    source.addEventListener("error", () => done("warning", "polls"));
  };

  const tryIt = async () => {
    try {
      say("success", "works", await check());
      stream();
    } catch {
      say("error", "fails");
    }
  };

  if ("laptop" in words) watch();
  else tryIt();
})();
