// Rows of a grid: data of Python, texts not acknowledged yet, and the events that report them.
//
// Every action is an event with a serial number. Events stay in the outbox, and typed texts stay in
// their cells, until Python has acknowledged the serial number: a rerun cannot lose them.

import { shownText, sorted, unpacked } from "./cells.js";

export class Rows {
  constructor() {
    this.client = Math.random().toString(36).slice(2);
    this.serial = 0;
    this.outbox = [];
    this.pending = new Map(); // "id key" -> { text, n }
    this.ghosts = []; // rows added here that Python has not returned yet
    this.widths = new Map();
    this.active = { line: 0, col: 0 };
    this.anchor = this.active;
  }

  taken(data) {
    const restarted = this.data && this.data.session !== data.session;
    this.acknowledged(data.ack);
    if (data.name !== this.data?.name) this.renewed();
    const ends = [this.active, this.anchor].map(({ line, col }) => (
      { line, col, id: this.idAt(line), key: this.columns?.[col]?.key }));
    this.data = data;
    this.tree = data.mode === "tree";
    this.columns = data.columns.map((one) => ({ ...one, right: one.kind === "number" }));
    if (data.body !== this.source) {
      this.source = data.body;
      this.table = JSON.parse(data.body);
      this.table.cells = this.table.cells.map(unpacked);
      this.ids = this.table.ids;
    }
    this.ordered();
    // The selection follows its rows, which may have been moved.
    [this.active, this.anchor] = ends.map((end) => {
      const line = this.lineOf(end.id);
      const col = this.columns.findIndex((one) => one.key === end.key);
      return this.inside(line >= 0 && col >= 0 ? { line, col } : end);
    });
    if (this.tree && data.selected) this.active = this.inside({ line: this.lineOf(data.selected), col: 0 });
    if (restarted && this.outbox.length) this.post(); // the server has lost what it was sent
  }

  // Another subject is shown: nothing of the view of the last one applies to it.
  renewed() {
    this.order = undefined;
    this.direction = 0;
    this.sortedBy = "";
    this.active = { line: 0, col: 0 };
    this.anchor = this.active;
    this.widths.clear();
    this.words = "";
  }

  // Events

  send(event) {
    this.serial += 1;
    this.outbox.push({ ...event, n: this.serial });
    this.post();
    return this.serial;
  }

  post() {
    this.report({ client: this.client, events: [...this.outbox] });
  }

  acknowledged(ack) {
    if (ack.client !== this.client) return;
    this.outbox = this.outbox.filter((one) => one.n > ack.serial);
    for (const [name, { n }] of this.pending) if (n <= ack.serial) this.pending.delete(name);
    this.ghosts = this.ghosts.filter((one) => one.n > ack.serial);
  }

  // Writes texts into cells; cells of the empty last row make a new row.
  write(cells, added = []) {
    const fresh = cells.filter(([id]) => id === "");
    const known = cells.filter(([id]) => id !== "");
    if (known.length) {
      const n = this.send({ kind: "edit", cells: known });
      for (const [id, key, text] of known) this.pending.set(`${id} ${key}`, { text, n });
    }
    const rows = [...(fresh.length ? [Object.fromEntries(fresh.map(([, ...cell]) => cell))] : []),
      ...added];
    if (rows.length) this.add(rows);
    else this.refreshed();
  }

  add(rows) {
    const made = rows.map((cells, n) => ({ id: `${this.client}-${this.serial}-${n}`, cells }));
    const n = this.send({ kind: "add", rows: made });
    this.ghosts.push(...made.map((row) => ({ ...row, n })));
    for (const { id, cells } of made) {
      for (const [key, text] of Object.entries(cells)) this.pending.set(`${id} ${key}`, { text, n });
    }
    this.refreshed();
  }

  remove() {
    const [top, bottom] = this.span("line");
    const ids = [];
    for (let line = top; line <= bottom; line += 1) if (this.idAt(line)) ids.push(this.idAt(line));
    if (ids.length) this.send({ kind: "remove", ids });
    this.say(`${ids.length} ${ids.length === 1 ? "row" : "rows"} deleted`);
  }

  explain() {
    const { line, col } = this.active;
    const column = this.columns[col];
    if (this.explained(line, col)) this.send({ kind: "why", id: this.idAt(line), key: column.key });
  }

  explained(line, col) {
    const [mark, column] = [this.markAt(line, col), this.columns[col]];
    return mark.why ?? (column.link || (column.why && typeof this.valueAt(line, col) === "number"));
  }

  // Rows: those of Python in the chosen order, rows not returned yet, and an empty row to type in.

  ordered() {
    const { cells } = this.table;
    const known = new Set(this.ids);
    this.ghosts = this.ghosts.filter((one) => !known.has(one.id));
    let order = [...this.ids.keys()];
    const words = this.tree ? "" : this.words;
    if (words) order = order.filter((row) => this.matches(row, words));
    const by = this.columns.findIndex((one) => one.key === this.sortedBy);
    if (this.direction && by >= 0) sorted(order, cells[by], this.direction);
    this.order = order;
    this.at = new Map(order.map((row, line) => [this.ids[row], line]));
    this.count = order.length + this.ghosts.length + (this.data.adds ? 1 : 0);
  }

  matches(row, words) {
    return this.columns.some((_, col) =>
      this.shownIn(row, col).toLowerCase().includes(words));
  }

  sourceOf(line) { return this.order && line < this.order.length ? this.order[line] : -1; }

  idAt(line) {
    const source = this.sourceOf(line);
    if (source >= 0) return this.ids[source];
    return this.order ? this.ghosts[line - this.order.length]?.id ?? "" : "";
  }

  lineOf(id) {
    if (this.at?.has(id)) return this.at.get(id);
    const ghost = id ? this.ghosts.findIndex((one) => one.id === id) : -1;
    return ghost >= 0 ? this.order.length + ghost : -1;
  }

  valueAt(line, col) {
    const source = this.sourceOf(line);
    return source < 0 ? null : this.table.cells[col][source];
  }

  markAt(line, col) {
    const source = this.sourceOf(line);
    return this.table.marks?.[source]?.[col] ?? {};
  }

  shownIn(row, col) {
    if (row < 0) return "";
    return this.table.texts?.[col]?.[row] ?? shownText(this.columns[col], this.table.cells[col][row]);
  }

  typedAt(line, col) {
    return this.pending.get(`${this.idAt(line)} ${this.columns[col].key}`)?.text;
  }

  textAt(line, col) {
    return this.typedAt(line, col) ?? this.markAt(line, col).text ?? this.shownIn(this.sourceOf(line), col);
  }

  canEdit(line, col) {
    const { locked, rest } = this.markAt(line, col);
    return this.columns[col].editable && !locked && !rest;
  }

  inside({ line, col }) {
    const top = this.data.sorts ? -1 : 0;
    return {
      line: Math.max(top, Math.min(line, this.count - 1)),
      col: Math.max(0, Math.min(col, this.columns.length - 1)),
    };
  }

  span(which) {
    const [a, b] = [this.active[which], this.anchor[which]];
    return which === "line" ? [Math.max(0, Math.min(a, b)), Math.max(a, b)]
      : [Math.min(a, b), Math.max(a, b)];
  }
}
