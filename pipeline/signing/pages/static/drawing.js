/* A canvas to draw on with a mouse, a pen or a finger. */

const INK = "#101828";
const WIDTH = 6; // in pixels of the canvas
const PREFIX = "data:image/png;base64,";

export class Pad {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    Object.assign(this.context, { lineWidth: WIDTH, lineCap: "round", lineJoin: "round", strokeStyle: INK, fillStyle: INK });
    this.isEmpty = true;
    canvas.addEventListener("pointerdown", (event) => this.begin(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (this.last = null));
  }

  /** The place of a pointer on the canvas, which may be shown smaller than it is. */
  place({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [((clientX - left) / width) * this.canvas.width, ((clientY - top) / height) * this.canvas.height];
  }

  begin(event) {
    if (event.button || !event.isPrimary) return;
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.last = this.middle = this.place(event);
    this.isEmpty = false;
    this.context.beginPath();
    this.context.arc(...this.last, WIDTH / 2, 0, 2 * Math.PI);
    this.context.fill();
  }

  move(event) {
    if (!this.last || !event.isPrimary) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const point of (events.length ? events : [event]).map((one) => this.place(one))) this.curve(point);
  }

  /** Draw to the middle of the way to a point, so that the line has no corners. */
  curve(point) {
    const middle = [(this.last[0] + point[0]) / 2, (this.last[1] + point[1]) / 2];
    this.context.beginPath();
    this.context.moveTo(...this.middle);
    this.context.quadraticCurveTo(...this.last, ...middle);
    this.context.stroke();
    [this.last, this.middle] = [point, middle];
  }

  clear() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.isEmpty = true;
  }

  /** The drawing as a PNG in base64; an empty text without one. */
  read() {
    return this.isEmpty ? "" : this.canvas.toDataURL("image/png").slice(PREFIX.length);
  }

  /** Bring back a drawing that the page was sent with. */
  async restore(text) {
    try {
      const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      this.context.drawImage(await createImageBitmap(new Blob([bytes], { type: "image/png" })), 0, 0);
      this.isEmpty = false;
    } catch {
      // The server says that the drawing cannot be read.
    }
  }
}
