// Small tables, bars and lists that only show: elements come as data, and all texts are set as text.

const TAGS = new Set([
  "b", "br", "div", "i", "li", "ol", "p", "small", "span", "strong", "table", "tbody", "td", "th",
  "thead", "tr",
]);

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("[data-elements]");
  root.replaceChildren(...(data ? [made(data)] : []));
}

function made(one) {
  if (typeof one === "string") return document.createTextNode(one);
  const found = document.createElement(TAGS.has(one.tag) ? one.tag : "span");
  found.className = one.look;
  if (one.label) found.ariaLabel = one.label;
  if (one.look === "new-icon") found.ariaHidden = "true";
  for (const side of ["width", "left"]) {
    if (Number.isFinite(one[side])) found.style[side] = `${one[side]}%`;
  }
  found.append(...one.inside.map(made));
  return found;
}
