import { pageData } from './page-data.ts';

const SHOWN_MS = 2000;

async function markdown(address: string): Promise<string> {
  const inside = document.getElementById('docent-markdown')?.textContent;
  if (inside) return JSON.parse(inside) as string;
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
  await navigator.clipboard.writeText(await text);
}

function say(button: HTMLElement, text: string): void {
  const label = button.querySelector<HTMLElement>('[data-copy-label]');
  if (!label) return;
  label.textContent = text;
  setTimeout(() => {
    label.textContent = pageData().messages.copyPage;
  }, SHOWN_MS);
}

/** The buttons that copy the page as Markdown. */
export function startCopyPage(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy-page]');
    if (!button) return;
    const { messages } = pageData();
    copy(markdown(button.dataset.markdown ?? '')).then(
      () => say(button, messages.copied),
      () => say(button, messages.copyFailed),
    );
  });
}
