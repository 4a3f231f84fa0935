import { copyText } from '../content/copy-button.ts';
import { announce, onClick } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { pageScript } from '../page-scripts.ts';

const SHOWN_MS = 2000;

/**
 * Returns the page's Markdown file. Pages without an origin (from disk, in a sandbox) cannot fetch
 * it, so their article is converted.
 */
async function markdown(): Promise<string> {
  const article = document.getElementById('content');
  if (globalThis.origin === 'null' && article) {
    const title = document.getElementById('page-title')?.textContent;
    return `${title ? `# ${title}\n\n` : ''}${(await pageScript('navigation')).articleMarkdown(article)}\n`;
  }
  const file = document.querySelector<HTMLLinkElement>('link[type="text/markdown"]');
  const response = await fetch(file?.href ?? '', { headers: { accept: 'text/markdown' } });
  if (!response.ok)
    throw new Error(`The Markdown of this page returned status ${response.status}.`);
  return response.text();
}

/**
 * Passes the text as a promise if the browser supports it, because the clipboard is only available
 * during the click.
 */
async function copy(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'function' && navigator.clipboard?.write) {
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return;
  }
  if (!(await copyText(await text))) throw new Error('The browser could not copy.');
}

const labels = new WeakMap<HTMLElement, { own: string; timer: number }>();

/** Briefly shows the result on the button, and announces it to assistive technology. */
function showMessage(button: HTMLElement, text: string): void {
  announce(text);
  const label = button.querySelector<HTMLElement>('[data-action-label]');
  if (!label) return;
  const labelState = labels.get(label);
  clearTimeout(labelState?.timer);
  const originalText = labelState?.own ?? label.textContent ?? '';
  label.textContent = text;
  const timer = setTimeout(() => {
    label.textContent = originalText;
    labels.delete(label);
  }, SHOWN_MS);
  labels.set(label, { own: originalText, timer });
}

function copyFrom(button: HTMLElement, text: Promise<string>): void {
  const { messages } = pageData();
  copy(text).then(
    () => showMessage(button, messages.copied),
    () => showMessage(button, messages.copyFailed),
  );
}

/**
 * The actions of the page menu: copy the page as Markdown, copy a text, print, ask the assistant.
 */
export function startPageActions(): void {
  onClick('[data-copy-page], [data-copy-text], [data-print], [data-ask]', (button) => {
    if (button.dataset.copyPage !== undefined) copyFrom(button, markdown());
    else if (button.dataset.copyText !== undefined)
      copyFrom(button, Promise.resolve(button.dataset.copyText));
    else {
      button.closest('details')?.removeAttribute('open');
      if (button.dataset.print !== undefined) print();
      // The site's assistant, or a script of the author, handles this event.
      else
        document.dispatchEvent(new CustomEvent('docent:ask', { detail: { url: location.href } }));
    }
  });
}
