import { announce } from './announce.ts';
import { contentTexts } from './content-texts.ts';

const SHOWN_MS = 2000;

/** Puts text on the clipboard; also where the modern interface is missing, as on plain HTTP. Says whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden here; the older way may still be allowed.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.cssText = 'position:fixed;inset-block-start:0;opacity:0';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}

/** Copies, shows on the button for a moment that it worked, and says so to assistive technology. */
export async function copyFrom(button: HTMLElement, text: string): Promise<void> {
  const texts = contentTexts();
  const copied = await copyText(text);
  announce(copied ? texts.copied : texts.copyFailed);
  button.dataset.state = copied ? 'done' : 'failed';
  setTimeout(() => delete button.dataset.state, SHOWN_MS);
}

/** A round button with the sign of copying, which copies what `text` gives at the time of the click. */
export function copyButton(text: () => string): HTMLButtonElement {
  const label = contentTexts().copy;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'd-copy';
  button.title = label;
  button.setAttribute('aria-label', label);
  const sign = document.createElement('i');
  sign.className = 'd-sign';
  sign.setAttribute('aria-hidden', 'true');
  button.append(sign);
  button.addEventListener('click', () => void copyFrom(button, text()));
  return button;
}
