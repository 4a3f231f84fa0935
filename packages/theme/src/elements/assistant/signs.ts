import { copyText } from '../content/copy-button.ts';
import { button } from '../dom.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** The icons of the panel, on a 24 × 24 grid. */
const DRAWINGS = {
  sparkle:
    'M11 4.5c.5 4.3 2.7 6.5 7 7-4.3.5-6.5 2.7-7 7-.5-4.3-2.7-6.5-7-7 4.3-.5 6.5-2.7 7-7ZM18.5 3v4M16.5 5h4',
  close: 'm6 6 12 12M18 6 6 18',
  send: 'M12 19.5v-15M5.5 11 12 4.5l6.5 6.5',
  stop: 'M7.5 7.5h9v9h-9Z',
  pencil:
    'M12.5 5H6.5a2 2 0 0 0-2 2v10.5a2 2 0 0 0 2 2H17a2 2 0 0 0 2-2v-6M9.5 14.5l.6-3 8.4-8.4 2.4 2.4-8.4 8.4Z',
  clock: 'M4.2 9.2A8.3 8.3 0 1 1 3.7 13M3.5 4.5v5h5M12 7.8V12l3 2',
  copy: 'M10.5 8.5h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2ZM15.5 5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2',
  check: 'm5 12.8 4.4 4.4L19 7.5',
  up: 'M7.5 11v9M7.5 11l3.8-7c1.6 0 2.5 1.2 2.2 2.7L13 9.5h5.2c1.3 0 2.2 1.2 1.9 2.4l-1.5 6.2c-.2 1-1.1 1.9-2.2 1.9H4.5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z',
  down: 'M7.5 13V4M7.5 13l3.8 7c1.6 0 2.5-1.2 2.2-2.7L13 14.5h5.2c1.3 0 2.2-1.2 1.9-2.4l-1.5-6.2c-.2-1-1.1-1.9-2.2-1.9H4.5a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1Z',
  again: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9M19.5 4.5V9H15',
  out: 'M7 17 17 7M8.5 7H17v8.5',
  page: 'M13.5 3.5h-6a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-10ZM13.5 3.5v5h5',
  warning:
    'M12 8.5v4.5M12 16.5v.1M10.3 4.4 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.4a2 2 0 0 0-3.4 0Z',
} as const;

export type Sign = keyof typeof DRAWINGS;

/**
 * Creates an icon, hidden from assistive technology: the control around it has the accessible name.
 */
export function sign(name: Sign): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', DRAWINGS[name]);
  svg.append(path);
  return svg;
}

/** Creates a labeled icon button. */
export function signButton(
  name: Sign,
  label: string,
  onClick: () => void,
  className = 'icon',
): HTMLButtonElement {
  const control = button(className, onClick, sign(name));
  control.setAttribute('aria-label', label);
  control.title = label;
  return control;
}

const COPIED_MS = 1800;

interface CopyTexts {
  copy: string;
  copied: string;
  copyFailed: string;
}

/**
 * Creates a button that copies the result of `text` at the time of the click, and shows and
 * announces whether that worked.
 */
export function copyButton(
  texts: CopyTexts,
  announce: (text: string) => void,
  text: () => string,
): HTMLButtonElement {
  const control = signButton('copy', texts.copy, () => {
    void copyText(text()).then((copied) => {
      announce(copied ? texts.copied : texts.copyFailed);
      control.replaceChildren(sign(copied ? 'check' : 'close'));
      setTimeout(() => control.replaceChildren(sign('copy')), COPIED_MS);
    });
  });
  return control;
}
