// A surface that shows a part of a picture: zoom and pan with wheel, pointers and fingers.

const DRAG_PX = 5;

export class Surface {
  // `heard` receives pressed(x, y), zoomed(factor, at) and placed().
  constructor(stage, heard) {
    this.stage = stage;
    this.heard = heard;
    this.size = [0, 0];
    this.box = null; // left, top and pixels per unit
    this.most = 4;
    this.pointers = new Map();
  }

  attach(ends) {
    const on = (name, act, options) => {
      this.stage.addEventListener(name, act, options);
      ends.push(() => this.stage.removeEventListener(name, act, options));
    };
    on("wheel", (event) => this.wheeled(event), { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.moved(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.up(event));
  }

  show(picture, size, most) {
    this.picture?.remove();
    this.picture = picture;
    this.size = size;
    this.most = most;
    this.stage.appendChild(picture);
  }

  room() {
    return [this.stage.clientWidth, this.stage.clientHeight];
  }

  least() {
    const [wide, tall] = this.room();
    return Math.min(wide / this.size[0], tall / this.size[1]);
  }

  place([x, y, scale]) {
    const [width, height] = this.size;
    const [wide, tall] = this.room();
    if (!wide || !tall) return;
    const least = this.least();
    const k = Math.min(Math.max(scale, least), Math.max(this.most, least));
    const within = (at, seen, whole, part) =>
      seen >= whole ? (whole - seen) * part : Math.min(Math.max(at, 0), whole - seen);
    const left = within(x, wide / k, width, 0.5);
    const top = within(y, tall / k, height, 0.1);
    this.box = [left, top, k];
    this.whole = k <= least * 1.001;
    this.picture.setAttribute("viewBox", `${left} ${top} ${wide / k} ${tall / k}`);
    this.stage.style.touchAction = this.whole ? "pan-y" : "none";
    this.heard.placed();
  }

  fit() {
    this.place([0, 0, this.least()]);
  }

  zoom(factor, at) {
    const [wide, tall] = this.room();
    const [px, py] = at || [wide / 2, tall / 2];
    const [x, y, k] = this.box;
    const next = Math.min(Math.max(k * factor, this.least()), this.most);
    this.place([x + px / k - px / next, y + py / k - py / next, next]);
  }

  pan(dx, dy) {
    const [wide, tall] = this.room();
    const [x, y, k] = this.box;
    this.place([x + dx * wide / k, y + dy * tall / k, k]);
  }

  centre(x, y, k) {
    const [wide, tall] = this.room();
    this.place([x - wide / k / 2, y - tall / k / 2, k]);
  }

  // Returns the point of the picture at a point of the page.
  point(clientX, clientY) {
    const [px, py] = this.at({ clientX, clientY });
    const [x, y, k] = this.box;
    return [x + px / k, y + py / k];
  }

  sees(x, y) {
    const [wide, tall] = this.room();
    const [left, top, k] = this.box;
    return x > left && y > top && x < left + wide / k && y < top + tall / k;
  }

  at(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  wheeled(event) {
    if (!this.box) return;
    const out = event.deltaY > 0;
    if (out && this.whole && !this.heard.above()) return; // the page scrolls instead
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.heard.zoomed(Math.exp(-event.deltaY * lines * 0.0016), this.at(event));
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.at(event));
    this.dragged = this.pointers.size > 1;
    this.start = this.at(event);
    this.pressed = [event.clientX, event.clientY]; // the page may move before the pointer is released
    this.aimed = this.heard.aimed(event.clientX, event.clientY);
  }

  moved(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    const [x, y, k] = this.box;
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId);
      const far = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
      this.heard.zoomed(far(now, other[1]) / Math.max(far(before, other[1]), 1),
        [(now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2]);
      this.dragged = true;
    } else {
      const gone = Math.hypot(now[0] - this.start[0], now[1] - this.start[1]);
      if (!this.dragged && gone < DRAG_PX) return;
      if (!this.dragged) this.stage.setPointerCapture(event.pointerId);
      this.dragged = true;
      if (!this.whole) this.place([x - (now[0] - before[0]) / k, y - (now[1] - before[1]) / k, k]);
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.dragged || event.type !== "pointerup") return;
    if (this.aimed) this.heard.chosen(this.aimed);
  }
}
