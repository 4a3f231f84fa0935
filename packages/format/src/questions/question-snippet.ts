import { withoutSlashes } from '../links.ts';

/**
 * Returns a question as an entry of the list in `questions.yaml`.
 * @param pages the pages that answer it; without any, the entry is an open question
 */
export function questionSnippet(question: string, pages: readonly string[]): string {
  // A JSON string is a YAML string, whatever a reader wrote.
  const text = JSON.stringify(question.replaceAll(/\s+/g, ' ').trim());
  const list = pages.map((path) => JSON.stringify(path)).join(', ');
  return `  - question: ${text}${list === '' ? '' : `\n    pages: [${list}]`}`;
}

/**
 * Returns the path of a page as `questions.yaml` names it; undefined for an address outside of the
 * site.
 */
export function questionPage(address: string, siteUrl: string): string | undefined {
  const base = siteUrl.replace(/\/$/, '');
  if (address !== base && !address.startsWith(`${base}/`)) return undefined;
  const path = withoutSlashes(address.slice(base.length).replace(/[?#].*$/s, ''));
  return path === '' ? 'index' : path;
}
