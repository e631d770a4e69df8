// One drawing with several views of a design: one state object in, selection and requests out.
//
// At the overview zoom a view shows its overview scene; zoomed in past a threshold, the detailed
// drawing around the same equipment, which is requested when it is first needed.

import { drawn, made, parsed, shape } from "./scene.js";
import { Surface } from "./surface.js";

const NARROW_PX = 620;
const NEAR = 1.6; // zoom over that of the whole at which small names appear
const DETAIL = 2.1; // and at which the detailed drawing takes over
const LEAST_PX = 420;
const TALL_PX = 480; // most, of a drawing without an overview
const LEAST_SCALE = 0.8;
const MOST_SCALE = 1.5;
const LETTER_PX = 12;
const LEAVE_PX = 5;
const REACH_PX = 22;
const STEP = 1.35;
const PAN_PART = 0.15;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const canvases = new WeakMap();
const places = new Map(); // zoom by drawing and view; kept while the page is open

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let canvas = canvases.get(parentElement);
  if (!canvas) {
    canvas = new Canvas(parentElement);
    canvases.set(parentElement, canvas);
  }
  canvas.send = (name, value) => setTriggerValue(name, value);
  canvas.attach();
  canvas.show(data);
  return () => canvas.detach();
}

class Canvas {
  constructor(root) {
    this.host = root.querySelector("[data-canvas]");
    this.bar = made("div", "bar", this.host);
    this.views = made("div", "seg views", this.bar);
    this.views.setAttribute("role", "group");
    this.views.setAttribute("aria-label", "View");
    this.hint = made("span", "hint", this.bar);
    this.zooms = made("div", "seg zooms", this.bar);
    for (const [text, label, act] of [
      ["−", "Zoom out", () => this.zoom(1 / STEP)],
      ["Fit", "Fit the overview", () => this.overview()],
      ["+", "Zoom in", () => this.zoom(STEP)],
    ]) {
      const button = made("button", "", this.zooms, text);
      button.type = "button";
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
    }
    this.strip = made("div", "strip", this.host);
    this.stage = made("div", "stage", this.host);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.foot = made("div", "foot", this.host);
    this.legend = made("div", "legend", this.foot);
    this.note = made("span", "note", this.foot);
    this.said = made("div", "said", this.host);
    this.said.setAttribute("aria-live", "polite");
    this.surface = new Surface(this.stage, this);
    this.ends = [];
    this.layer = "overview";
    this.focus = "";
  }

