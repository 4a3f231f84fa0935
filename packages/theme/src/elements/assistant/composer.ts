import type { AssistantMessages } from '../../translations/translations.ts';
import { button, make } from '../dom.ts';
import type { AskContext } from './conversations.ts';
import { sign, signButton } from './signs.ts';

const MAX_QUESTION_LENGTH = 4000;
const SHOWN_CONTEXT = 90;

export interface ComposerHooks {
  send: (question: string, context: AskContext[]) => void;
  stop: () => void;
}

/** The input area: the text field, the context of the question, and the send or stop button. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #texts: AssistantMessages;
  readonly #hooks: ComposerHooks;
  readonly #input = make('textarea');
  readonly #contexts = make('div', 'contexts');
  readonly #button: HTMLButtonElement;
  #context: AskContext[] = [];
  #isBusy = false;

  constructor(texts: AssistantMessages, hooks: ComposerHooks) {
    this.#texts = texts;
    this.#hooks = hooks;
    Object.assign(this.#input, {
      rows: 1,
      placeholder: texts.placeholder,
      maxLength: MAX_QUESTION_LENGTH,
      enterKeyHint: 'send',
    });
    this.#input.setAttribute('aria-label', texts.placeholder);
    this.#button = signButton('send', texts.send, () => this.#press(), 'send');
    const row = make('div', 'field', this.#input, this.#button);
    this.element = make('form', 'composer', this.#contexts, row);
    this.#input.addEventListener('input', () => this.#fit());
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('submit', (event) => event.preventDefault());
    this.#fit();
    this.#showContext();
  }

  focus(): void {
    this.#input.focus({ preventScroll: true });
  }

  set text(value: string) {
    this.#input.value = value;
    this.#fit();
  }

  /** Sets the context of the next question. */
  set context(context: AskContext[]) {
    this.#context = context;
    this.#showContext();
  }

  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy;
    const label = isBusy ? this.#texts.stop : this.#texts.send;
    this.#button.replaceChildren(sign(isBusy ? 'stop' : 'send'));
    this.#button.setAttribute('aria-label', label);
    this.#button.title = label;
    this.#fit();
  }

  set isOff(isOff: boolean) {
    this.#input.disabled = isOff;
    this.#fit();
  }

  #press(): void {
    if (this.#isBusy) this.#hooks.stop();
    else this.#send(this.#input.value.trim());
  }

  #send(question: string): void {
    if (question === '' || this.#isBusy) return;
    const context = this.#context;
    this.text = '';
    this.context = [];
    this.#hooks.send(question, context);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send(this.#input.value.trim());
  }

  /** Grows with its text, up to the limit in the style sheet. */
  #fit(): void {
    this.#button.disabled =
      !this.#isBusy && (this.#input.disabled || this.#input.value.trim() === '');
    this.#input.style.height = 'auto';
    if (this.#input.scrollHeight > 0) this.#input.style.height = `${this.#input.scrollHeight}px`;
  }

  #showContext(): void {
    const chips = this.#context.map((excerpt) => {
      const label = excerpt.type === 'code' ? this.#texts.code : this.#texts.selection;
      const text = excerpt.value.trim().replaceAll(/\s+/g, ' ').slice(0, SHOWN_CONTEXT);
      const remove = signButton('close', this.#texts.remove, () => {
        this.context = this.#context.filter((other) => other !== excerpt);
        this.focus();
      });
      return make(
        'div',
        'context',
        make('span', 'label', label),
        make('span', 'text', text),
        remove,
      );
    });
    const explain = button('chip', () => this.#send(this.#texts.explain), this.#texts.explain);
    this.#contexts.replaceChildren(...chips, ...(chips.length > 0 ? [explain] : []));
    this.#contexts.hidden = chips.length === 0;
  }
}
