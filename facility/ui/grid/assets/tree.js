// One row of a tree: a mark that opens it, an icon, words, and a figure at the right.

import { icon, made } from "./parts.js";

const INDENT_PX = 14;

export function drawTree(view, line) {
  const { table, ids, data } = view;
  const row = made("div", "line", null);
  const state = table.states[line];
  const selected = ids[line] === data.selected;
  row.id = `r-${line}`;
  row.dataset.line = String(line);
  row.setAttribute("role", "row");
  row.setAttribute("aria-rowindex", String(line + 1));
  row.setAttribute("aria-level", String(table.depths[line] + 1));
  row.setAttribute("aria-selected", String(selected));
  if (state) row.setAttribute("aria-expanded", String(state === "open"));
  row.classList.toggle("selected", selected);
  row.classList.toggle("heading", Boolean(table.heads[line]));
  row.style.paddingLeft = `${6 + INDENT_PX * table.depths[line]}px`;
  const cell = made("div", "branch", row);
  cell.setAttribute("role", "gridcell");
  const fold = made("span", "fold", cell);
  if (state) icon(state, fold);
  if (table.icons[line]) icon(table.icons[line], cell);
  const words = made("span", "words", cell);
  words.textContent = table.cells[0][line];
  words.title = table.cells[0][line];
  const figure = made("span", `figure ${table.status[line]}`, cell);
  figure.textContent = table.figures[line];
  return row;
}
