const SMALLEST = 0.25;
const LARGEST = 8;
const STEP = 1.3;
const MOVE_PX = 80;

interface Point {
  x: number;
  y: number;
}

const KEYS: Record<string, (view: PanZoom) => void> = {
  '+': (view) => view.zoomIn(),
  '=': (view) => view.zoomIn(),
  '-': (view) => view.zoomOut(),
  '0': (view) => view.reset(),
  ArrowLeft: (view) => view.move(1, 0),
  ArrowRight: (view) => view.move(-1, 0),
  ArrowUp: (view) => view.move(0, 1),
  ArrowDown: (view) => view.move(0, -1),
};

/** Pans and zooms the contents of a stage: by buttons, keys, dragging, Ctrl and the wheel, and two fingers. */
export class PanZoom {
  readonly #stage: HTMLElement;
  readonly #canvas: HTMLElement;
  readonly #pointers = new Map<number, Point>();
  #scale = 1;
  #at: Point = { x: 0, y: 0 };

  constructor(stage: HTMLElement, canvas: HTMLElement) {
    this.#stage = stage;
    this.#canvas = canvas;
  }

  /** Adds the input listeners. */
  start(): void {
    const stage = this.#stage;
    stage.addEventListener('keydown', (event) => this.#onKey(event));
    stage.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.#onDown(event));
    stage.addEventListener('pointermove', (event) => this.#onMove(event));
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      stage.addEventListener(end, (event) => this.#onEnd(event));
  }

  zoomIn(): void {
    this.#zoomAt(STEP, this.#center);
  }

  zoomOut(): void {
    this.#zoomAt(1 / STEP, this.#center);
  }

  reset(): void {
    this.#scale = 1;
    this.#at = { x: 0, y: 0 };
    this.#paint();
  }

  /** Pans the view: `move(1, 0)` shows what is further left. */
  move(x: number, y: number): void {
    this.#shift({ x: x * MOVE_PX, y: y * MOVE_PX });
  }

  get #isChanged(): boolean {
    return this.#scale !== 1 || this.#at.x !== 0 || this.#at.y !== 0;
  }

  get #center(): Point {
    return { x: this.#stage.clientWidth / 2, y: this.#stage.clientHeight / 2 };
  }

  #shift(by: Point): void {
    this.#at = { x: this.#at.x + by.x, y: this.#at.y + by.y };
    this.#paint();
  }

  /** The point under the finger stays in place. */
  #zoomAt(factor: number, point: Point): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * factor));
    const ratio = scale / this.#scale;
    this.#at = { x: point.x - (point.x - this.#at.x) * ratio, y: point.y - (point.y - this.#at.y) * ratio };
    this.#scale = scale;
    this.#paint();
  }

  /** Keeps a part of the drawing visible. */
  #paint(): void {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const keep = (value: number, size: number): number => Math.min(size * 0.9, Math.max(-size * (this.#scale - 0.1), value));
    this.#at = { x: keep(this.#at.x, width), y: keep(this.#at.y, height) };
    const { x, y } = this.#at;
    this.#canvas.style.transform = this.#isChanged ? `translate(${x}px,${y}px) scale(${this.#scale})` : '';
    this.#stage.toggleAttribute('data-moved', this.#isChanged);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.#stage || event.altKey || event.ctrlKey || event.metaKey) return;
    // Without zoom, there is nothing to pan, and the arrow keys scroll the page.
    if (event.key.startsWith('Arrow') && !this.#isChanged) return;
    const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act(this);
  }

  /** The wheel alone scrolls the page; a touchpad pinch is reported as Ctrl and the wheel. */
  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey && !this.#stage.closest('dialog')) return;
    event.preventDefault();
    this.#zoomAt(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 120), this.#pointOf(event));
  }

  #pointOf(event: MouseEvent): Point {
    const box = this.#stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest('a')) return;
    this.#pointers.set(event.pointerId, this.#pointOf(event));
    // One finger scrolls the page until the drawing is zoomed.
    if (event.pointerType === 'mouse' || this.#isChanged || this.#pointers.size > 1)
      this.#stage.setPointerCapture(event.pointerId);
  }

  #onMove(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const distance = (point: Point): number => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      this.#zoomAt(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else if (this.#stage.hasPointerCapture(event.pointerId)) {
      this.#shift({ x: now.x - before.x, y: now.y - before.y });
    }
  }

  #onEnd(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
  }
}
