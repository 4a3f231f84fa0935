import type { DiagramMessages } from '../../translations/translations.ts';
import { button, make } from '../dom.ts';
import { PanZoom } from './pan-zoom.ts';

/** Minimum height for controls, unless the author sets it. */
const TALL_PX = 120;
/** Smallest scale of a drawing: its text is still readable. Wider drawings scroll sideways. */
const MIN_SCALE = 0.45;

/** A rendered diagram: the stage to pan and zoom, its controls, and its full screen. */
export class DiagramView {
  readonly #element: HTMLElement;
  readonly #texts: DiagramMessages;
  readonly #canvas = make('div', 'd-diagram-canvas');
  readonly #stage = make('div', 'd-diagram-stage', this.#canvas);
  readonly #panZoom: PanZoom;
  #controls: HTMLElement | undefined;
  #dialog: HTMLDialogElement | undefined;

  constructor(element: HTMLElement, texts: DiagramMessages) {
    this.#element = element;
    this.#texts = texts;
    this.#panZoom = new PanZoom(this.#stage, this.#canvas);
    element.append(this.#stage);
  }

  /** @param svg the library's output, sanitized */
  show(svg: string): void {
    this.#canvas.innerHTML = svg;
    const drawing = this.#canvas.querySelector('svg');
    if (drawing)
      drawing.style.minWidth = `min(${drawing.viewBox.baseVal.width * MIN_SCALE}px, 400vw)`;
    const actionsSetting = this.#element.dataset.actions;
    const hasControls =
      actionsSetting === undefined ? this.#stage.offsetHeight > TALL_PX : actionsSetting === 'true';
    if (hasControls && !this.#controls) this.#addControls();
    this.#label(drawing);
  }

  #addControls(): void {
    this.#controls = diagramControls(this.#panZoom, this.#texts, () => this.#toggleFullscreen());
    this.#stage.after(this.#controls);
    this.#panZoom.start();
  }

  /** The drawing's own title, or the kind of diagram. */
  #label(svg: SVGSVGElement | null): void {
    const title = svg?.querySelector(':scope > title')?.textContent;
    const label = title || this.#texts.diagram;
    if (this.#controls || this.#stage.scrollWidth > this.#stage.offsetWidth) {
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
    const dialog = make('dialog', 'd-diagram-full');
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
    this.#setFullscreenLabel(this.#texts.close);
    this.#fullscreenButton?.focus();
  }

  #closeFullscreen(dialog: HTMLDialogElement): void {
    this.#dialog = undefined;
    this.#element.append(...dialog.childNodes);
    this.#element.style.minHeight = '';
    dialog.remove();
    this.#panZoom.reset();
    this.#setFullscreenLabel(this.#texts.fullscreen);
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

/** Panning by buttons, for readers who cannot drag. */
const MOVES = ['left', 'up', 'down', 'right'] as const;
const ALWAYS = ['zoomOut', 'zoomIn', 'reset', 'fullscreen'] as const;
type Action = (typeof MOVES)[number] | (typeof ALWAYS)[number];

const DRAWINGS: Record<Action, string> = {
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  up: 'm6 14 6-6 6 6',
  down: 'm6 10 6 6 6-6',
  zoomIn: 'M12 6v12M6 12h12',
  zoomOut: 'M6 12h12',
  reset: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4.5 8.8M4.5 4v4.8h4.8',
  fullscreen: 'M9 4.5H4.5V9M15 4.5h4.5V9M9 19.5H4.5V15M15 19.5h4.5V15',
};

const SVG = 'http://www.w3.org/2000/svg';

function sign(action: Action): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', DRAWINGS[action]);
  svg.append(path);
  return svg;
}

function actionButton(action: Action, label: string, act: () => void): HTMLButtonElement {
  const control = button('', act, sign(action));
  control.dataset.do = action;
  control.title = label;
  control.setAttribute('aria-label', label);
  return control;
}

/** The buttons of one diagram. */
function diagramControls(
  view: PanZoom,
  texts: DiagramMessages,
  toggleFullscreen: () => void,
): HTMLElement {
  const acts: Record<Action, () => void> = {
    left: () => view.move(1, 0),
    right: () => view.move(-1, 0),
    up: () => view.move(0, 1),
    down: () => view.move(0, -1),
    zoomIn: () => view.zoomIn(),
    zoomOut: () => view.zoomOut(),
    reset: () => view.reset(),
    fullscreen: toggleFullscreen,
  };
  const buttonFor = (action: Action): HTMLButtonElement =>
    actionButton(action, texts[action], acts[action]);
  const group = make(
    'div',
    'd-diagram-actions',
    make('div', 'd-diagram-moves', ...MOVES.map(buttonFor)),
    ...ALWAYS.map(buttonFor),
  );
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', texts.diagram);
  return group;
}
