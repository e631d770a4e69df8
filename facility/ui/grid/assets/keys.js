// Keyboard of a grid and of a tree.

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FAR = 1e9;

export function keyed(view, event) {
  if (event.target !== view.scroll || event.isComposing) return;
  const taken = view.tree ? inTree(view, event) : inGrid(view, event);
  if (taken) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function inGrid(view, event) {
  const { key } = event;
  const { line, col } = view.active;
  const ctrl = event.ctrlKey || event.metaKey;
  if (key in ARROWS) return arrow(view, event);
  if (ctrl) return withCtrl(view, key.toLowerCase());
  if (event.altKey) return false;
  const page = Math.max(1, Math.floor(view.scroll.clientHeight / view.rowPx) - 2);
  const jumps = { Home: [line, 0], End: [line, FAR], PageUp: [Math.max(0, line - page), col],
    PageDown: [line + page, col] };
  if (key in jumps) view.moveTo(...jumps[key], event.shiftKey);
  else if (key === "Tab") return tab(view, event.shiftKey ? -1 : 1);
  else if (key === "Enter" || key === "F2") view.enter();
  else if (key === "Escape") view.leaving = true;
  else if (key === "?") view.explain();
  else if (key === "Delete" || key === "Backspace") view.clear();
  else if (key === " " && view.isFlag(line, col)) view.toggle();
  else if (key.length === 1 && line >= 0 && view.canEdit(line, col)) view.open(key);
  else return false;
  return true;
}

function arrow(view, event) {
  const [rows, columns] = ARROWS[event.key];
  const { line, col } = view.active;
  if (event.altKey) return view.shift(rows, columns);
  const far = event.ctrlKey || event.metaKey ? FAR : 1;
  const top = line > 0 && far > 1 ? 0 : -1; // to the first row before the heading
  view.moveTo(Math.max(line + rows * far, top), col + columns * far, event.shiftKey);
  return true;
}

function withCtrl(view, key) {
  if (key === "d") view.fillDown();
  else if (key === "a") view.chooseAll();
  else if (key === "home") view.moveTo(0, 0);
  else if (key === "end") view.moveTo(FAR, FAR);
  else return false;
  return true;
}

// Tab goes to the next cell of a grid with editable cells; after Esc, and at its ends, it leaves.
function tab(view, step) {
  if (view.leaving || !view.columns.some((one) => one.editable)) return false;
  const last = view.columns.length - 1;
  let { line, col } = view.active;
  col += step;
  if (col < 0 || col > last) {
    line += step;
    col = step > 0 ? 0 : last;
  }
  if (line < 0 || line >= view.count) return false;
  view.moveTo(line, col);
  return true;
}

function inTree(view, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return false;
  const { line } = view.active;
  const state = view.table.states[line];
  const ends = { ArrowUp: line - 1, ArrowDown: line + 1, Home: 0, End: FAR };
  if (key in ends) view.moveTo(ends[key], 0);
  else if (key === "ArrowRight" && state === "shut") view.unfold(line);
  else if (key === "ArrowRight" && state === "open") view.moveTo(line + 1, 0);
  else if (key === "ArrowLeft" && state === "open") view.unfold(line);
  else if (key === "ArrowLeft") view.moveTo(parentOf(view.table.depths, line), 0);
  else if (key === "Enter" || key === " ") view.choose(line);
  else return false;
  return true;
}

function parentOf(depths, line) {
  for (let above = line - 1; above >= 0; above -= 1) if (depths[above] < depths[line]) return above;
  return line;
}
