// Interactive drawing with zoom, pan and selection of shapes.
//
// The SVG document is parsed as XML and copied element by element: only the elements and attributes
// below, text as text. Its content is never interpreted as markup of the page.

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set([
  "svg", "g", "path", "rect", "circle", "polyline", "line", "text", "tspan", "title",
]);
const ATTRIBUTES = new Set([
  "id", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "width", "height", "points",
  "transform", "fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "text-anchor",
  "font-family", "font-size", "font-weight", "text-rendering", "textLength", "lengthAdjust",
]);
const MOST_PX_PER_UNIT = 14;
const READABLE_PX = 9;
const STRIP = 0.15; // fraction of the stage height
const DRAG_PX = 5;
const REACH_PX = 14;
const STEP = 1.35;
const PAN_PART = 0.15;
const MAP_PX = [220, 36];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let view = views.get(parentElement);
  if (!view) {
    view = new View(parentElement);
    views.set(parentElement, view);
  }
  view.pick = (id) => setTriggerValue("picked", id);
  view.attach();
  view.show(data);
  return () => view.detach();
}

// Returns a copy of a node of another document; null if its element is not in the list.
function copied(node, withText) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.nodeValue);
  if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== SVG) return null;
  if (!ELEMENTS.has(node.localName)) return null;
  if (!withText && ["text", "title"].includes(node.localName)) return null;
  const copy = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) {
    if (!ATTRIBUTES.has(name) || /[(:]/.test(value) && name !== "transform") continue;
    if (name === "id") copy.setAttribute("data-shape", value);
    else copy.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    const below = copied(child, withText);
    if (below) copy.appendChild(below);
  }
  return copy;
}

function parsed(text) {
  const found = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = found.documentElement;
  if (found.querySelector("parsererror") || root.localName !== "svg") return null;
  return root;
}

function made(name, kind, parent) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  parent?.appendChild(element);
  return element;
}

class View {
  constructor(root) {
    this.host = root.querySelector("[data-drawing]");
    this.bar = made("div", "bar", this.host);
    this.hint = made("span", "hint", this.bar);
    this.map = made("div", "map", this.bar);
    this.map.setAttribute("aria-hidden", "true");
    this.buttons = [
      ["−", "Zoom out", () => this.zoom(1 / STEP)],
      ["+", "Zoom in", () => this.zoom(STEP)],
      ["Fit", "Fit drawing to view", () => this.fit()],
    ].map(([text, label, act]) => {
      const button = made("button", "", this.bar);
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
      return button;
    });
    this.heads = made("div", "heads", this.host);
    this.stage = made("div", "stage", this.host);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.legend = made("div", "legend", this.host);
    this.said = made("div", "said", this.host);
    this.said.setAttribute("aria-live", "polite");
    this.size = [0, 0];
    this.pointers = new Map();
    this.chosen = null;
    this.ends = [];
  }

