import { pageData } from '../page-data.ts';
import { askAbout } from '../selection-ask.ts';
import { connectHints } from './code-hints.ts';
import { copyButton, drawSign } from './copy-button.ts';

/** A code block: adds the copy button and, to a long one, the button that expands it. */
export class DocentCode extends HTMLElement {
  connectedCallback(): void {
    const pre = this.querySelector('pre');
    if (!pre || this.querySelector(':scope > .d-code-actions')) return;
    connectHints(pre);
    if (!this.hasAttribute('data-nocopy')) {
      const actions = document.createElement('div');
      actions.className = 'd-code-actions';
      if (pageData().assistant) actions.append(askButton(() => codeText(pre)));
      const copy = copyButton(() => codeText(pre));
      copy.classList.add('code-block-copy-button');
      actions.append(copy);
      pre.before(actions);
    }
    if (this.hasAttribute('data-expandable')) this.append(this.#expandButton(pre));
  }

  #expandButton(pre: HTMLElement): HTMLButtonElement {
    const texts = pageData().messages;
    const lineCount = (pre.textContent ?? '').split('\n').length;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'd-code-expand';
    const show = (expanded: boolean): void => {
      this.toggleAttribute('data-expanded', expanded);
      button.setAttribute('aria-expanded', String(expanded));
      button.textContent = expanded ? texts.showFewerLines : texts.showAllLines.replace('{count}', String(lineCount));
    };
    button.addEventListener('click', () => {
      const expand = !this.hasAttribute('data-expanded');
      show(expand);
      if (!expand) this.scrollIntoView({ block: 'nearest' });
    });
    show(false);
    return button;
  }
}

/** Creates a button that asks the assistant about the code. */
function askButton(text: () => string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'd-copy d-code-ask';
  drawSign(button, pageData().messages.askAssistant, 'spark');
  button.addEventListener('click', () => askAbout('code', text()));
  return button;
}

/** Returns the code to paste: without compiler notes and lines that a diff removes. */
function codeText(pre: HTMLElement): string {
  if (!pre.querySelector('.line.del, .d-code-note')) return pre.textContent ?? '';
  const copy = pre.cloneNode(true) as HTMLElement;
  for (const note of copy.querySelectorAll('.d-code-note')) note.remove();
  if (!copy.querySelector('.line.del')) return copy.textContent ?? '';
  const lines = [...copy.querySelectorAll('.line:not(.del)')];
  return lines.map((line) => line.textContent).join('\n');
}
