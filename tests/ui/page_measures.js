// What a reader would notice on the page: faint text, cut text, labels on labels, key numbers in
// rows that are not alike, or in more than one where there is room for one.
() => {
  const rgba = (text) => {
    const parts = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return parts.length === 3 ? [...parts, 1] : parts;
  };
  const over = (top, under) =>
    [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((v) => {
      const part = v / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement || at.getRootNode().host) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 1 && box.height > 1 && style.visibility === "visible" &&
      box.left >= 0 && !element.closest("[disabled],[aria-disabled=true]");
  };
  const solid = (element) => {
    let opacity = 1;
    for (let at = element; at; at = at.parentElement || at.getRootNode().host) opacity *= +getComputedStyle(at).opacity;
    return opacity;
  };
  const faint = [];
  const root = document.querySelector("[data-testid=stApp]");
  const charts = [...document.querySelectorAll("*")]
    .map((element) => element.shadowRoot?.querySelector("[data-chart]")).filter(Boolean);
  const nodes = [root, ...charts].flatMap((part) => {
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) found.push(walk.currentNode);
    return found;
  });
  let count = 0;
  for (const node of nodes) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (!text || !seen(element) || element.closest("style,script,noscript,canvas,table")) continue;
    if (element.matches("[data-testid=stIconMaterial]")) continue;
    const style = getComputedStyle(element);
    const colour = rgba(element.closest("svg") ? style.fill : style.color);
    const paper = behind(element.closest("svg") ? element.closest("svg").parentElement : element);
    const ink = over([...colour.slice(0, 3), colour[3] * solid(element)], paper);
    count += 1;
    const ratio = contrast(ink, paper);
    if (ratio < 4.5) faint.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  const cut = [...document.querySelectorAll(
    "[data-testid=stMetricValue] *, [data-testid=stMetricDelta] *, [data-testid=stMetricLabel] *")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === "hidden")
    .map((e) => e.textContent);
  const overlapping = [];
  for (const chart of charts) {
    const texts = [...chart.querySelectorAll("svg text, .entry")];
    const boxes = texts.filter((e) => e.textContent.trim())
      .map((e) => [e.textContent, e.getBoundingClientRect()]);
    const frame = chart.getBoundingClientRect();
    boxes.forEach(([a, p], i) => {
      if (p.left < frame.left - 2 || p.right > frame.right + 2) overlapping.push(`${a} leaves`);
      boxes.slice(i + 1).forEach(([b, q]) => {
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 2 && high > 4) overlapping.push(`${a} on ${b}`);
      });
    });
  }
  const main = document.querySelector("[data-testid=stMain]");
  const rows = new Map();
  const grids = [...document.querySelectorAll("[class*=st-key-] *")].map((one) => one.shadowRoot);
  const first = grids.find((root) => root?.querySelector(".grid"));
  for (const card of first?.querySelectorAll(".cell") ?? []) {
    const top = Math.round(card.getBoundingClientRect().top);
    rows.set(top, (rows.get(top) || 0) + 1);
  }
  const wide = first?.querySelector(".grid").clientWidth >= 1060;
  const sizes = [...rows.values()];
  const many = sizes.reduce((sum, one) => sum + one, 0);
  // So many in a row, or fewer, could make rows that are alike.
  const alike = Array.from({ length: sizes[0] ?? 0 }, (_, n) => n + 1)
    .some((columns) => columns > 1 && many % columns === 0);
  const uneven = (alike && new Set(sizes).size > 1) || (wide && rows.size > 1) ? sizes : [];
  return { uneven, count, faint, cut, overlapping, sideways: main.scrollWidth - main.clientWidth };
}
