import { html } from '@docent/format/html.ts';
import type { SiteAnswer, SiteContent } from '../ports/site-content.ts';

const STYLE =
  'position:fixed;inset:auto 0 0;z-index:2147483647;display:flex;flex-wrap:wrap;justify-content:center;align-items:center;gap:.5rem 1rem;padding:.5rem 1rem;font:500 .875rem/1.5 system-ui,sans-serif;background:#7c2d12;color:#fff';
const BUTTON =
  'padding:.125rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid currentColor;border-radius:.375rem;cursor:pointer';

/**
 * Returns a site for an admin who sees it as a reader: every page says so, with a way out, and no
 * cache keeps it.
 */
export function withViewBar(
  content: SiteContent,
  groups: readonly string[],
  basePath: string,
): SiteContent {
  const reader =
    groups.length === 0 ? 'a reader without groups' : `a reader of ${groups.join(', ')}`;
  const bar = html`<aside aria-label="View as a reader" style="${STYLE}"><span>You see this site as ${reader}.</span><form method="post" action="${basePath}/logout" style="margin:0"><button type="submit" style="${BUTTON}">Stop</button></form></aside>`;
  return { ...content, find: (request) => withBar(content.find(request), bar.value) };
}

function withBar(answer: SiteAnswer | undefined, bar: string): SiteAnswer | undefined {
  if (answer?.kind !== 'body' || !answer.type.startsWith('text/html')) return answer;
  const { version: _, readEncoded: __, open: ___, sizeBytes: ____, ...body } = answer;
  const read = async () => {
    const page = String(await answer.read());
    const end = page.lastIndexOf('</body>');
    return end < 0 ? page + bar : page.slice(0, end) + bar + page.slice(end);
  };
  return { ...body, immutable: false, isPersonal: true, read };
}
