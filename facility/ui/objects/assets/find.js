// Search box with its results: arrows move the highlight, Enter takes the highlighted entry.
//
// The server searches what is typed; texts are set as text, never as markup.

const TYPED_MS = 120;
const boxes = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  let box = boxes.get(parentElement);
  if (!box) {
    box = new Box(parentElement.querySelector("[data-find]"));
    boxes.set(parentElement, box);
  }
  box.type = (words) => setStateValue("words", words);
  box.take = (id) => setTriggerValue("taken", id);
  box.show(data);
}

class Box {
  constructor(root) {
    this.input = element("input", "words");
    Object.assign(this.input, { type: "search", autocomplete: "off", spellcheck: false });
    this.input.setAttribute("role", "combobox");
    this.input.setAttribute("aria-expanded", "true");
    this.input.setAttribute("aria-controls", "find-list");
    this.list = element("ul", "list");
    this.list.id = "find-list";
    this.list.setAttribute("role", "listbox");
    this.note = element("p", "note");
    this.note.setAttribute("aria-live", "polite");
    root.replaceChildren(this.input, this.list, this.note);
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.at = 0;
    setTimeout(() => this.input.focus(), 60);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.type(this.input.value), TYPED_MS);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.mark(this.at + step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.entered = this.input.value !== this.searched;
      if (!this.entered) this.choose(this.at);
    }
  }

  choose(at) {
    const hit = this.hits[at];
    if (hit) this.take(hit.key);
  }

  mark(at) {
    const rows = [...this.list.children];
    this.at = Math.max(0, Math.min(rows.length - 1, at));
    rows.forEach((row, n) => row.setAttribute("aria-selected", String(n === this.at)));
    rows[this.at]?.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", rows[this.at]?.id ?? "");
  }

  show(data) {
    this.input.placeholder = data.placeholder;
    this.input.setAttribute("aria-label", data.label);
    this.hits = data.hits;
    this.searched = data.words;
    this.note.textContent = data.note;
    this.list.replaceChildren(...data.hits.map((hit, n) => this.row(hit, n)));
    this.mark(0);
    // Enter was pressed before the results of the last letters arrived.
    if (this.entered && this.searched === this.input.value) {
      this.entered = false;
      this.choose(0);
    }
  }

  row(hit, n) {
    const row = element("li", "row");
    row.id = `find-${n}`;
    row.setAttribute("role", "option");
    for (const name of ["kind", "title", "detail"]) {
      const part = element("span", name);
      part.textContent = hit[name];
      row.append(part);
    }
    row.addEventListener("mousemove", () => this.at !== n && this.mark(n));
    row.addEventListener("click", () => this.choose(n));
    return row;
  }
}

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
