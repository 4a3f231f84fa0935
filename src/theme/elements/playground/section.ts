import { make } from '../assistant/dom.ts';

/** A part of the form with a heading. */
export function formSection(title: string, ...children: (Node | string)[]): HTMLElement {
  return make('section', 'd-pg-section', make('h3', 'd-pg-title', title), ...children);
}
