import { pageData } from './page-data.ts';

const LONGEST = 4000;

/** Asks the assistant about a text of the page. */
export function askAbout(type: 'code' | 'textSelection', value: string): void {
  const context = [{ type, value: value.slice(0, LONGEST), path: pageData().href }];
  document.dispatchEvent(new CustomEvent('docent:ask', { detail: { context } }));
}
