import { fill } from '../../../translations/fill.ts';
import { make } from '../../assistant/dom.ts';
import type { FormFrame } from '../fields/control.ts';

const MAX_MESSAGES = 200;
const MAX_CHARACTERS = 20_000;

/** The messages of a connection as text, newest first. */
export class MessageLog {
  readonly element: HTMLElement;
  readonly #frame: FormFrame;
  readonly #list = make('ol', 'd-pg-log');
  readonly #note = make('p', 'd-pg-hint');

  constructor(frame: FormFrame) {
    this.#frame = frame;
    this.#note.hidden = true;
    this.#list.setAttribute('aria-label', frame.texts.messages);
    this.#list.tabIndex = 0;
    this.element = make('div', 'd-pg-fields', this.#list, this.#note);
  }

  add(direction: 'sent' | 'received', text: string): void {
    const { texts } = this.#frame;
    const time = new Date().toLocaleTimeString(document.documentElement.lang || 'en');
    const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    const entry = make(
      'li',
      '',
      make('p', 'd-pg-hint', `${texts[direction]} · ${time}`),
      make('pre', 'd-pg-text', indented(shown)),
    );
    entry.dataset.direction = direction;
    this.#list.prepend(entry);
    if (this.#list.childElementCount <= MAX_MESSAGES) return;
    this.#list.lastElementChild?.remove();
    this.#note.hidden = false;
    this.#note.textContent = fill(texts.partMessages, { count: String(MAX_MESSAGES) });
  }
}

/** JSON over several lines; other text as it is. */
function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
