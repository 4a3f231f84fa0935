import { type DiagramTexts, diagramTexts } from './diagram-texts.ts';
import type { PanZoom } from './pan-zoom.ts';

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

function button(action: Action, texts: DiagramTexts, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.dataset.do = action;
  made.title = texts[action];
  made.setAttribute('aria-label', texts[action]);
  made.append(sign(action));
  made.addEventListener('click', act);
  return made;
}

/** The buttons of one diagram. */
export function diagramControls(view: PanZoom, toggleFullscreen: () => void): HTMLElement {
  const texts = diagramTexts();
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
  const group = document.createElement('div');
  group.className = 'd-mermaid-actions';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', texts.diagram);
  const moves = document.createElement('div');
  moves.className = 'd-mermaid-moves';
  moves.append(...MOVES.map((action) => button(action, texts, acts[action])));
  group.append(moves, ...ALWAYS.map((action) => button(action, texts, acts[action])));
  return group;
}
