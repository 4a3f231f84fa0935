import { make, onClick } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { pageData } from '../page-data.ts';
import { copyButton, copyText, showCopied } from './copy-button.ts';

/** Clicking a color of a palette copies its value. */
export function startColorCopy(): void {
  onClick(
    'docent-color [data-copy]',
    (button) => void showCopied(button, copyText(button.dataset.copy ?? '')),
  );
}

/** A prompt for an assistant: adds the buttons that copy it or open it in an editor. */
export class DocentPrompt extends HTMLElement {
  connectedCallback(): void {
    const head = this.querySelector('.d-brief-head');
    if (!head || head.querySelector('.d-brief-actions')) return;
    const actions = make('div', 'd-brief-actions');
    const actionNames = (this.dataset.actions ?? '').split(' ');
    if (actionNames.includes('cursor')) actions.append(this.#cursorLink());
    if (actionNames.includes('copy')) actions.append(copyButton(() => copyText(this.#text)));
    head.append(actions);
  }

  get #text(): string {
    const text =
      this.querySelector<HTMLElement>('.d-brief-source') ??
      this.querySelector<HTMLElement>('.d-brief-text');
    return text?.textContent?.trim() ?? '';
  }

  #cursorLink(): HTMLAnchorElement {
    const link = make('a', 'd-brief-link', pageData().messages.openInCursor);
    link.href = `cursor://anysphere.cursor-deeplink/prompt?text=${encodeURIComponent(this.#text)}`;
    return link;
  }
}

/** Makes the address of an endpoint copyable, like the code of its samples. */
export function startEndpointCopy(): void {
  onEachPage(() => {
    for (const place of document.querySelectorAll('.d-endpoint > span.d-copy')) {
      place.replaceWith(
        copyButton(() => copyText(place.previousElementSibling?.textContent.trim() ?? '')),
      );
    }
    return undefined;
  });
}