  attach() {
    if (this.ends.length) return;
    const on = (target, name, act) => {
      target.addEventListener(name, act);
      this.ends.push(() => target.removeEventListener(name, act));
    };
    on(this.stage, "keydown", (event) => this.typed(event));
    on(this.host, "keydown", (event) => this.shortcut(event));
    on(window, "resize", () => this.resized());
    this.surface.attach(this.ends);
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.host);
    this.ends.push(() => observer.disconnect());
  }

  detach() {
    for (const end of this.ends) end();
    this.ends = [];
  }

  // State

  show(data) {
    if (!this.data || data.view !== this.data.view || data.name !== this.data.name) {
      if (!this.asked || this.asked === data.view) this.view = data.view;
    }
    if (this.asked === data.view) this.asked = "";
    if (this.data && data.name !== this.data.name) [this.layer, this.focus] = ["overview", ""];
    if (this.data && data.selected !== this.data.selected) this.focus = "";
    this.data = data;
    this.drawViews();
    this.drawNumbers();
    this.draw();
  }

  get shown() {
    return this.data.views.find((one) => one.id === this.view) || this.data.views[0];
  }

  drawViews() {
    this.views.replaceChildren();
    this.views.hidden = this.data.views.length < 2;
    for (const one of this.data.views) {
      const button = made("button", one.id === this.view ? "on" : "", this.views, one.title);
      button.type = "button";
      button.setAttribute("aria-pressed", String(one.id === this.view));
      button.addEventListener("click", () => this.look(one.id));
    }
  }

  drawNumbers() {
    this.strip.replaceChildren();
    this.strip.hidden = !this.data.numbers.length;
    for (const { label, value, margin, key } of this.data.numbers) {
      const cell = made(key ? "button" : "div", "cell", this.strip);
      made("span", "label", cell, label);
      made("span", `value ${margin}`, cell, value);
      if (!key) continue;
      cell.type = "button";
      cell.title = `Explain: ${label.toLowerCase()}`;
      cell.addEventListener("click", () => this.send("asked", key));
    }
  }

  look(id) {
    if (id === this.view) return;
    [this.view, this.asked, this.layer, this.focus] = [id, id, "overview", ""];
    this.drawViews();
    this.send("viewed", id);
    this.draw();
  }

  draw() {
    const view = this.shown;
    this.plain = !view.layouts && Boolean(view.detail); // one drawing, without an overview
    if (this.plain) this.layer = "detail";
    else if (!view.layouts) {
      this.stage.classList.add("waiting");
      this.hint.textContent = `Loading ${view.title.toLowerCase()} …`;
      return;
    }
    this.stage.classList.remove("waiting");
    this.stage.setAttribute("aria-label", `${view.title}. ${this.data.caption}`);
    if (this.layer === "waiting" && view.detail) this.layer = "detail";
    if (this.layer === "detail" && !view.detail) this.layer = "overview";
    this.narrow = this.host.clientWidth < NARROW_PX;
    this.zooms.children[1].setAttribute("aria-label",
      this.plain ? "Fit drawing to view" : "Fit the overview");
    if (this.layer === "detail") this.drawDetail(view);
    else this.drawOverview(view);
    this.drawLegend(view);
    const kept = places.get(this.key);
    if (kept) this.surface.place(kept);
    else if (this.layer === "detail" && !this.plain) this.enter();
    else this.surface.fit();
    this.mark();
  }

  get key() {
    const layout = this.layer === "detail" ? "detail" : this.narrow ? "narrow" : "wide";
    return [this.data.name, this.view, layout].join("\n");
  }

  drawOverview(view) {
    const scene = this.narrow ? view.layouts.narrow : view.layouts.wide;
    this.scene = scene;
    this.fitHeight(scene.width, scene.height);
    const { picture, under } = drawn(scene);
    this.under = under;
    this.surface.show(picture, [scene.width, scene.height], 8);
    this.areas = scene.targets.map(([tags, x, y, wide, high, words, band]) =>
      ({ id: `t:${tags[0]}`, tags, box: [x, y, wide, high], words, band }));
  }

  drawDetail(view) {
    const found = this.detailOf(view.detail);
    this.scene = null;
    if (this.plain) this.fitHeight(found.width, found.height);
    this.surface.show(found.picture, [found.width, found.height], 14);
    this.under = shape("g", { class: "under" });
    found.picture.prepend(this.under);
    this.areas = [];
    for (const element of found.picture.querySelectorAll("[data-shape]")) {
      const mark = view.detail.marks[element.dataset.shape];
      if (!mark) continue;
      const { x, y, width, height } = element.getBBox();
      this.areas.push({ id: `m:${element.dataset.shape}`, tags: mark.tags, words: mark.words,
        box: [x, y, width, height], band: null });
    }
  }

  detailOf(detail) {
    if (this.parsedText !== detail.svg) {
      this.parsedText = detail.svg;
      this.parsed = parsed(detail.svg);
    }
    return this.parsed;
  }

  // The stage is as high as the scene needs at its width, at most the window less its bars; a scene
  // that would become too small to read keeps its size, and the page scrolls.
  fitHeight(width, height) {
    const wide = this.host.clientWidth;
    if (this.plain) {
      const most = Math.min(TALL_PX, 0.62 * window.innerHeight);
      this.stage.style.height = `${Math.ceil(Math.max(Math.min(wide / width * height, most), 120))}px`;
      return;
    }
    const natural = Math.min(wide / width, MOST_SCALE) * height;
    let tall = natural;
    if (!this.narrow) {
      const free = Math.max(LEAST_PX, window.innerHeight - this.data.bars);
      tall = Math.min(natural, Math.max(free, LEAST_SCALE * height));
    }
    this.stage.style.height = `${Math.ceil(Math.max(tall, 120)) + 2}px`;
  }

  resized() {
    if (!this.data || !this.surface.box || !(this.shown.layouts || this.plain)) return;
    const narrow = this.host.clientWidth < NARROW_PX;
    if (narrow !== this.narrow) {
      this.draw();
      return;
    }
    const whole = this.surface.whole;
    if (this.plain) this.fitHeight(...this.surface.size);
    else if (this.layer !== "detail") this.fitHeight(this.scene.width, this.scene.height);
    if (whole) this.surface.fit();
    else this.surface.place(this.surface.box);
  }

  // Zoom

  placed() {
    const near = this.surface.box[2] >= NEAR * this.surface.least();
    this.stage.classList.toggle("near", near || this.layer === "detail");
    this.stage.classList.toggle("whole", this.surface.whole);
    if (this.surface.whole && (this.plain || this.layer !== "detail")) places.delete(this.key);
    else places.set(this.key, this.surface.box);
    if (this.layer !== "waiting") this.hint.textContent = this.words();
  }

  words() {
    const view = this.shown;
    if (this.layer === "detail" && !this.plain) return `Detail${view.detail.title ? `: ${view.detail.title}` : ""}`;
    return view.hint;
  }

  // Returns whether zooming out leads to another drawing.
  above() {
    return this.layer === "detail" && !this.plain;
  }

  zoom(factor) {
    const at = this.focused();
    const [left, top, k] = this.surface.box;
    const middle = at && [at.box[0] + at.box[2] / 2, at.box[1] + at.box[3] / 2];
    const seen = middle && this.surface.sees(...middle);
    this.zoomed(factor, seen ? [(middle[0] - left) * k, (middle[1] - top) * k] : undefined);
  }

  zoomed(factor, at) {
    if (!this.surface.box) return;
    if (this.layer === "detail" && !this.plain && factor < 1) {
      const letter = this.surface.box[2] * factor * this.shown.detail.letter;
      if (letter < LEAVE_PX || this.surface.whole) {
        this.overview();
        return;
      }
    }
    this.surface.zoom(factor, at);
    const near = this.surface.box[2] >= DETAIL * this.surface.least();
    if (factor > 1 && near && this.layer === "overview" && this.shown.detailed) this.closer(at);
  }

  // Shows the detailed drawing around what is at a point, or requests it.
  closer(at) {
    const { detail } = this.shown;
    this.aim = this.nearest(at)?.tags || [];
    places.delete([this.data.name, this.view, "detail"].join("\n"));
    const marks = detail ? Object.values(detail.marks) : [];
    const known = new Set(marks.flatMap((mark) => mark.tags));
    if (detail && (!this.aim.length || this.aim.some((tag) => known.has(tag)))) {
      this.layer = "detail";
      this.draw();
    } else {
      this.layer = "waiting";
      this.hint.textContent = "Loading the detailed drawing …";
      this.send("detailed", this.aim[0] || "");
    }
  }

  // Looks at the equipment that was in the middle of the overview.
  enter() {
    const wanted = new Set(this.aim || []);
    const area = this.areas.find((one) => one.tags.some((tag) => wanted.has(tag)));
    const k = LETTER_PX / this.shown.detail.letter;
    if (!area) this.surface.fit();
    else this.surface.centre(area.box[0] + area.box[2] / 2, area.box[1] + area.box[3] / 2, k);
  }

  overview() {
    const changed = this.layer !== "overview" && !this.plain;
    if (!this.plain) this.layer = "overview";
    places.delete(this.key);
    if (changed) this.draw();
    else this.surface.fit();
  }

  // Selection

  focused() {
    return this.areas.find((one) => one.id === this.focus)
      || this.areas.find((one) => this.data.selected && one.tags.includes(this.data.selected));
  }

  nearest(at) {
    const [wide, tall] = this.surface.room();
    const [px, py] = at || [wide / 2, tall / 2];
    const [left, top, k] = this.surface.box;
    const [x, y] = [left + px / k, top + py / k];
    return this.best(x, y, Infinity);
  }

  // Returns the area at a point, else the nearest within a distance; the smaller one of equals.
  best(x, y, reach) {
    let [best, least, size] = [null, reach, Infinity];
    for (const one of this.areas) {
      const [left, top, wide, high] = one.box;
      const dx = Math.max(left - x, 0, x - left - wide);
      const dy = Math.max(top - y, 0, y - top - high);
      const far = Math.hypot(dx, dy);
      if (far < least || (far === least && wide * high < size)) {
        [best, least, size] = [one, far, wide * high];
      }
    }
    return best;
  }

  aimed(clientX, clientY) {
    if (!this.surface.box || this.stage.classList.contains("waiting")) return null;
    const [x, y] = this.surface.point(clientX, clientY);
    return this.best(x, y, REACH_PX / this.surface.box[2]);
  }

  chosen(area) {
    [this.focus, this.keyed] = [area.id, false];
    this.data.selected = area.tags[0];
    this.said.textContent = area.words;
    this.mark();
    this.send("picked", area.id);
  }

  // Draws the rings of the selection, of what belongs to it, and of the keyboard.
  mark() {
    this.under.replaceChildren();
    for (const old of this.surface.picture.querySelectorAll(":scope > .ring")) old.remove();
    const related = new Set(this.shown.marked);
    const opened = new Set(this.data.opened);
    for (const one of this.areas) {
      const selected = this.data.selected && one.tags.includes(this.data.selected);
      if (selected && one.band) this.ring(one.band, "band", this.under);
      if (selected) this.ring(one.box, "ring selected", this.surface.picture, 1);
      else if (one.tags.some((tag) => related.has(tag))) {
        this.ring(one.box, "ring related", this.surface.picture);
      }
      if (one.tags.some((tag) => opened.has(tag))) {
        this.ring(one.box, "ring opened", this.surface.picture, 2);
      }
    }
    const focus = this.areas.find((one) => one.id === this.focus);
    if (focus && this.keyed) this.ring(focus.box, "ring focus", this.surface.picture, 3);
  }

  ring([x, y, width, height], kind, parent, pad = 0) {
    shape("rect", { class: kind, x: x - pad, y: y - pad, width: width + 2 * pad,
      height: height + 2 * pad, rx: this.layer === "detail" ? 0.8 : 5 }, parent);
  }

  // Keyboard

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.surface.box) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) this.surface.pan(arrow[0] * PAN_PART, arrow[1] * PAN_PART);
    else if (arrow) this.step(arrow);
    else if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / STEP);
    else if (event.key === "0" || event.key === "Home") this.overview();
    else if (event.key === "Enter" && this.focused()) this.chosen(this.focused());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  shortcut(event) {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "k") this.send("found", true);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (key === "[" || key === "]") this.send("stepped", key === "[" ? -1 : 1);
    else if (key === "v") this.next();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  next() {
    const ids = this.data.views.map((one) => one.id);
    this.look(ids[(ids.indexOf(this.view) + 1) % ids.length]);
  }

  // Goes to the nearest area in one direction, and announces it.
  step([dx, dy]) {
    const from = this.focused();
    const middle = ({ box: [x, y, wide, high] }) => [x + wide / 2, y + high / 2];
    let [best, least] = [null, Infinity];
    const [x0, y0] = from ? middle(from) : [0, 0];
    for (const one of this.areas) {
      if (one === from) continue;
      const [x, y] = middle(one);
      const along = from ? (x - x0) * dx + (y - y0) * dy : 1;
      const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
      if (along > 0.5 && along + 3 * aside < least) [best, least] = [one, along + 3 * aside];
    }
    if (!best) return;
    [this.focus, this.keyed] = [best.id, true];
    this.said.textContent = best.words;
    const [x, y] = middle(best);
    if (!this.surface.sees(x, y)) this.surface.centre(x, y, this.surface.box[2]);
    this.mark();
  }

  drawLegend(view) {
    this.legend.replaceChildren();
    for (const { role, words, kind, colour } of view.legend) {
      const ink = colour || `var(--${role})`;
      const item = made("span", "entry", this.legend);
      const pen = shape("svg", { viewBox: "0 0 20 12", width: 20, height: 12 }, item);
      if (kind === "box") {
        shape("rect", { x: 5, y: 1, width: 10, height: 10, rx: 2, fill: ink }, pen);
      } else if (kind === "cross") {
        shape("path", { d: "M6 2L14 10M14 2L6 10", stroke: ink, "stroke-width": 1.6 },
          pen);
      } else {
        const line = shape("path", { d: "M1 6H19", stroke: ink, "stroke-width": 2 },
          pen);
        if (kind === "dashed") line.setAttribute("stroke-dasharray", "4 3");
      }
      made("span", "", item, words);
    }
    this.note.textContent = view.note;
  }
}
