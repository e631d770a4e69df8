// Elements of the grid. Text is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  shut: "M6 4l4 4-4 4",
  open: "M4 6l4 4 4-4",
  site: "M8 14s4.5-4.6 4.5-8a4.5 4.5 0 10-9 0c0 3.4 4.5 8 4.5 8zM8 7.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3",
  power: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  it: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6 3v10M10 3v10",
  cooling: "M8 1.8s4.3 4.7 4.3 8a4.3 4.3 0 01-8.6 0c0-3.3 4.3-8 4.3-8z",
  panel: "M3.5 2h9v12h-9zM8 2v12M5 5h1.5M5 8h1.5M9.5 5H11M9.5 8H11",
  input: "M3 4h10M3 8h10M3 12h6",
  check: "M3.5 8.5l3 3 6-7",
  study: "M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  lock: "M4.5 7h7v6h-7zM6 7V5a2 2 0 014 0v2",
};

export function made(name, kind, parent) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  parent?.appendChild(element);
  return element;
}

export function icon(name, parent) {
  const found = document.createElementNS(SVG, "svg");
  found.setAttribute("viewBox", "0 0 16 16");
  found.setAttribute("class", "icon");
  found.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.input);
  found.appendChild(path);
  parent.appendChild(found);
  return found;
}

// Shows a popover below an element, or above it where there is no room.
export function placed(popover, element) {
  if (!popover.matches(":popover-open")) popover.showPopover();
  const { left, top, bottom, width } = element.getBoundingClientRect();
  popover.style.minWidth = `${width}px`;
  const { width: wide, height: tall } = popover.getBoundingClientRect();
  const below = bottom + tall + 4 < innerHeight || top < tall;
  popover.style.left = `${Math.max(4, Math.min(left, innerWidth - wide - 4))}px`;
  popover.style.top = `${below ? bottom + 2 : top - tall - 2}px`;
}
