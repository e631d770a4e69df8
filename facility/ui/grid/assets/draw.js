// Drawing of a grid: head, foot, the rows in view, and the selection.

import { shownText, widthOf } from "./cells.js";
import { icon, made } from "./parts.js";
import { Rows } from "./rows.js";
import { drawTree } from "./tree.js";

const FLOW_ROWS = 60; // above this a table scrolls, and only rows in view are drawn
const FOOT_ROWS = 10;
const OVERSCAN = 8;
const MAX_VIEW_PX = 4000; // until its style arrives, a table is as tall as all of its rows
const ROW_PX = { grid: 28, tree: 26, touch: 44 };
const FONT = "13px 'Source Sans', 'Source Sans Pro', sans-serif";

export class Drawn extends Rows {
  laidOut() {
    const { data, columns, scroll } = this;
    const touch = matchMedia("(pointer: coarse)").matches;
    this.rowPx = touch ? ROW_PX.touch : ROW_PX[data.mode];
    this.flow = !this.tree && !this.data.oneLine && this.count <= FLOW_ROWS;
    this.host.classList.toggle("tree", this.tree);
    this.host.classList.toggle("flow", this.flow);
    this.host.classList.toggle("selects", Boolean(data.selects));
    this.host.style.setProperty("--row", `${this.rowPx}px`);
    this.host.style.setProperty("--tall", data.height ? `${data.height}px` : "");
    scroll.setAttribute("role", this.tree ? "treegrid" : "grid");
    scroll.setAttribute("aria-label", data.label);
    scroll.setAttribute("aria-rowcount", String(this.count + (this.tree ? 0 : 1)));
    scroll.setAttribute("aria-colcount", String(columns.length));
    scroll.setAttribute("aria-readonly", String(!columns.some((one) => one.editable)));
    scroll.setAttribute("aria-multiselectable", String(!this.tree));
    this.find.hidden = !(this.tree ? data.finds : !data.adds && this.ids.length > FLOW_ROWS);
    this.find.placeholder = data.finds || "Find in table";
    this.find.setAttribute("aria-label", this.find.placeholder);
    this.measure();
    this.drawHead();
    this.drawFoot();
    this.body.style.height = this.flow ? "" : `${this.count * this.rowPx}px`;
    this.drawn?.clear();
    this.body.querySelectorAll(".line").forEach((row) => row.remove());
    this.drawn = new Map();
    this.paint();
    this.editor.place(this.cellAt(this.lineOf(this.editor.at?.id), this.editor.at?.col));
  }

  measure() {
    if (this.tree) return;
    const isFixed = ({ right, width, kind }) => right || width || kind === "flag";
    const grows = !this.columns.every(isFixed);
    let total = 0;
    const tracks = this.columns.map((column, col) => {
      const fixed = this.widths.get(column.key);
      if (fixed) {
        total += fixed;
        return `${fixed}px`;
      }
      const wide = widthOf(column, this.table.texts?.[col] ?? this.table.cells[col], FONT);
      const least = this.flow && !column.right ? Math.min(wide, 120) : wide;
      total += least;
      return grows && isFixed(column) ? `${wide}px` : `minmax(${least}px, ${wide}fr)`;
    });
    this.host.style.setProperty("--tracks", tracks.join(" "));
    this.host.style.setProperty("--wide", `${total}px`);
  }

  drawHead() {
    this.head.hidden = this.tree;
    this.head.replaceChildren();
    if (this.tree) return;
    this.columns.forEach((column, col) => {
      const cell = made("div", `cell ${column.right ? "right" : ""}`, this.head);
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-colindex", String(col + 1));
      cell.id = `h-${col}`;
      cell.dataset.head = String(col);
      const words = made("span", "words", cell);
      words.textContent = column.head;
      if (column.unit) made("span", "unit", words).textContent = ` (${column.unit})`;
      if (column.help) cell.title = column.help;
      if (this.data.sorts) {
        const on = this.direction && column.key === this.sortedBy;
        const sort = on ? (this.direction > 0 ? "ascending" : "descending") : "none";
        cell.setAttribute("aria-sort", sort);
        cell.classList.toggle("sorted", Boolean(on));
        made("span", "arrow", cell).textContent = on ? (this.direction > 0 ? "↑" : "↓") : "";
      }
      made("span", "grip", cell).addEventListener("pointerdown", (e) => this.resize(e, cell, column));
    });
  }

