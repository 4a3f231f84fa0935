import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomTransform, zoom, zoomIdentity, zoomTransform } from 'd3-zoom';

const STEP = 1.3;
const MOVE_PX = 80;

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

/**
 * Pans and zooms the contents of a stage: by buttons, keys, dragging, Ctrl and the wheel, and two
 * fingers.
 */
export class PanZoom {
  readonly #stage: HTMLElement;
  readonly #zoom = zoom<HTMLElement, unknown>().scaleExtent([0.25, 8]).constrain(keepVisible);

  constructor(stage: HTMLElement, canvas: HTMLElement) {
    this.#stage = stage;
    this.#zoom
      .filter((event: Event) => this.#isMeant(event))
      .on('zoom', ({ transform: { x, y, k } }: D3ZoomEvent<HTMLElement, unknown>) => {
        canvas.style.transform = this.#isChanged ? `translate(${x}px,${y}px) scale(${k})` : '';
        stage.toggleAttribute('data-moved', this.#isChanged);
      });
  }

  /** Adds the input listeners. */
  start(): void {
    select(this.#stage).call(this.#zoom).on('dblclick.zoom', null);
    this.#stage.addEventListener('keydown', (event) => this.#onKey(event));
  }

  zoomIn(): void {
    select(this.#stage).call(this.#zoom.scaleBy, STEP);
  }

  zoomOut(): void {
    select(this.#stage).call(this.#zoom.scaleBy, 1 / STEP);
  }

  reset(): void {
    select(this.#stage).call(this.#zoom.transform, zoomIdentity);
  }

  /** Pans the view: `move(1, 0)` shows what is further left. */
  move(x: number, y: number): void {
    const { k } = zoomTransform(this.#stage);
    select(this.#stage).call(this.#zoom.translateBy, (x * MOVE_PX) / k, (y * MOVE_PX) / k);
  }

  get #isChanged(): boolean {
    const { x, y, k } = zoomTransform(this.#stage);
    return k !== 1 || x !== 0 || y !== 0;
  }

  #isMeant(event: Event): boolean {
    // The wheel alone scrolls the page; a touchpad pinch is reported as Ctrl and the wheel.
    if (event instanceof WheelEvent)
      return event.ctrlKey || event.metaKey || this.#stage.closest('dialog') !== null;
    if ((event.target as Element).closest('a')) return false;
    // One finger scrolls the page until the drawing is zoomed.
    if (event instanceof MouseEvent) return event.button === 0;
    return this.#isChanged || (event as TouchEvent).touches.length > 1;
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
}

/** Keeps a part of the drawing visible. */
function keepVisible(
  { x, y, k }: ZoomTransform,
  [, [width, height]]: [[number, number], [number, number]],
): ZoomTransform {
  const keep = (value: number, size: number): number =>
    Math.min(size * 0.9, Math.max(-size * (k - 0.1), value));
  return zoomIdentity.translate(keep(x, width), keep(y, height)).scale(k);
}
