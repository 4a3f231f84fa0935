import type { ListedChange } from '@docent/format/deployments/listed-changes.ts';
import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import { fill } from '../translations/fill.ts';
import { type Frame, linkTo, oncePerScope } from '../view/frame.ts';
import type { PreviewNotice } from '../view/page-view.ts';
import { interfaceIcon } from './icons.ts';

/** The style sheet and the script of the bar: no page of a live site loads them. */
export function previewAssets({ site, href }: Frame): Html {
  if (!site.preview) return emptyHtml;
  const style = site.themeAsset('preview-bar.css', { href });
  return html`<link rel="stylesheet" href="${style}"><script src="${site.themeAsset('preview-bar.js', { href })}" defer></script>`;
}

/**
 * The bar on the pages of a preview: its name, and what it changes in the live site. It is beside
 * the page instead of in it, so that the preview looks like the site will. Without scripts it opens
 * and closes, but stays.
 */
export function previewBar(frame: Frame): Html {
  const { preview } = frame.site;
  return preview ? oncePerScope(frame, 'preview-bar', () => bar(frame, preview)) : emptyHtml;
}

function bar(frame: Frame, { name, id, live }: PreviewNotice): Html {
  const { messages } = frame.locale;
  const count = live?.changes.reduce((sum, change) => sum + change.count, 0);
  const facts =
    count !== undefined &&
    html`<span class="d-draft-count">${fill(messages.previewChanges, { count })}</span>`;
  const close = html`<button type="button" class="d-draft-close d-needs-js" aria-label="${messages.close}">${interfaceIcon('close')}</button>`;
  return html`<section class="d-draft" aria-label="${messages.preview}" data-build="${id}"><details data-menu><summary><strong>${messages.preview}</strong><bdi class="d-draft-name">${name}</bdi>${facts}</summary><div class="d-draft-list">${contentOf(frame, live)}</div></details>${close}</section>`;
}

function contentOf(frame: Frame, live: PreviewNotice['live']): Html {
  const { messages } = frame.locale;
  if (!live) return html`<p>${messages.previewFirst}</p>`;
  if (live.changes.length === 0) return html`<p>${messages.previewSame}</p>`;
  return html`<p>${messages.previewCompared}</p>${live.changes.map((change) => group(frame, live.url, change))}`;
}

/** A removed page is where it still exists: on the live site. */
function group(frame: Frame, liveUrl: string, { kind, count, pages }: ListedChange): Html {
  const { messages } = frame.locale;
  const names = {
    added: messages.previewAdded,
    changed: messages.previewChanged,
    removed: messages.previewRemoved,
  };
  const address = (href: string) =>
    kind === 'removed' ? liveUrl + encodeURI(href) : linkTo(frame, href);
  const items = pages.map(
    ({ href, title }) =>
      html`<li><a href="${address(href)}"><span>${title}</span><bdi>${href}</bdi></a></li>`,
  );
  const rest = count - pages.length;
  const more = rest > 0 && html`<p>${fill(messages.previewMore, { count: rest })}</p>`;
  return html`<p class="d-draft-kind" data-kind="${kind}">${names[kind]} <span>${count}</span></p><ul>${items}</ul>${more}`;
}
