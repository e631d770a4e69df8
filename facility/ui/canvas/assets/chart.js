// Chart: draws the shapes for the width of the page, and names the values pointed at.
//
// Horizontal positions are fractions of the plot area; vertical positions and text are in pixels.
// Text is only ever set as text; colours are CSS variables, so that a new theme needs no new drawing.

const SVG = "http://www.w3.org/2000/svg";
const REACH_PX = 24;
const EDGE_PX = 8;
const SHADES = 24;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Corners of the symbols over their radius; those of open symbols are ends of strokes, in pairs.
const SYMBOLS = {
  square: [[-1, -1], [1, -1], [1, 1], [-1, 1]], diamond: [[0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]],
  up: [[0, -1.2], [1.15, 0.9], [-1.15, 0.9]], down: [[0, 1.2], [1.15, -0.9], [-1.15, -0.9]],
  cross: [[-1, -1], [1, 1], [-1, 1], [1, -1]], plus: [[0, -1.2], [0, 1.2], [-1.2, 0], [1.2, 0]],
};
const OPEN = new Set(["cross", "plus"]);

const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let view = views.get(parentElement);
  if (!view) {
    view = new View(parentElement.querySelector("[data-chart]"));
    views.set(parentElement, view);
  }
  view.pick = (place) => setTriggerValue("picked", place);
  view.attach();
  view.show(data);
  return () => view.detach();
}

function made(name, kind, parent) {
  const element = document.createElement(name);
  element.className = kind;
  parent.appendChild(element);
  return element;
}

function drawn(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== "") element.setAttribute(key, value);
  }
  parent?.appendChild(element);
  return element;
}

const colour = (role) => `var(--${role})`;

function symbol(parent, { s, c, r, h }, x, y) {
  const bare = h || OPEN.has(s);
  const look = { fill: bare ? "none" : colour(c), stroke: colour(bare ? c : "paper"),
    "stroke-width": bare ? 2 : 1.5 };
  if (s === "circle") return drawn("circle", { cx: x, cy: y, r, ...look }, parent);
  const path = SYMBOLS[s].map(([across, down], n) =>
    `${n === 0 || OPEN.has(s) && n % 2 === 0 ? "M" : "L"}${x + r * across} ${y + r * down}`).join("");
  return drawn("path", { d: OPEN.has(s) ? path : `${path}Z`, ...look }, parent);
}

class View {
  constructor(host) {
    this.host = host;
    this.legend = made("div", "legend", host);
    this.stage = made("div", "plot", host);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.tip = made("div", "tip", this.stage);
    this.tip.hidden = true;
    this.said = made("div", "said", host);
    this.said.setAttribute("aria-live", "polite");
    this.ends = [];
  }

