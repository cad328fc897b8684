/* The desk's form for a result. As soon as the text fits one match, the points carry the names of its players, and the
   form says which match is meant. Enter goes to the next empty field. Without this file the server asks whose points
   are whose.

   option[data-which]   a player of an open match: data-number, data-other (the opponent), data-which (its key) */
"use strict";

(() => {
  const form = document.getElementById("quick");
  if (!form) return;
  const { who, own, other } = form.elements;
  const which = form.querySelector("input[name=which]");

  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
  /* The list is a live part. */
  const openPlayers = () => [...form.querySelectorAll("option[data-which]")].map((option) => ({
    name: option.value,
    key: plain(option.value),
    ...option.dataset,
  }));

  /* The players that fit. A number stands for the first player of its match, and for nobody if several have it. */
  const find = (typed) => {
    if (!typed) return [];
    const players = openPlayers();
    const numbered = players.filter((player) => plain(player.number) === typed);
    if (numbered.length) return numbered.length === 2 ? [numbered[0]] : [];
    const exact = players.filter((player) => player.key === typed);
    if (exact.length) return exact;
    const words = typed.split(/\s+/);
    return players.filter((player) => words.every((word) => player.key.includes(word)));
  };

  const label = (field, name) => {
    const shown = form.querySelector(`[data-name=${field.name}]`);
    shown.textContent = name;
    shown.hidden = !name;
    shown.previousElementSibling.hidden = Boolean(name);
  };

  const showPlayers = () => {
    const fitting = find(plain(who.value));
    const isOnePlayer = new Set(fitting.map((player) => player.name)).size === 1;
    const match = fitting.length === 1 ? fitting[0] : null;
    which.value = match ? match.which : "";
    label(own, isOnePlayer ? fitting[0].name : "");
    label(other, match ? match.other : "");
  };
  who.addEventListener("input", showPlayers);
  window.addEventListener("pageshow", showPlayers);

  /* The message about the last result is shown once: a reload would show it again. */
  const address = new URL(location.href);
  if (address.searchParams.has("entered")) {
    address.searchParams.delete("entered");
    history.replaceState(null, "", address);
  }

  form.addEventListener("submit", (event) => {
    const next = new Map([[who, own], [own, other]]).get(document.activeElement);
    if (!next || next.value || !who.value.trim()) return;
    event.preventDefault();
    next.focus();
  });
})();
