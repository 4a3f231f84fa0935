import { escapeHtml, html } from '@docent/format/html.ts';
import { fill } from './translations/fill.ts';
import { localeOf } from './translations/translations.ts';
import { inlineScript } from './view/inline-script.ts';

/**
 * Renders a minimal redirect page for hosts without server redirects. Keeps the fragment if scripts
 * run.
 * @param to the target URL, from this page or absolute
 * @param starts target URLs by language, from which scripts select the reader's
 */
export function renderRedirect(
  to: string,
  language?: string,
  starts: Readonly<Record<string, string>> = {},
): string {
  const { tag, direction, messages } = localeOf(language);
  const address = escapeHtml(to);
  const text = fill(escapeHtml(messages.movedText), {
    address: `<a href="${address}">${address}</a>`,
  });
  const isAlone = Object.keys(starts).length === 0;
  const script = inlineScript('redirect', {
    'data-to': to,
    'data-starts': isAlone ? undefined : JSON.stringify(starts),
  });
  return `<!doctype html>
<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(messages.movedTitle)}</title><meta name="robots" content="noindex"><link rel="canonical" href="${address}"><meta http-equiv="refresh" content="1;url=${address}">${script}<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:20vh auto;padding:0 1rem}</style></head><body><h1>${escapeHtml(messages.movedTitle)}</h1><p>${text}</p></body></html>
`;
}

/** The redirect page for authorization servers; its script passes on the response. */
export const oauthPage = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>OAuth</title></head><body><p>✓</p>${inlineScript('oauth')}</body></html>
`.value;
