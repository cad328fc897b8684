// The distance of the first content from the top of the page in pixels, and its text: a row, a tree, a field, a table or
// a sentence of the page. Headings, navigation, banners and messages are no content, but the state of a player is.
() => {
  const HEAD = "nav, h1, h2, h3, .bar, .head, .lead, .message, .for-readers, .tabs-line, .next-step, .notice--end, .print-tools";
  const CONTENT =
    "table, li, dl, img, .field, .choices, .bracket-scroll, .board, .champion, .podium, .standing, .free-tables, .empty," +
    ".poster, .panel p, .next p, .kiosk__search, .kiosk__state";
  const STATE = "[data-part=now] > .message";
  const isContent = (node) => {
    const box = node.getBoundingClientRect();
    const isShown = box.width > 8 && box.height > 4 && node.checkVisibility({ visibilityProperty: true });
    return isShown && (!node.closest(HEAD) || node.closest(".overview") || node.matches(STATE));
  };
  const found = [...document.querySelectorAll("main :is(" + CONTENT + "," + STATE + ")")].filter(isContent);
  const tops = found.map((node) => [node.getBoundingClientRect().top + scrollY, node.innerText.slice(0, 40)]);
  const [top, words] = tops.sort((one, other) => one[0] - other[0])[0] || [0, ""];
  return [top, words];
}