  attach() {
    if (this.ends.length) return;
    const on = (target, name, act, options) => {
      target.addEventListener(name, act, options);
      this.ends.push(() => target.removeEventListener(name, act, options));
    };
    on(this.stage, "wheel", (event) => this.wheeled(event), { passive: false });
    on(this.stage, "keydown", (event) => this.typed(event));
    on(this.stage, "pointerdown", (event) => this.down(event));
    on(this.stage, "pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) {
      on(this.stage, name, (event) => this.up(event));
      on(this.map, name, () => { this.mapping = false; });
    }
    on(this.map, "pointerdown", (event) => {
      this.mapping = true;
      this.map.setPointerCapture(event.pointerId);
      this.toMap(event);
    });
    on(this.map, "pointermove", (event) => { if (this.mapping) this.toMap(event); });
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.stage);
    this.ends.push(() => observer.disconnect());
  }

  detach() {
    for (const end of this.ends) end();
    this.ends = [];
  }

  show(data) {
    const source = parsed(data.svg);
    if (!source) {
      this.hint.textContent = "The drawing cannot be displayed. Reload the page.";
      return;
    }
    const [, , width, height] = source.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    const same = this.name === data.name && this.size[0] === width && this.size[1] === height;
    this.marks = data.marks;
    this.data = data;
    this.name = data.name;
    this.size = [width, height];
    this.host.style.setProperty("--paper", data.paper);
    this.host.style.setProperty("--ink", data.ink);
    this.host.style.setProperty("--ring", data.ring);
    this.stage.style.setProperty("--tall", `${data.height}px`);
    this.stage.style.setProperty("--shape", `${width} / ${height}`);
    this.stage.setAttribute("aria-label", data.title);
    this.draw(source);
    this.drawLegend(data.legend);
    this.drawHeads(data.heads);
    if (same && this.box) this.place(this.box);
    else this.begin();
  }

  draw(source) {
    const picture = copied(source, true);
    this.picture?.remove();
    this.picture = picture;
    picture.querySelector(":scope > title")?.remove(); // it would appear as a tooltip over the whole drawing
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    picture.setAttribute("class", "picture");
    this.stage.appendChild(picture);
    this.shapes = new Map();
    for (const shape of picture.querySelectorAll("[data-shape]")) {
      const id = shape.dataset.shape;
      if (!this.marks[id]) continue;
      shape.classList.add("mark", this.marks[id].kind);
      shape.setAttribute("aria-label", this.marks[id].words);
      this.shapes.set(id, shape);
    }
    for (const id of this.data.ringed) this.ring(id, "ring");
    if (this.data.selected) this.ring(this.data.selected, "selected");
    this.drawMap(source);
  }

  ring(id, kind) {
    const shape = this.shapes.get(id);
    if (!shape) return;
    const box = shape.getBBox();
    const ring = document.createElementNS(SVG, "rect");
    const pad = kind === "ring" ? 0.1 : 0.6;
    const place = { x: box.x - pad, y: box.y - pad, rx: 0.8,
      width: box.width + 2 * pad, height: box.height + 2 * pad };
    for (const [name, value] of Object.entries(place)) ring.setAttribute(name, value);
    ring.setAttribute("class", kind);
    (shape.localName === "g" ? shape : shape.parentNode).appendChild(ring);
  }

  drawMap(source) {
    this.map.replaceChildren();
    const small = copied(source, false);
    const [width, height] = this.size;
    const scale = Math.min(MAP_PX[0] / width, MAP_PX[1] / height);
    small.setAttribute("viewBox", `0 0 ${width} ${height}`);
    small.setAttribute("width", width * scale);
    small.setAttribute("height", height * scale);
    this.frame = document.createElementNS(SVG, "rect");
    this.frame.setAttribute("class", "frame");
    small.appendChild(this.frame);
    this.map.appendChild(small);
  }

  drawLegend(entries) {
    this.legend.replaceChildren();
    for (const { colour, fill, dash, words } of entries) {
      const item = made("span", "entry", this.legend);
      const pen = document.createElementNS(SVG, "svg");
      pen.setAttribute("viewBox", "0 0 26 12");
      const line = document.createElementNS(SVG, fill ? "rect" : "path");
      if (fill) {
        for (const [name, value] of [["x", 4], ["y", 1], ["width", 18], ["height", 10]]) {
          line.setAttribute(name, value);
        }
        line.setAttribute("fill", fill);
      } else {
        line.setAttribute("d", "M1 6H25");
        line.setAttribute("stroke-width", 2.4);
        if (dash) line.setAttribute("stroke-dasharray", dash);
      }
      line.setAttribute("stroke", colour);
      pen.appendChild(line);
      item.appendChild(pen);
      made("span", "", item).textContent = words;
    }
  }

  drawHeads(heads) {
    this.heads.replaceChildren();
    this.heads.hidden = !heads.length;
    this.headed = heads.map((head) => {
      const button = made("button", "", this.heads);
      button.type = "button";
      button.tabIndex = -1;
      button.textContent = head.words;
      button.title = head.title;
      button.style.setProperty("--line", head.colour);
      button.addEventListener("click", () => this.lookAt(head.x, head.y, head.wide));
      return [button, head];
    });
  }

  // The box is the visible part of the drawing: left, top, and pixels per unit.
  place([x, y, scale]) {
    const [width, height] = this.size;
    const [wide, tall] = this.room();
    if (!wide || !tall) return;
    const least = this.least();
    const k = Math.min(Math.max(scale, least), Math.max(MOST_PX_PER_UNIT, least));
    const within = (at, seen, whole, part) =>
      seen >= whole ? (whole - seen) * part : Math.min(Math.max(at, 0), whole - seen);
    const left = within(x, wide / k, width, 0.5);
    const top = within(y, tall / k, height, 0.12);
    this.box = [left, top, k];
    this.whole = k <= least * 1.001;
    this.picture.setAttribute("viewBox", `${left} ${top} ${wide / k} ${tall / k}`);
    this.stage.classList.toggle("small", this.tooSmall());
    this.hint.textContent = this.tooSmall() ? this.data.far : this.data.hint;
    this.stage.style.touchAction = this.whole ? "pan-y" : "none";
    this.map.classList.toggle("idle", this.whole);
    for (const [name, value] of [["x", left], ["y", top], ["width", wide / k],
      ["height", tall / k]]) this.frame.setAttribute(name, value);
    this.placeHeads(left, k, wide);
  }

  placeHeads(left, k, wide) {
    let free = 0;
    for (const [button, head] of this.headed) {
      const at = (head.x - left) * k;
      const half = button.offsetWidth / 2 || 12;
      const shown = at - half >= free - 1 && at + half <= wide + 1;
      button.style.visibility = shown ? "visible" : "hidden";
      button.style.left = `${at}px`;
      if (shown) free = at + half + 3;
    }
  }

  room() {
    return [this.stage.clientWidth, this.stage.clientHeight];
  }

  least() {
    const [wide, tall] = this.room();
    return Math.min(wide / this.size[0], tall / this.size[1]);
  }

  tooSmall() {
    return this.box[2] * this.data.text < READABLE_PX * 0.55 && !this.data.large;
  }

  // A thin strip is not readable: the initial view is the top of its first part, with the supply;
  // captions lead to the other parts.
  begin() {
    this.fit();
    const [first] = this.data.heads;
    if (!first || !this.box || this.size[1] * this.box[2] > STRIP * this.room()[1]) return;
    this.lookAt(first.x, first.y, first.wide);
    this.place([this.box[0], 0, this.box[2]]);
  }

  fit() {
    this.place([0, 0, this.least()]);
  }

  resized() {
    if (!this.box) return;
    if (this.whole) this.fit();
    else this.place(this.box);
  }

  zoom(factor, at) {
    const [wide, tall] = this.room();
    const [px, py] = at || [wide / 2, tall / 2];
    const [x, y, k] = this.box;
    const next = Math.min(Math.max(k * factor, this.least()), MOST_PX_PER_UNIT);
    this.place([x + px / k - px / next, y + py / k - py / next, next]);
  }

  lookAt(x, y, wide) {
    const [roomWide, roomTall] = this.room();
    const k = Math.min(roomWide / wide, READABLE_PX * 1.25 / this.data.text);
    this.place([x - roomWide / k / 2, y - roomTall / k / 2, k]);
  }

  wheeled(event) {
    const out = event.deltaY > 0;
    if (out && this.whole) return; // the page scrolls instead
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp(-event.deltaY * lines * 0.0016), this.at(event));
  }

  at(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    const [wide, tall] = this.room();
    const [x, y, k] = this.box;
    if (arrow && event.shiftKey) this.step(arrow);
    else if (arrow) {
      this.place([x + arrow[0] * PAN_PART * wide / k, y + arrow[1] * PAN_PART * tall / k, k]);
    } else if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / STEP);
    else if (event.key === "0" || event.key === "Home") this.fit();
    else if (event.key === "Enter" && this.chosen) this.send(this.chosen);
    else return;
    event.preventDefault();
  }

  // Goes to the nearest shape in one direction, and announces it.
  step([dx, dy]) {
    const [wide, tall] = this.room();
    const [left, top, k] = this.box;
    const from = this.chosen ? this.middle(this.chosen) : [left + wide / k / 2, top + tall / k / 2];
    let best = null;
    let least = Infinity;
    for (const id of this.shapes.keys()) {
      if (id === this.chosen) continue;
      const [x, y] = this.middle(id);
      const along = (x - from[0]) * dx + (y - from[1]) * dy;
      const aside = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
      if (along > 0.01 && along + 3 * aside < least) [best, least] = [id, along + 3 * aside];
    }
    if (!best) return;
    for (const old of this.picture.querySelectorAll(".focus")) old.remove();
    this.chosen = best;
    this.ring(best, "focus");
    this.said.textContent = this.marks[best].words;
    const [x, y] = this.middle(best);
    const near = Math.max(k, READABLE_PX / this.data.text);
    if (near > k || !this.sees(x, y)) {
      this.place([x - wide / near / 2, y - tall / near / 2, near]);
    }
  }

  sees(x, y) {
    const [wide, tall] = this.room();
    const [left, top, k] = this.box;
    return x > left && y > top && x < left + wide / k && y < top + tall / k;
  }

  // Centre of a shape, in drawing units.
  middle(id) {
    const box = this.shapes.get(id).getBoundingClientRect();
    const stage = this.stage.getBoundingClientRect();
    const [left, top, k] = this.box;
    return [left + (box.x + box.width / 2 - stage.x) / k,
      top + (box.y + box.height / 2 - stage.y) / k];
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.at(event));
    this.dragged = this.pointers.size > 1;
    this.start = this.at(event);
    this.aimed = this.nearest(event.clientX, event.clientY); // the page may move before the pointer is released
  }

  moved(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    const [x, y, k] = this.box;
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId);
      const far = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
      this.zoom(far(now, other[1]) / Math.max(far(before, other[1]), 1),
        [(now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2]);
      this.dragged = true;
    } else {
      const gone = Math.hypot(now[0] - this.start[0], now[1] - this.start[1]);
      if (!this.dragged && gone < DRAG_PX) return;
      if (!this.dragged) this.stage.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.place([x - (now[0] - before[0]) / k, y - (now[1] - before[1]) / k, k]);
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.dragged || event.type !== "pointerup") return;
    const [px, py] = this.at(event);
    const [x, y, k] = this.box;
    if (this.tooSmall()) {
      const near = READABLE_PX * 1.25 / this.data.text;
      const [wide, tall] = this.room();
      this.place([x + px / k - wide / near / 2, y + py / k - tall / near / 2, near]);
      return;
    }
    if (this.aimed) this.send(this.aimed);
  }

  toMap(event) {
    const box = this.map.firstChild.getBoundingClientRect();
    const scale = this.size[0] / box.width;
    const [wide, tall] = this.room();
    const k = this.box[2];
    this.place([(event.clientX - box.x) * scale - wide / k / 2,
      (event.clientY - box.y) * scale - tall / k / 2, k]);
  }

  // The shape under the pointer, else the nearest within the touch radius.
  nearest(x, y) {
    let best = null;
    let least = REACH_PX;
    let size = Infinity;
    for (const [id, shape] of this.shapes) {
      const box = shape.getBoundingClientRect();
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const far = Math.hypot(dx, dy);
      const area = box.width * box.height;
      if (far < least || far === least && area < size) [best, least, size] = [id, far, area];
    }
    return best;
  }

  send(id) {
    this.chosen = id;
    this.said.textContent = this.marks[id].words;
    this.pick(id);
  }
}
