import { announce } from './announce.ts';
import { articleMarkdown } from './article-markdown.ts';
import { copyText } from './content/copy-button.ts';
import { pageData } from './page-data.ts';

const SHOWN_MS = 2000;

/** The page's Markdown file. Pages without an origin (from the disk, in a sandbox) may not fetch it, so their article is converted. */
async function markdown(address: string): Promise<string> {
  const article = document.getElementById('content');
  if (globalThis.origin === 'null' && article) {
    const title = document.getElementById('page-title')?.textContent;
    return `${title ? `# ${title}\n\n` : ''}${articleMarkdown(article)}\n`;
  }
  const response = await fetch(address, { headers: { accept: 'text/markdown' } });
  if (!response.ok) throw new Error(`The Markdown of this page was answered with status ${response.status}.`);
  return response.text();
}

/** The text is handed over as a promise where the browser takes one: it may only be asked for in the click itself. */
async function copy(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'function' && navigator.clipboard?.write) {
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return;
  }
  if (!(await copyText(await text))) throw new Error('The browser did not copy.');
}

const labels = new WeakMap<HTMLElement, { own: string; timer: number }>();

/** Shows on the button for a moment how it went, and says so to assistive technology. */
function say(button: HTMLElement, text: string): void {
  announce(text);
  const label = button.querySelector<HTMLElement>('[data-action-label]');
  if (!label) return;
  const shown = labels.get(label);
  clearTimeout(shown?.timer);
  const own = shown?.own ?? label.textContent ?? '';
  label.textContent = text;
  const timer = setTimeout(() => {
    label.textContent = own;
    labels.delete(label);
  }, SHOWN_MS);
  labels.set(label, { own, timer });
}

function copyFrom(button: HTMLElement, text: Promise<string>): void {
  const { messages } = pageData();
  copy(text).then(
    () => say(button, messages.copied),
    () => say(button, messages.copyFailed),
  );
}

/** What the buttons of the page's menu do: copy the page as Markdown, copy a text, print, ask the assistant. */
export function startPageActions(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy-page], [data-copy-text], [data-print], [data-ask]');
    if (!button) return;
    if (button.dataset.copyPage !== undefined) copyFrom(button, markdown(button.dataset.markdown ?? ''));
    else if (button.dataset.copyText !== undefined) copyFrom(button, Promise.resolve(button.dataset.copyText));
    else {
      button.closest('details')?.removeAttribute('open');
      if (button.dataset.print !== undefined) print();
      // The assistant of the site, or a script of the author, opens on this.
      else document.dispatchEvent(new CustomEvent('docent:ask', { detail: { url: location.href } }));
    }
  });
}
