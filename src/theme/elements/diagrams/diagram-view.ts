import { diagramControls } from './diagram-controls.ts';
import { diagramTexts } from './diagram-texts.ts';
import { PanZoom } from './pan-zoom.ts';

/** Minimum height for controls, unless the author sets it. */
const TALL_PX = 120;

/** A rendered diagram: the stage to pan and zoom, its controls, and its full screen. */
export class DiagramView {
  readonly #element: HTMLElement;
  readonly #stage = document.createElement('div');
  readonly #panZoom: PanZoom;
  #controls: HTMLElement | undefined;
  #dialog: HTMLDialogElement | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#stage.className = 'd-mermaid-stage';
    const canvas = document.createElement('div');
    canvas.className = 'd-mermaid-canvas';
    this.#stage.append(canvas);
    this.#panZoom = new PanZoom(this.#stage, canvas);
    element.append(this.#stage);
  }

  /** @param svg the library's output, sanitized */
  show(svg: string): void {
    const canvas = this.#stage.firstElementChild as HTMLElement;
    canvas.innerHTML = svg;
    const wanted = this.#element.dataset.actions;
    const hasControls = wanted === undefined ? this.#stage.offsetHeight > TALL_PX : wanted === 'true';
    if (hasControls && !this.#controls) this.#addControls();
    this.#label(canvas.querySelector('svg'));
  }

  #addControls(): void {
    this.#controls = diagramControls(this.#panZoom, () => this.#toggleFullscreen());
    this.#stage.after(this.#controls);
    this.#panZoom.start();
  }

  /** The drawing's own title, or the kind of diagram. */
  #label(svg: SVGSVGElement | null): void {
    const title = svg?.querySelector(':scope > title')?.textContent;
    const label = title || diagramTexts().diagram;
    if (this.#controls) {
      this.#stage.setAttribute('role', 'group');
      this.#stage.setAttribute('aria-label', label);
      this.#stage.tabIndex = 0;
    }
    if (svg && !svg.hasAttribute('aria-labelledby')) svg.setAttribute('aria-label', label);
  }

  #toggleFullscreen(): void {
    if (this.#dialog) this.#dialog.close();
    else this.#openFullscreen();
  }

  #openFullscreen(): void {
    const dialog = document.createElement('dialog');
    dialog.className = 'd-mermaid-full';
    dialog.dataset.plate = this.#element.dataset.plate;
    dialog.setAttribute('aria-label', this.#stage.getAttribute('aria-label') ?? '');
    // The placeholder keeps its height, so that the scroll position is the same after closing.
    this.#element.style.minHeight = `${this.#element.offsetHeight}px`;
    if (this.#controls) dialog.append(this.#stage, this.#controls);
    dialog.addEventListener('close', () => this.#closeFullscreen(dialog));
    document.body.append(dialog);
    this.#dialog = dialog;
    this.#panZoom.reset();
    dialog.showModal();
    this.#setFullscreenLabel(diagramTexts().close);
    this.#fullscreenButton?.focus();
  }

  #closeFullscreen(dialog: HTMLDialogElement): void {
    this.#dialog = undefined;
    this.#element.append(...dialog.childNodes);
    this.#element.style.minHeight = '';
    dialog.remove();
    this.#panZoom.reset();
    this.#setFullscreenLabel(diagramTexts().fullscreen);
    this.#fullscreenButton?.focus();
  }

  get #fullscreenButton(): HTMLButtonElement | null {
    return this.#controls?.querySelector<HTMLButtonElement>('[data-do="fullscreen"]') ?? null;
  }

  #setFullscreenLabel(label: string): void {
    const button = this.#fullscreenButton;
    if (!button) return;
    button.setAttribute('aria-label', label);
    button.title = label;
  }
}
