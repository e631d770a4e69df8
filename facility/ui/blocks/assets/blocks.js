// Numbers in a grid, and lists with one selected row.
//
// All texts are set as text; the icons are the shapes below.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  violation: ["M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3z", "M8 5v3.6M8 10.9v.2"],
  warning: ["M8 2.5l6 10.5H2z", "M8 6.5v3M8 11.3v.2"],
  advice: ["M8 2.5a5.5 5.5 0 110 11 5.5 5.5 0 010-11z", "M8 7.3v3.4M8 5v.2"],
  open: ["M8 2.5a5.5 5.5 0 110 11 5.5 5.5 0 010-11z"],
  waived: ["M8 2.5a5.5 5.5 0 110 11 5.5 5.5 0 010-11z", "M5 8h6"],
  passed: ["M3.5 8.5l3 3 6-7"],
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("[data-blocks]");
  const focused = root.getRootNode().activeElement?.dataset?.id;
  const pick = (id) => setTriggerValue("picked", id);
  const act = (id) => setTriggerValue("acted", id);
  root.replaceChildren(data.mode === "numbers" ? numbers(data.cells, pick) : list(data, pick, act));
  if (focused !== undefined) {
    const again = [...root.querySelectorAll("[data-id]")].find((one) => one.dataset.id === focused);
    again?.focus();
  }
  root.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function element(name, look, ...inside) {
  const one = document.createElement(name);
  one.className = look;
  one.append(...inside.filter((part) => part !== ""));
  return one;
}

function numbers(cells, pick) {
  const grid = element("div", "grid");
  const even = cells.length <= 6 ? cells.length : Math.ceil(cells.length / 2);
  grid.style.setProperty("--wide", Math.max(even, 2));
  grid.style.setProperty("--middle", cells.length % 3 === 0 || cells.length > 4 ? 3 : 2);
  for (const [index, cell] of cells.entries()) {
    const value = element("strong", cell.value ? "" : "pending", cell.value);
    if (cell.unit) value.append(element("small", "", cell.unit));
    const box = element(
      cell.why ? "button" : "div", "cell",
      element("span", "label", cell.label), value, element("span", `note ${cell.look}`, cell.note),
    );
    if (cell.why) {
      box.type = "button";
      box.dataset.id = index;
      box.title = `Explain ${cell.label}`;
      box.onclick = () => pick(String(index));
    }
    grid.append(box);
  }
  return grid;
}

function list(data, pick, act) {
  const whole = element("nav", "list");
  whole.ariaLabel = data.label;
  for (const group of data.groups) {
    if (group.title) {
      const head = element("h3", "", element("span", "", group.title));
      head.append(element("small", group.look, group.remark));
      whole.append(head);
    }
    for (const row of group.rows) whole.append(line(row, data.selected, pick, act));
  }
  whole.addEventListener("keydown", (event) => step(event, whole));
  return whole;
}

function line(row, selected, pick, act) {
  const words = element("span", "words", element("b", "", row.title));
  if (row.text) words.append(element("small", "", row.text));
  const box = element("button", "row", row.icon ? icon(row.icon) : "", words);
  if (row.value || row.remark) {
    const value = element("span", "value");
    if (row.value) {
      const number = element("span", "", element("b", "", row.value));
      if (row.limit) number.append(` ${row.limit}`);
      value.append(number);
    }
    if (row.remark) value.append(element("small", row.look, row.remark));
    box.append(value);
  }
  box.type = "button";
  box.dataset.id = row.id;
  if (row.id === selected) box.ariaCurrent = "true";
  box.onclick = () => pick(row.id);
  if (!row.action) return box;
  const action = element("button", "action", row.action);
  action.type = "button";
  action.ariaLabel = `${row.action}: ${row.title}`;
  action.onclick = () => act(row.id);
  return element("div", "pair", box, action);
}

function icon(name) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 16 16");
  drawn.setAttribute("class", `icon ${name}`);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", name);
  for (const [index, shape] of (ICONS[name] ?? []).entries()) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", shape);
    if (name === "open" && !index) path.setAttribute("stroke-dasharray", "2.2 2");
    drawn.append(path);
  }
  return drawn;
}

// Up and down move the focus; Enter selects, as on any button.
function step(event, whole) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const rows = [...whole.querySelectorAll(".row")];
  const next = rows[rows.indexOf(event.target.closest(".row")) + by];
  if (next) {
    next.focus();
    event.preventDefault();
  }
}
