import { type Html, trustedHtml } from '../../core/html.ts';

/** The icons of the interface itself, drawn on a 24 × 24 grid with a line of 1.75. */
const DRAWINGS = {
  search: '<circle cx="10.75" cy="10.75" r="6.5"/><path d="m15.5 15.5 5 5"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>',
  moon: '<path d="M20.5 14.2A8.5 8.5 0 1 1 9.8 3.5a7 7 0 0 0 10.7 10.7Z"/>',
  system: '<rect x="3" y="4.5" width="18" height="12" rx="2"/><path d="M9 20.5h6M12 16.5v4"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  copy: '<rect x="8.5" y="8.5" width="12" height="12" rx="2.5"/><path d="M15.5 5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2"/>',
  markdown:
    '<path d="M13.5 3.5h-6a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-10Z"/><path d="M13.5 3.5v5h5M9 13h6M9 16.5h4"/>',
  globe:
    '<circle cx="12" cy="12" r="8.75"/><path d="M3.25 12h17.5M12 3.25c2.4 2.4 3.6 5.3 3.6 8.75s-1.2 6.35-3.6 8.75c-2.4-2.4-3.6-5.3-3.6-8.75S9.6 5.65 12 3.25Z"/>',
  back: '<path d="M19 12H5M11 6l-6 6 6 6"/>',
  forward: '<path d="M5 12h14M13 6l6 6-6 6"/>',
  lines: '<path d="M4 6.5h16M4 12h10M4 17.5h13"/>',
} as const;

export type InterfaceIcon = keyof typeof DRAWINGS;

/** One icon as inline SVG, hidden from assistive technology: the control around it carries the name. */
export function interfaceIcon(name: InterfaceIcon, sizePx = 16): Html {
  return trustedHtml(
    `<svg class="d-i" width="${sizePx}" height="${sizePx}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${DRAWINGS[name]}</svg>`,
  );
}
