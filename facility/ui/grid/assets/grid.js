// Grid of typed cells, or tree: draws the rows in view, and reports what the user does.
//
// Texts are never evaluated here: Python returns a value, or the reason why it is not accepted.

import { block, blockText, csvText, plainText } from "./cells.js";
import { Drawn } from "./draw.js";
import { Editor } from "./editor.js";
import { keyed } from "./keys.js";
import { made, placed } from "./parts.js";

const FIND_MS = 200;
const MIN_COLUMN_PX = 40;
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let view = views.get(parentElement);
  if (!view) {
    view = new View(parentElement);
    views.set(parentElement, view);
  }
  view.report = (outbox) => setStateValue("outbox", outbox);
  view.attach();
  view.show(data);
  return () => view.detach();
}

class View extends Drawn {
  constructor(root) {
    super();
    this.host = root.querySelector("[data-grid]");
    this.find = made("input", "find", this.host);
    this.find.type = "search";
    this.find.autocomplete = "off";
    this.scroll = made("div", "scroll", this.host);
    this.scroll.tabIndex = 0;
    this.head = made("div", "head line", this.scroll);
    this.head.setAttribute("role", "row");
    this.head.setAttribute("aria-rowindex", "1");
    this.body = made("div", "body", this.scroll);
    this.body.setAttribute("role", "rowgroup");
    this.foot = made("div", "foot", this.host);
    this.said = made("div", "hidden", this.host);
    this.said.setAttribute("aria-live", "polite");
    this.tip = made("div", "tip", this.host);
    this.tip.setAttribute("popover", "manual");
    this.editor = new Editor(this.host, (...entry) => this.entered(...entry));
    this.ends = [];
    this.listen();
  }

