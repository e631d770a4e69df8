// Values of a grid: display text, order, column widths, and blocks copied from a spreadsheet.

const formats = new Map();
const collator = new Intl.Collator("en", { numeric: true });
const MAX_SIGNIFICANT = 6;
const CELL_PX = 22; // padding and border of a cell
const HEAD_PX = 84; // up to this width a heading is on one line
const ARROW_PX = 12;
const MIN_PX = 56;
const MIN_TYPED_PX = 110;
const MAX_PX = 360;
const CHECK = { true: "✓", false: "" };

function formatOf({ digits, plus }) {
  const name = `${digits}${plus}`;
  if (!formats.has(name)) {
    const fixed = digits === null || digits === undefined
      ? { maximumSignificantDigits: MAX_SIGNIFICANT }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const signDisplay = plus ? "exceptZero" : "negative";
    formats.set(name, new Intl.NumberFormat("en-US", { ...fixed, signDisplay }));
  }
  return formats.get(name);
}

export function shownText(column, value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return formatOf(column).format(value);
  if (typeof value === "boolean") return CHECK[value];
  return value;
}

// Returns the text with which a cell is opened: a number has no thousands separator.
export function plainText(column, value) {
  if (typeof value === "number") return shownText(column, value).replaceAll(",", "");
  return value === null || value === undefined ? "" : String(value);
}

// Returns the values of a column; many numbers come as the bytes of an array in base 64.
export function unpacked(column) {
  if (typeof column !== "string") return column;
  const letters = atob(column);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; n += 1) bytes[n] = letters.charCodeAt(n);
  return Array.from(new Float64Array(bytes.buffer), (value) => (Number.isNaN(value) ? null : value));
}

// Returns the order of rows by the values of a column: numbers, then texts, empty cells last.
export function sorted(order, values, direction) {
  const rank = (value) =>
    value === null || value === "" || value === undefined ? 2 : typeof value === "string" ? 1 : 0;
  const compared = (a, b) => {
    const [left, right] = [values[a], values[b]];
    const ranks = rank(left) - rank(right);
    if (ranks) return ranks;
    const by = typeof left === "string" ? collator.compare(left, right) : left - right;
    return direction * by || a - b;
  };
  return order.sort(compared);
}

let pen = null;

function measured(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = font;
  return pen.measureText(text).width;
}

// Returns the width of a column that shows its longest value, up to a limit.
export function widthOf(column, values, font) {
  if (column.width) return column.width;
  if (column.kind === "flag") return MIN_PX + CELL_PX;
  let longest = "";
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (typeof value === "number") {
      if (value < least) least = value;
      if (value > most) most = value;
    } else if (typeof value === "string" && value.length > longest.length) longest = value;
  }
  const ends = least <= most ? [shownText(column, least), shownText(column, most)] : [];
  const title = column.unit ? `${column.head} (${column.unit})` : column.head;
  const words = title.split(/\s+/).map((word) => measured(word, font));
  const head = Math.max(...words, Math.min(measured(title, font), HEAD_PX)) + ARROW_PX;
  const wide = Math.max(head, ...[longest, ...ends].map((text) => measured(text, font)));
  const narrow = column.editable && column.kind !== "number" ? MIN_TYPED_PX : MIN_PX;
  return Math.round(Math.min(Math.max(wide + CELL_PX, narrow), MAX_PX));
}

const quoted = (text) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Returns a block of texts as a spreadsheet takes it from the clipboard.
export function blockText(rows) {
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

export function csvText(rows) {
  const cell = (text) => {
    const safe = /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text; // a spreadsheet would run it
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n");
}

// Returns the cells of a pasted block; a quoted cell may contain tabs and line ends.
export function block(text) {
  const rows = [[]];
  const source = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  let at = 0;
  while (at <= source.length) {
    let cell;
    const end = source[at] === '"' ? closing(source, at) : -1;
    if (end > 0) {
      cell = source.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const stop = source.slice(at).search(/[\t\n]/);
      cell = stop < 0 ? source.slice(at) : source.slice(at, at + stop);
      at += cell.length;
    }
    rows.at(-1).push(cell.trim());
    if (at >= source.length) break;
    if (source[at] === "\n") rows.push([]);
    at += 1;
  }
  return rows;
}

// Returns the position of the quote that ends a cell; -1 if the quote is part of the text.
function closing(source, from) {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] !== '"') continue;
    if (source[at + 1] === '"') at += 1;
    else return at + 1 >= source.length || "\t\n".includes(source[at + 1]) ? at : -1;
  }
  return -1;
}