  attach() {
    if (this.ends.length) return;
    const on = (name, act) => {
      this.stage.addEventListener(name, act);
      this.ends.push(() => this.stage.removeEventListener(name, act));
    };
    on("pointermove", (event) => this.look(this.found(event), false));
    on("pointerleave", () => this.look(null, false));
    on("click", (event) => this.send(this.found(event)));
    on("keydown", (event) => this.typed(event));
    on("blur", () => this.look(null, false));
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.stage);
    this.ends.push(() => observer.disconnect());
  }

  detach() {
    for (const end of this.ends) end();
    this.ends = [];
  }

  show(data) {
    this.data = data;
    this.wide = 0;
    this.seen = null;
    this.tip.hidden = true;
    for (const [role, [light, dark]] of Object.entries(data.colours)) {
      this.host.style.setProperty(`--${role}`, `light-dark(${light}, ${dark})`);
    }
    this.stage.style.height = `${data.height}px`;
    this.stage.setAttribute("aria-label", data.alt);
    this.values = data.cells && decoded(data.cells);
    this.legend.replaceChildren();
    for (const entry of data.legend) this.drawEntry(entry);
    this.draw();
  }

  drawEntry({ name, c, sample, d, h }) {
    const item = made("span", "entry", this.legend);
    const box = drawn("svg", { viewBox: "0 0 22 12", "aria-hidden": "true" }, item);
    if (sample === "line") {
      drawn("path", { d: "M0 6H22", stroke: colour(c), "stroke-width": 2.5, "stroke-dasharray": d },
        box);
    } else if (sample === "shades") {
      made("span", "shades", item);
      box.remove();
    } else if (sample === "area") {
      drawn("rect", { x: 5, y: 0, width: 12, height: 12, rx: 2, fill: colour(c) }, box);
    } else symbol(box, { s: sample, c, r: 4, h }, 11, 6);
    made("span", "", item).textContent = name;
  }

  draw() {
    const wide = this.stage.clientWidth;
    if (!this.data || !wide || wide === this.wide) return;
    this.wide = wide;
    const { height, left, right } = this.data;
    this.plot = Math.max(wide - left - right, 40);
    this.picture?.remove();
    this.picture = drawn("svg", { class: "shapes", height, "aria-hidden": "true" });
    this.stage.insertBefore(this.picture, this.tip);
    if (this.values) this.drawCells();
    const texts = [];
    for (const shape of this.data.shapes) {
      if (shape.k === "t") texts.push([shape, this.drawText(shape)]);
      else this.drawShape(shape);
    }
    this.thin(texts);
    this.picture.setAttribute("data-drawn", texts.length);
    if (this.data.cells?.chosen !== undefined && this.data.cells?.chosen !== null) {
      const [x, y] = this.middle(this.data.cells.chosen);
      for (const kind of ["halo", "chosen"]) {
        drawn("circle", { cx: x, cy: y, r: 7, class: kind }, this.picture);
      }
    }
  }

  x(part) {
    return this.data.left + part * this.plot;
  }

  drawShape(shape) {
    const { k, c, x, y } = shape;
    if (k === "p") this.drawPath(shape);
    else if (k === "b") {
      const from = this.x(x[0]) + (shape.dx?.[0] || 0);
      drawn("rect", { x: from, y: y[0], height: Math.max(y[1] - y[0], 0),
        width: Math.max(this.x(x[1]) + (shape.dx?.[1] || 0) - from, 0), fill: colour(c) },
      this.picture);
    } else if (k === "f") {
      drawn("path", { d: this.flow(shape), fill: colour(c), opacity: 0.45 }, this.picture);
    } else symbol(this.picture, shape, this.x(x), y);
  }

  drawPath({ x, y, c, w, d, f, o }) {
    let path = "";
    let next = "M";
    x.forEach((part, n) => {
      if (y[n] === null) next = "M";
      else {
        path += `${next}${this.x(part).toFixed(1)} ${y[n]}`;
        next = "L";
      }
    });
    const look = f ? { fill: colour(c), opacity: o } :
      { fill: "none", stroke: colour(c), "stroke-width": w, "stroke-dasharray": d,
        "stroke-linejoin": "round" };
    drawn("path", { d: path, ...look }, this.picture);
  }

  flow({ x, y, h }) {
    const [from, to] = x.map((part) => this.x(part));
    const middle = (from + to) / 2;
    const [start, end] = y;
    return `M${from} ${start}C${middle} ${start} ${middle} ${end} ${to} ${end}V${end + h}` +
      `C${middle} ${end + h} ${middle} ${start + h} ${from} ${start + h}Z`;
  }

  drawText({ t, x, y, a, dx, s, c, b, v }) {
    const text = drawn("text", { x: this.x(x) + (dx || 0), y, "text-anchor": a, "font-size": s,
      "font-weight": b ? 600 : 400, fill: colour(c), class: v ? "veiled" : "" }, this.picture);
    text.textContent = t;
    return text;
  }

  // Omits optional texts that would overlap earlier ones.
  thin(texts) {
    const kept = [];
    for (const [shape, text] of texts) {
      const box = text.getBBox();
      const clash = kept.some((other) => box.x < other.x + other.width + 3 &&
        other.x < box.x + box.width + 3 && box.y < other.y + other.height - 3 &&
        other.y < box.y + box.height - 3);
      if (shape.o && clash) text.remove();
      else kept.push(box);
    }
  }

  // One path for each shade; a group scales the cells, so that a shade is written once.
  drawCells() {
    const { x, y, columns, rows } = this.data.cells;
    const paths = Array.from({ length: SHADES }, () => "");
    for (let column = 0; column < columns.length; column++) {
      for (let row = 0; row < rows.length;) {
        const shade = this.shade(column, row);
        let end = row + 1;
        while (end < rows.length && this.shade(column, end) === shade) end++;
        if (shade >= 0) paths[shade] += `M${column} ${rows.length - end}h1v${end - row}h-1z`;
        row = end;
      }
    }
    const wide = (this.x(x[1]) - this.x(x[0])) / columns.length;
    const high = (y[1] - y[0]) / rows.length;
    const group = drawn("g", { class: "cells",
      transform: `translate(${this.x(x[0])} ${y[0]}) scale(${wide} ${high})` }, this.picture);
    paths.forEach((path, shade) => {
      const part = (100 * shade / (SHADES - 1)).toFixed(0);
      if (path) {
        const found = drawn("path", { d: path }, group);
        found.style.fill = `color-mix(in oklab, var(--heat-1) ${part}%, var(--heat-0))`;
      }
    });
  }

  shade(column, row) {
    const value = this.values[column * this.data.cells.rows.length + row];
    if (Number.isNaN(value)) return -1;
    const [low, high] = this.data.cells.ends;
    return Math.min(Math.max(Math.round((SHADES - 1) * (value - low) / (high - low || 1)), 0),
      SHADES - 1);
  }

  // A place is the index of a mark, or of a cell: "c" and its index.
  found(event) {
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const cell = this.values ? this.cellAt(x, y) : null;
    let best = cell;
    let least = this.data.nearest && cell === null ? Infinity : REACH_PX;
    this.data.marks.forEach((mark, n) => {
      const far = this.distance(mark, x, y);
      const nearer = mark.b || mark.f ? far < least || far === 0 : far <= least;
      if (nearer && (far < REACH_PX || this.data.nearest)) [best, least] = [n, far];
    });
    return best;
  }

  distance({ x, y, b, f }, px, py) {
    if (f) {
      const [from, to] = f.x.map((part) => this.x(part));
      if (px < from || px > to) return Infinity;
      const part = (px - from) / (to - from);
      let [low, high] = [0, 1];
      for (let n = 0; n < 20; n++) {
        const t = (low + high) / 2;
        if (1.5 * t * (1 - t) + t ** 3 < part) low = t;
        else high = t;
      }
      const top = f.y[0] + (3 - 2 * low) * low * low * (f.y[1] - f.y[0]);
      return Math.max(top - py, py - top - f.h, 0);
    }
    const at = this.x(x);
    const [left, top, right, bottom] = b ? [this.x(b[0]), b[1], this.x(b[2]), b[3]] : [at, y, at, y];
    return Math.hypot(Math.max(left - px, px - right, 0), Math.max(top - py, py - bottom, 0));
  }

  cellAt(px, py) {
    const { x, y, columns, rows } = this.data.cells;
    const [from, to] = x.map((part) => this.x(part));
    const column = Math.floor((px - from) / (to - from) * columns.length);
    const row = Math.floor((y[1] - py) / (y[1] - y[0]) * rows.length);
    if (column < 0 || column >= columns.length || row < 0 || row >= rows.length) return null;
    return this.cell(column, row);
  }

  cell(column, row) {
    const index = column * this.data.cells.rows.length + row;
    return Number.isNaN(this.values[index]) ? null : `c${index}`;
  }

  middle(place) {
    if (typeof place === "number") {
      const { x, y, b } = this.data.marks[place];
      return [this.x(x), b ? Math.max(b[1], 0) : y];
    }
    const { x, y, columns, rows } = this.data.cells;
    const index = Number(place.slice(1));
    const [column, row] = [Math.floor(index / rows.length), index % rows.length];
    return [this.x(x[0] + (column + 0.5) / columns.length * (x[1] - x[0])),
      y[1] - (row + 0.5) / rows.length * (y[1] - y[0])];
  }

  words(place) {
    if (typeof place === "number") return this.data.marks[place].t;
    const { columns, rows, unit } = this.data.cells;
    const index = Number(place.slice(1));
    const value = this.values[index].toLocaleString("en-US", { maximumSignificantDigits: 4 });
    const name = `${columns[Math.floor(index / rows.length)]}, ${rows[index % rows.length]}`;
    return `${name}: ${value} ${unit}`.trim();
  }

  leads(place) {
    return typeof place === "number" ? this.data.marks[place].a : this.data.cells.selectable;
  }

  look(place, aloud) {
    if (place === this.seen) return;
    this.seen = place;
    this.ring?.remove();
    this.tip.hidden = place === null;
    this.stage.classList.toggle("over", place !== null && this.leads(place));
    if (place === null) return;
    this.tip.textContent = this.words(place);
    if (aloud) this.said.textContent = this.tip.textContent;
    const [x, y] = this.middle(place);
    this.drawRing(place, x, y);
    const { offsetWidth: wide, offsetHeight: tall } = this.tip;
    const left = Math.min(Math.max(x - wide / 2, 0), Math.max(this.wide - wide, 0));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${y - tall - 2 * EDGE_PX < -tall ? y + 2 * EDGE_PX : y - tall - EDGE_PX}px`;
  }

  drawRing(place, x, y) {
    const { b, f } = typeof place === "number" ? this.data.marks[place] : {};
    if (f) this.ring = drawn("path", { d: this.flow(f), class: "ring" }, this.picture);
    else if (b) {
      this.ring = drawn("rect", { x: this.x(b[0]) - 1, y: b[1] - 1, height: b[3] - b[1] + 2,
        width: this.x(b[2]) - this.x(b[0]) + 2, class: "ring" }, this.picture);
    } else this.ring = drawn("circle", { cx: x, cy: y, r: 5, class: "ring" }, this.picture);
  }

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.step(arrow);
    else if (event.key === "Enter" || event.key === " ") this.send(this.seen);
    else if (event.key === "Escape") this.look(null, true);
    else return;
    event.preventDefault();
  }

  step([dx, dy]) {
    if (this.values && typeof this.seen !== "number") {
      this.stepCell(dx, dy);
      return;
    }
    const { marks } = this.data;
    if (this.seen === null) {
      if (marks.length) this.look(0, true);
      return;
    }
    const [x, y] = this.centre(marks[this.seen]);
    const { s: series } = marks[this.seen];
    let [best, least] = [null, Infinity];
    marks.forEach((mark, n) => {
      const [ax, ay] = this.centre(mark);
      const along = (ax - x) * dx + (ay - y) * dy;
      const aside = Math.abs((ax - x) * dy) + Math.abs((ay - y) * dx);
      // To the right and left along a line, up and down to another one, where there is one.
      const away = (mark.s === series) === (dx !== 0) ? 0 : 1e6;
      const far = along + aside / 3 + away;
      if (n !== this.seen && along > 0.01 && far < least) [best, least] = [n, far];
    });
    if (best !== null) this.look(best, true);
  }

  centre({ x, y }) {
    return [this.x(x), y];
  }

  stepCell(dx, dy) {
    const { columns, rows, chosen } = this.data.cells;
    const from = this.seen ?? chosen ?? "c0";
    const index = Number(from.slice(1));
    const column = Math.floor(index / rows.length) + (this.seen === null ? 0 : dx);
    const row = index % rows.length - (this.seen === null ? 0 : dy);
    if (column < 0 || column >= columns.length || row < 0 || row >= rows.length) return;
    const place = this.cell(column, row);
    if (place !== null) this.look(place, true);
  }

  send(place) {
    if (place === null) return;
    this.look(place, true);
    if (this.leads(place)) this.pick(place);
  }
}

// The values come as integers of two bytes between the ends; the largest stands for no value.
function decoded({ packed, ends }) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const numbers = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 2 }, (_, n) => {
    const whole = numbers.getUint16(2 * n, true);
    return whole === 65535 ? NaN : ends[0] + whole / 65534 * (ends[1] - ends[0]);
  });
}
