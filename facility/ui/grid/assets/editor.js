// The open cell of a grid: a text box, with a pick list where the column has options.

import { made, placed } from "./parts.js";

const MAX_OFFERED = 200;

export class Editor {
  // done receives the text and the direction of the next cell: [rows, columns], or null to stay.
  constructor(host, done) {
    this.host = host;
    this.done = done;
    this.box = null;
    this.list = made("div", "pick", host);
    this.list.setAttribute("popover", "manual");
    this.list.setAttribute("role", "listbox");
    this.list.id = "pick";
    this.list.addEventListener("pointerdown", (event) => this.picked(event));
  }

  get isOpen() { return this.box !== null; }

  // at: id of the row and key of the column; cell: its element; text: what the box contains.
  open({ at, column, cell, text, label, selected }) {
    this.at = at;
    this.column = column;
    this.before = text;
    this.highlighted = -1;
    const box = made("input", `box ${column.right ? "right" : ""}`, null);
    box.type = "text";
    box.value = selected ?? text;
    box.autocomplete = "off";
    box.spellcheck = false;
    box.maxLength = 2000;
    box.setAttribute("aria-label", label);
    if (column.options.length) {
      box.setAttribute("role", "combobox");
      box.setAttribute("aria-controls", "pick");
      box.setAttribute("aria-expanded", "true");
      box.setAttribute("aria-autocomplete", "list");
    }
    box.addEventListener("keydown", (event) => this.typed(event));
    box.addEventListener("input", () => { this.asked = box.value; this.offer(); });
    box.addEventListener("blur", () => this.close(true, null));
    this.box = box;
    this.place(cell);
    box.focus({ preventScroll: true });
    if (selected === undefined) box.select();
    else box.setSelectionRange(box.value.length, box.value.length);
    this.asked = selected ?? "";
    if (column.options.length) this.offer();
  }

  // Keeps the box over its cell after the rows were painted again.
  place(cell) {
    if (!this.box || !cell) return;
    const row = cell.parentElement;
    const style = this.box.style;
    style.top = `${row.offsetTop + cell.offsetTop}px`;
    style.left = `${cell.offsetLeft}px`;
    style.width = `${cell.offsetWidth}px`;
    style.height = `${cell.offsetHeight}px`;
    if (this.box.parentElement !== row.parentElement) row.parentElement.appendChild(this.box);
  }

  offer() {
    if (!this.column.options.length) return;
    const asked = this.asked.trim().toLowerCase();
    const hits = this.column.options.filter((option) => option.toLowerCase().includes(asked));
    hits.sort((a, b) => !a.toLowerCase().startsWith(asked) - !b.toLowerCase().startsWith(asked));
    this.offered = hits.slice(0, MAX_OFFERED);
    this.highlighted = this.asked
      ? Math.min(0, this.offered.length - 1)
      : this.offered.indexOf(this.before);
    this.list.replaceChildren();
    this.offered.forEach((option, n) => {
      const entry = made("div", "option", this.list);
      entry.setAttribute("role", "option");
      entry.id = `option-${n}`;
      entry.textContent = option || "–";
    });
    if (hits.length > MAX_OFFERED) {
      made("div", "more", this.list).textContent = `${hits.length - MAX_OFFERED} more: type to narrow`;
    }
    if (!hits.length) {
      made("div", "more", this.list).textContent = this.column.free
        ? "Not in the list; Enter keeps the text"
        : "No match";
    }
    placed(this.list, this.box);
    this.highlight();
  }

  highlight() {
    [...this.list.querySelectorAll(".option")].forEach((entry, n) => {
      const on = n === this.highlighted;
      entry.classList.toggle("on", on);
      entry.setAttribute("aria-selected", String(on));
      if (on) entry.scrollIntoView({ block: "nearest" });
    });
    if (this.highlighted < 0) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `option-${this.highlighted}`);
  }

  picked(event) {
    event.preventDefault(); // the box keeps the focus, so that blur does not end the entry
    const entry = event.target.closest(".option");
    if (!entry) return;
    this.highlighted = [...this.list.children].indexOf(entry);
    this.close(true, [0, 0]);
  }

  typed(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && this.column.options.length) {
      event.preventDefault();
      const last = this.offered.length - 1;
      this.highlighted = Math.min(Math.max(this.highlighted + steps[event.key], 0), last);
      this.highlight();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.close(true, [event.shiftKey ? -1 : 1, 0]);
    } else if (event.key === "Tab") {
      event.preventDefault();
      this.close(true, [0, event.shiftKey ? -1 : 1]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.close(false, [0, 0]);
    }
  }

  // An entry that is not in a closed list is left as it was: only a listed entry is taken.
  text() {
    const { options, free } = this.column;
    if (!options.length) return this.box.value;
    if (this.highlighted >= 0) return this.offered[this.highlighted];
    const typed = this.box.value.trim();
    return free || !typed || options.includes(typed) ? typed : this.before;
  }

  close(kept, direction) {
    const box = this.box;
    if (!box) return;
    const text = direction === null && this.column.options.length && !this.column.free
      && !this.asked ? this.before : this.text();
    this.box = null; // first: removing a box that has the focus sends blur
    box.remove();
    if (this.list.matches(":popover-open")) this.list.hidePopover();
    this.done(this.at, kept && text !== this.before ? text : null, direction);
  }
}
