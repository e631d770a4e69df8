// Draws scenes and SVG documents as elements: only the elements and attributes named here, text as
// text. Nothing of their content is interpreted as markup of the page.

export const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set([
  "svg", "g", "path", "rect", "circle", "polyline", "line", "text", "tspan", "title",
]);
const ATTRIBUTES = new Set([
  "id", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "width", "height", "points",
  "transform", "fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "text-anchor",
  "font-family", "font-size", "font-weight", "text-rendering", "textLength", "lengthAdjust",
]);
const VARIABLE = /^var\(--[a-z0-9-]+\)$/;

export function made(name, kind, parent, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  parent?.appendChild(element);
  return element;
}

export function shape(name, attributes, parent, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent?.appendChild(element);
  return element;
}

const paint = (role) => (role === "none" ? "none" : `var(--${role})`);

// Returns the picture of a scene; colours are the variables of the page.
export function drawn(scene) {
  const picture = shape("svg", { class: "picture" });
  const under = shape("g", { class: "under" }, picture);
  for (const [kind, ...one] of scene.shapes) {
    if (kind === "line") {
      const [points, role, width, dashed] = one;
      const line = shape("polyline", { points: points.join(" "), fill: "none",
        stroke: paint(role), "stroke-width": width }, picture);
      if (dashed) line.setAttribute("stroke-dasharray", width > 3 ? "7 5" : "3 3");
    } else if (kind === "box") {
      const [x, y, width, height, fill, stroke, rx, wide] = one;
      shape("rect", { x, y, width, height, rx, fill: paint(fill), stroke: paint(stroke),
        "stroke-width": wide }, picture);
    } else if (kind === "circle") {
      const [cx, cy, r, fill, stroke, wide] = one;
      shape("circle", { cx, cy, r, fill: paint(fill), stroke: paint(stroke),
        "stroke-width": wide }, picture);
    } else {
      const [text, x, y, size, role, anchor, bold, near] = one;
      shape("text", { x, y, "font-size": size, fill: paint(role), "text-anchor": anchor,
        class: `${bold ? "bold" : ""} ${near ? "near" : ""}` }, picture, text);
    }
  }
  return { picture, under };
}

// Returns a copy of a node of another document; null if its element is not in the list.
function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.nodeValue);
  if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== SVG) return null;
  if (!ELEMENTS.has(node.localName)) return null;
  const copy = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) {
    if (!ATTRIBUTES.has(name)) continue;
    if (/[(:]/.test(value) && name !== "transform" && !VARIABLE.test(value)) continue;
    copy.setAttribute(name === "id" ? "data-shape" : name, value);
  }
  for (const child of node.childNodes) {
    const below = copied(child);
    if (below) copy.appendChild(below);
  }
  return copy;
}

// Returns the picture of an SVG document with its size, or null if it is not one.
export function parsed(text) {
  const found = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = found.documentElement;
  if (found.querySelector("parsererror") || root.localName !== "svg") return null;
  const [, , width, height] = root.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const picture = copied(root);
  picture.querySelector(":scope > title")?.remove(); // it would appear as a tooltip of the whole
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("class", "picture");
  return { picture, width, height };
}
