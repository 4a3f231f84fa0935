import { make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { copyButton, copyFrom } from './copy-button.ts';

/** A palette: clicking a color copies its value. */
export class DocentColor extends HTMLElement {
  #listening = false;

  connectedCallback(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.addEventListener('click', (event) => {
      const button = (event.target as Element).closest<HTMLElement>('[data-copy]');
      if (button) void copyFrom(button, button.dataset.copy ?? '');
    });
  }
}

/** A prompt for an assistant: adds the buttons that copy it or open it in an editor. */
export class DocentPrompt extends HTMLElement {
  connectedCallback(): void {
    const head = this.querySelector('.d-prompt-head');
    if (!head || head.querySelector('.d-prompt-actions')) return;
    const actions = make('div', 'd-prompt-actions');
    const wanted = (this.dataset.actions ?? '').split(' ');
    if (wanted.includes('cursor')) actions.append(this.#cursorLink());
    if (wanted.includes('copy')) actions.append(copyButton(() => this.#text));
    head.append(actions);
  }

  get #text(): string {
    const text = this.querySelector<HTMLElement>('.d-prompt-text') ?? this.querySelector<HTMLElement>('.d-prompt-description');
    return text?.textContent?.trim() ?? '';
  }

  #cursorLink(): HTMLAnchorElement {
    const link = make('a', 'd-prompt-link', pageData().messages.openInCursor);
    link.href = `cursor://anysphere.cursor-deeplink/prompt?text=${encodeURIComponent(this.#text)}`;
    return link;
  }
}
