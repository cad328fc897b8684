/* What axe finds serious on the page. Given to a browser as it is; `isKnown` says that the page was judged a moment ago
   at another width or in other colours, so that its structure is judged again only where something has come into sight.

   Colours cost axe most of its time: of what looks the same in the same place, only the first that this window
   shows is judged by them, at each width, by day and by night. */
async (isKnown) => {
  const states = [
    "class", "style", "type", "dir", "hidden", "open", "disabled", "checked", "data-theme",
    "aria-current", "aria-invalid", "aria-pressed",
  ];
  const digest = (text) => {
    let one = 0xdeadbeef, other = 0x41c6ce57;
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761);
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  const speaks = (node) => [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
  const own = (node) =>
    [node.tagName, node.checkVisibility(), speaks(node), ...states.map((state) => node.getAttribute(state))].join();
  const wholes = new Map();
  const whole = (node) => {
    wholes.set(node, digest(`${own(node)}(${[...node.children].map(whole).join()})`));
    return wholes.get(node);
  };
  const judged = new Set(JSON.parse(sessionStorage.getItem("judged") || "[]"));
  const again = [], inSight = [];
  const walk = (node, above) => {
    if (!node.checkVisibility()) return;
    inSight.push(node);
    const look = digest(above + wholes.get(node)), here = digest(above + own(node));
    if (judged.has(look)) again.push(node);
    judged.add(look);
    [...node.children].forEach((child) => walk(child, here));
  };
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  whole(document.body);
  const sheets = [...document.styleSheets].map((one) => one.href);
  walk(document.body, [isDark, innerWidth, ...sheets, own(document.documentElement)].join());
  sessionStorage.setItem("judged", JSON.stringify([...judged]));
  const isAsItWas = isKnown && inSight.every((node) => window.wasInSight.has(node));
  window.wasInSight = new Set(inSight);

  const grave = ["serious", "critical"];
  const byLook = { runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"] };
  axe.configure({ rules: [{ id: "color-contrast", selector: "*:not([data-again], [data-again] *)" }] });
  again.forEach((node) => node.setAttribute("data-again", ""));
  const { violations } = await axe.run({
    resultTypes: ["violations"], preload: false, ...(isAsItWas ? byLook : {}),
  });
  again.forEach((node) => node.removeAttribute("data-again"));
  return violations
    .filter((one) => grave.includes(one.impact))
    .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.target)]);
}
