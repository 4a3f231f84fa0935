import { copyText } from '../content/copy-button.ts';
import { sign, signButton } from './dom.ts';

const SHOWN_MS = 1800;

export interface CopyTexts {
  copy: string;
  copied: string;
  copyFailed: string;
}

/** Creates a button that copies the result of `text` at the time of the click, and shows and announces whether that worked. */
export function copyButton(texts: CopyTexts, announce: (text: string) => void, text: () => string): HTMLButtonElement {
  const made = signButton('copy', texts.copy, () => {
    void copyText(text()).then((copied) => {
      announce(copied ? texts.copied : texts.copyFailed);
      made.replaceChildren(sign(copied ? 'check' : 'close'));
      setTimeout(() => made.replaceChildren(sign('copy')), SHOWN_MS);
    });
  });
  return made;
}