  drawFoot() {
    const { data, foot } = this;
    foot.replaceChildren();
    const edits = data.adds || data.removes;
    foot.hidden = this.tree || !(edits || this.ids.length >= FOOT_ROWS);
    if (foot.hidden) return;
    const shown = this.order.length.toLocaleString("en-US");
    const all = this.ids.length.toLocaleString("en-US");
    const rows = this.ids.length === 1 ? "row" : "rows";
    made("span", "count", foot).textContent = shown === all ? `${all} ${rows}` : `${shown} of ${all} ${rows}`;
    const button = (text, act) => {
      const one = made("button", "", foot);
      one.type = "button";
      one.textContent = text;
      one.addEventListener("click", act);
    };
    if (data.adds) button("Add row", () => this.add([{}]));
    if (data.removes) button("Delete row", () => this.remove());
    button("Copy", () => this.copyAll());
    button("CSV", () => this.download());
  }

  paint() {
    if (!this.data) return;
    const { scroll, body, count, rowPx } = this;
    const bottom = scroll.scrollTop + Math.min(scroll.clientHeight, MAX_VIEW_PX);
    const first = this.flow ? 0
      : Math.max(0, Math.floor((scroll.scrollTop - this.head.offsetHeight) / rowPx) - OVERSCAN);
    const last = this.flow ? count - 1
      : Math.min(count - 1, Math.ceil(bottom / rowPx) + OVERSCAN);
    for (const [line, row] of this.drawn) {
      if (line < first || line > last) {
        row.remove();
        this.drawn.delete(line);
      }
    }
    for (let line = first; line <= last; line += 1) {
      if (this.drawn.has(line)) continue;
      const row = this.tree ? drawTree(this, line) : this.drawRow(line);
      row.style.top = this.flow ? "" : `${line * rowPx}px`;
      this.drawn.set(line, row);
      body.appendChild(row);
    }
    this.paintSelection();
  }

  drawRow(line) {
    const row = made("div", "line", null);
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", String(line + 2));
    row.dataset.line = String(line);
    const id = this.idAt(line);
    if (this.data.selected && id === this.data.selected) row.classList.add("selected");
    this.columns.forEach((column, col) => row.appendChild(this.drawCell(column, line, col)));
    return row;
  }

  drawCell(column, line, col) {
    const cell = made("div", "cell", null);
    const mark = this.markAt(line, col);
    const typed = this.typedAt(line, col);
    const text = this.textAt(line, col);
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-colindex", String(col + 1));
    cell.id = `c-${line}-${col}`;
    cell.dataset.col = String(col);
    const kinds = { right: column.right, centre: column.kind === "flag", edit: this.canEdit(line, col),
      pending: typed !== undefined, error: mark.error && typed === undefined, was: "was" in mark,
      dim: mark.dim && typed === undefined, why: this.explained(line, col), link: column.link, joined: mark.joined,
      rest: mark.rest };
    for (const [kind, on] of Object.entries(kinds)) if (on) cell.classList.add(kind);
    if (mark.status) cell.classList.add(mark.status);
    cell.textContent = column.kind === "flag" && typed !== undefined
      ? (typed === "true" ? "✓" : "") : text;
    if (column.kind === "flag" && !kinds.edit) cell.setAttribute("aria-label", text ? "yes" : "no");
    if (mark.locked) icon("lock", cell);
    if (kinds.error) {
      cell.setAttribute("aria-invalid", "true");
      made("span", "hidden", cell).textContent = `. Not accepted: ${mark.error}`;
    }
    if (kinds.was) {
      cell.title = `Was ${mark.was || "empty"}`;
      made("span", "hidden", cell).textContent = `. Was ${mark.was || "empty"}`;
    } else if (text.length > 24 && !this.flow) cell.title = text;
    return cell;
  }

  cellAt(line, col) {
    if (line < 0 && col !== undefined) return this.head.children[col];
    const row = this.drawn.get(line);
    return this.tree ? row : row?.children[col ?? -1];
  }

  paintSelection() {
    const [top, bottom] = this.span("line");
    const [left, right] = this.span("col");
    const wide = bottom > top || right > left;
    for (const [line, row] of this.drawn) {
      if (this.tree) {
        row.classList.toggle("active", line === this.active.line);
        continue;
      }
      [...row.children].forEach((cell, col) => {
        const inside = line >= top && line <= bottom && col >= left && col <= right;
        cell.classList.toggle("chosen", wide && inside);
        cell.classList.toggle("active", line === this.active.line && col === this.active.col);
        cell.setAttribute("aria-selected", String(inside));
      });
    }
    for (const [col, cell] of [...this.head.children].entries()) {
      cell.classList.toggle("active", this.active.line < 0 && col === this.active.col);
    }
    const at = this.cellAt(this.active.line, this.active.col);
    if (at) this.scroll.setAttribute("aria-activedescendant", at.id);
    else this.scroll.removeAttribute("aria-activedescendant");
  }
}