  listen() {
    const { scroll, find } = this;
    const on = (name, act) => scroll.addEventListener(name, act);
    on("scroll", () => this.paint());
    on("keydown", (event) => keyed(this, event));
    on("focus", () => this.focused());
    on("blur", () => this.hideTip());
    on("pointerdown", (event) => this.pressed(event));
    on("pointermove", (event) => this.dragged(event));
    on("click", (event) => this.clicked(event));
    on("dblclick", (event) => { if (this.placeOf(event)?.line >= 0) this.open(); });
    on("copy", (event) => this.copied(event));
    on("cut", (event) => { if (this.copied(event)) this.clear(); });
    on("paste", (event) => this.pasted(event));
    find.addEventListener("input", () => this.sought());
    find.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      this.scroll.focus();
    });
  }

  attach() {
    if (this.ends.length) return;
    const observer = new ResizeObserver(() => this.paint());
    observer.observe(this.scroll);
    const touch = matchMedia("(pointer: coarse)");
    const changed = () => this.laidOut();
    touch.addEventListener("change", changed);
    this.ends = [() => observer.disconnect(), () => touch.removeEventListener("change", changed)];
  }

  detach() {
    for (const end of this.ends) end();
    this.ends = [];
    this.hideTip();
  }

  show(data) {
    const before = this.data;
    this.taken(data);
    if (before && before.name !== data.name) {
      this.find.value = "";
      this.scroll.scrollTop = 0;
    }
    // The field follows the filter, on a new page and for another project, except under typing.
    const typing = this.seeking || this.outbox.some((event) => event.kind === "find");
    if (this.tree && !typing && this.find.value.trim() !== data.words) this.find.value = data.words;
    this.laidOut();
    if (data.selected && before?.selected !== data.selected) this.bring(this.lineOf(data.selected));
  }

  // Scrolls to a selected row, and never the page.
  bring(line) {
    const row = this.drawn.get(line);
    const top = this.flow ? row?.offsetTop ?? 0 : line * this.rowPx;
    const { scrollTop, clientHeight } = this.scroll;
    if (line < 0 || (top >= scrollTop && top + 2 * this.rowPx < scrollTop + clientHeight)) return;
    this.scroll.scrollTop = top - clientHeight / 2;
    this.paint();
  }

  // Cells

  enter() {
    const { line, col } = this.active;
    if (line < 0) this.sort(col);
    else if (this.canEdit(line, col)) this.open();
    else if (this.data.selects && !this.columns[col].link) this.choose(line);
    else this.explain();
  }

  // typed: the first letter, if the cell is opened by typing.
  open(typed) {
    const { line, col } = this.active;
    if (this.tree || line < 0 || !this.canEdit(line, col)) return;
    if (this.isFlag(line, col)) {
      this.toggle();
      return;
    }
    this.reveal();
    this.hideTip();
    const { text, entry, options } = this.markAt(line, col);
    const column = options ? { ...this.columns[col], options } : this.columns[col];
    this.editor.open({
      at: { id: this.idAt(line), key: column.key, col },
      column,
      cell: this.cellAt(line, col),
      text: this.typedAt(line, col) ?? entry ?? text ?? plainText(column, this.valueAt(line, col)),
      label: `${column.head}, ${this.textAt(line, 0) || `row ${line + 1}`}`,
      selected: typed,
    });
  }

  entered(at, text, direction) {
    const line = at.id ? this.lineOf(at.id) : this.active.line;
    if (text !== null) this.write([[at.id, at.key, text]]);
    if (!direction) return;
    this.scroll.focus({ preventScroll: true });
    const [rows, columns] = direction;
    const wraps = at.col + columns >= this.columns.length;
    if (wraps) this.moveTo(line + 1, 0);
    else this.moveTo(Math.max(0, (line < 0 ? this.active.line : line) + rows), at.col + columns);
  }

  isFlag(line, col) {
    return line >= 0 && this.columns[col].kind === "flag" && this.canEdit(line, col);
  }

  toggle() {
    const { line, col } = this.active;
    const now = this.typedAt(line, col) ?? String(this.valueAt(line, col) ?? false);
    const text = now === "true" ? "false" : "true";
    this.write([[this.idAt(line), this.columns[col].key, text]]);
  }

  clear() {
    this.filled(() => "");
  }

  fillDown() {
    const [top, bottom] = this.span("line");
    const from = top === bottom ? top - 1 : top;
    if (from >= 0) this.filled((line, col) => (line === from ? null : this.plainAt(from, col)));
  }

  // Writes a text into every editable cell of the selection for which there is one.
  filled(textOf) {
    const [top, bottom] = this.span("line");
    const [left, right] = this.span("col");
    const cells = [];
    for (let line = top; line <= bottom; line += 1) {
      for (let col = left; col <= right; col += 1) {
        if (!this.idAt(line) || !this.canEdit(line, col)) continue;
        const text = textOf(line, col);
        if (text !== null && text !== this.plainAt(line, col)) {
          cells.push([this.idAt(line), this.columns[col].key, text]);
        }
      }
    }
    if (cells.length) this.write(cells);
  }

  plainAt(line, col) {
    const { text, entry } = this.markAt(line, col);
    return this.typedAt(line, col) ?? entry ?? text
      ?? plainText(this.columns[col], this.valueAt(line, col));
  }

  shift(rows, columns) {
    const { line, col } = this.active;
    if (!this.data.moves || line < 0 || !this.idAt(line)) return false;
    this.send({ kind: "move", id: this.idAt(line), key: this.columns[col].key, rows, columns });
    return true;
  }

  chooseAll() {
    this.anchor = { line: 0, col: 0 };
    this.active = this.inside({ line: this.count - 1, col: this.columns.length - 1 });
    this.paintSelection();
  }

  choose(line) {
    const id = this.idAt(line);
    if (!id) return;
    if (this.tree && this.table.heads[line]) this.unfold(line);
    else this.send({ kind: "select", id });
  }

  unfold(line) {
    const state = this.table.states[line];
    if (!state) return;
    this.drawn.get(line)?.querySelector(".fold")?.classList.add("turned");
    this.send({ kind: state === "open" ? "shut" : "open", id: this.ids[line] });
  }

  sort(col) {
    if (!this.data.sorts) return;
    const { key } = this.columns[col];
    const next = { 0: 1, 1: -1, [-1]: 0 };
    this.direction = this.sortedBy === key ? next[this.direction ?? 0] : 1;
    this.sortedBy = key;
    this.refreshed();
  }

  resize(event, cell, column) {
    event.preventDefault();
    event.stopPropagation();
    const [from, wide] = [event.clientX, cell.offsetWidth];
    const grip = event.target;
    grip.setPointerCapture(event.pointerId);
    grip.addEventListener("pointermove", ({ clientX }) => {
      this.widths.set(column.key, Math.max(MIN_COLUMN_PX, wide + clientX - from));
      this.measure();
    });
    grip.addEventListener("pointerup", () => this.laidOut(), { once: true });
  }

  // Pointer

  placeOf(event) {
    const head = event.target.closest?.("[data-head]");
    if (head) return { line: -1, col: Number(head.dataset.head) };
    const row = event.target.closest?.("[data-line]");
    if (!row) return null;
    const cell = event.target.closest("[data-col]");
    return { line: Number(row.dataset.line), col: Number(cell?.dataset.col ?? 0) };
  }

  pressed(event) {
    const at = this.placeOf(event);
    if (!at || event.button || at.line < 0) return;
    this.was = this.active;
    this.moved = false;
    this.dragging = event.pointerType === "mouse" && !this.tree;
    this.moveTo(at.line, at.col, event.shiftKey);
  }

  dragged(event) {
    if (!this.dragging || !(event.buttons & 1)) return;
    const at = this.placeOf(event);
    if (!at || at.line < 0 || (at.line === this.active.line && at.col === this.active.col)) return;
    this.moved = true;
    this.moveTo(at.line, at.col, true);
  }

  clicked(event) {
    const at = this.placeOf(event);
    if (!at || event.target.closest(".grip")) return;
    if (at.line < 0) {
      this.sort(at.col);
      return;
    }
    if (this.tree) {
      if (event.target.closest(".fold")) this.unfold(at.line);
      else this.choose(at.line);
      return;
    }
    if (this.moved || event.shiftKey) return;
    const again = this.was?.line === at.line && this.was?.col === at.col;
    if (this.isFlag(at.line, at.col)) this.toggle();
    else if (this.canEdit(at.line, at.col)) {
      if (again && event.pointerType !== "mouse") this.open(); // a second tap opens the cell
    } else if (this.explained(at.line, at.col)) this.explain();
    else if (this.data.selects) this.choose(at.line);
  }

  // Clipboard

  texts(top, bottom, left, right) {
    const rows = [];
    for (let line = top; line <= bottom; line += 1) {
      const row = [];
      for (let col = left; col <= right; col += 1) {
        const value = this.typedAt(line, col) ?? this.markAt(line, col).text
          ?? this.valueAt(line, col);
        row.push(typeof value === "number" ? String(Number(value.toPrecision(12)))
          : String(value ?? ""));
      }
      rows.push(row);
    }
    return rows;
  }

  heads() {
    return this.columns.map(({ head, unit }) => (unit ? `${head} (${unit})` : head));
  }

  everything() {
    const last = this.order.length + this.ghosts.length - 1;
    return [this.heads(), ...this.texts(0, last, 0, this.columns.length - 1)];
  }

  copied(event) {
    if (event.target !== this.scroll || this.tree || this.active.line < 0) return false;
    event.preventDefault();
    const rows = this.texts(...this.span("line"), ...this.span("col"));
    event.clipboardData.setData("text/plain", blockText(rows));
    this.say(`${rows.length * rows[0].length} cells copied`);
    return true;
  }

  async copyAll() {
    await navigator.clipboard?.writeText(blockText(this.everything()));
    this.say("Table copied");
  }

  download() {
    const link = made("a", "", null);
    const text = `\ufeff${csvText(this.everything())}\r\n`;
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = `${this.data.label.replace(/[^\w-]+/g, "-").slice(0, 60) || "table"}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  pasted(event) {
    if (event.target !== this.scroll || this.tree) return;
    event.preventDefault();
    const rows = block(event.clipboardData.getData("text/plain"));
    const [top, bottom] = this.span("line");
    const [left, right] = this.span("col");
    if (rows.length === 1 && rows[0].length === 1 && (bottom > top || right > left)) {
      this.filled(() => rows[0][0]);
      return;
    }
    const [cells, added, skipped] = [[], [], { cells: 0, rows: 0 }];
    rows.forEach((texts, down) => {
      const id = this.idAt(top + down);
      const row = {};
      texts.slice(0, this.columns.length - left).forEach((text, across) => {
        const { key } = this.columns[left + across];
        if (!this.columns[left + across].editable) skipped.cells += 1;
        else if (!id) row[key] = text;
        else if (this.canEdit(top + down, left + across)) cells.push([id, key, text]);
        else skipped.cells += 1;
      });
      if (!id && this.data.adds) added.push(row);
      else if (!id) skipped.rows += 1;
    });
    if (cells.length || added.length) this.write(cells, added);
    const width = Math.max(...rows.map((row) => row.length));
    this.anchor = this.inside({ line: top, col: left });
    this.active = this.inside({ line: top + rows.length - 1, col: left + width - 1 });
    this.paintSelection();
    this.say(`${rows.length} rows pasted${skipped.cells ? `, ${skipped.cells} read-only cells kept` : ""}`
      + `${skipped.rows ? `, ${skipped.rows} rows do not fit` : ""}`);
  }

  // Focus

  moveTo(line, col, extend = false) {
    this.active = this.inside({ line, col });
    if (!extend) this.anchor = this.active;
    this.reveal();
    this.paintSelection();
    this.showTip();
  }

  reveal() {
    const { scroll, rowPx } = this;
    if (!this.flow && this.active.line >= 0) {
      const top = this.active.line * rowPx;
      const room = scroll.clientHeight - this.head.offsetHeight;
      if (top < scroll.scrollTop) scroll.scrollTop = top;
      else if (top + rowPx > scroll.scrollTop + room) scroll.scrollTop = top + rowPx - room;
      this.paint();
    }
    const cell = this.cellAt(this.active.line, this.active.col);
    if (!cell || this.tree) return;
    if (this.flow) cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.active.col === 0) return;
    const fixed = this.head.firstChild?.offsetWidth ?? 0;
    const left = cell.offsetLeft - fixed;
    const right = cell.offsetLeft + cell.offsetWidth - scroll.clientWidth;
    if (left < scroll.scrollLeft) scroll.scrollLeft = left;
    else if (right > scroll.scrollLeft) scroll.scrollLeft = right;
  }

  refreshed() {
    this.ordered();
    this.active = this.inside(this.active);
    this.anchor = this.inside(this.anchor);
    this.laidOut();
  }

  say(text) { this.said.textContent = text; }

  focused() {
    this.leaving = false;
    this.paintSelection();
    this.showTip();
  }

  showTip() {
    const { line, col } = this.active;
    const mark = line >= 0 && !this.tree ? this.markAt(line, col) : {};
    const cell = this.cellAt(line, col);
    const shown = mark.error && cell && this.scroll.matches(":focus")
      && this.typedAt(line, col) === undefined;
    if (!shown) {
      this.hideTip();
      return;
    }
    this.tip.textContent = mark.error;
    this.say(mark.error);
    placed(this.tip, cell);
  }

  hideTip() {
    if (this.tip.isConnected && this.tip.matches(":popover-open")) this.tip.hidePopover();
  }

  sought() {
    clearTimeout(this.seeking);
    this.seeking = setTimeout(() => {
      this.seeking = 0;
      this.words = this.find.value.trim().toLowerCase();
      if (this.tree) this.send({ kind: "find", text: this.find.value.trim() });
      else this.refreshed();
    }, FIND_MS);
  }
}
