import { announce, button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';

const SHOWN_MS = 2000;

/**
 * Copies text to the clipboard, with a fallback for plain HTTP, where the modern API is missing.
 * Returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden here; the older API may still work.
  }
  const area = make('textarea');
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

/**
 * Briefly shows on the button whether copying worked, and announces it to assistive technology.
 * @param copying resolves to whether it worked
 */
export async function showCopied(button: HTMLElement, copying: Promise<boolean>): Promise<void> {
  const texts = pageData().messages;
  const copied = await copying;
  announce(copied ? texts.copied : texts.copyFailed);
  button.dataset.state = copied ? 'done' : 'failed';
  setTimeout(() => delete button.dataset.state, SHOWN_MS);
}

/**
 * Creates a round copy button.
 * @param copy returns whether it worked
 */
export function copyButton(copy: () => Promise<boolean>): HTMLButtonElement {
  const control = button('d-copy', () => void showCopied(control, copy()));
  drawSign(control, pageData().messages.copy);
  return control;
}

/**
 * Gives a control a label and an icon; without a name, the style sheet of its class draws the icon.
 */
export function drawSign(control: HTMLElement, label: string, name?: string): void {
  control.title = label;
  control.setAttribute('aria-label', label);
  const sign = make('i', 'd-sign');
  if (name !== undefined) sign.dataset.sign = name;
  sign.setAttribute('aria-hidden', 'true');
  control.append(sign);
}
