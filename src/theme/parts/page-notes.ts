import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { MenuLink } from '../../core/navigation/navigation.ts';
import type { BuiltPage } from '../../core/site-build.ts';
import { type Frame, fileAt, linkTo } from '../frame.ts';
import { fill } from '../translations/fill.ts';
import { interfaceIcon } from './interface-icons.ts';
import { feedPath } from './page-tags.ts';

/** The link to the feed of a changelog, where the page offers it (`rss: true`). */
export function feedLink(frame: Frame, page: BuiltPage): Html {
  if (page.feed !== 'shown') return emptyHtml;
  const address = trustedHtml(fileAt(frame, feedPath(page.href)));
  return html`<p class="d-feed"><a class="d-button d-button-small" href="${address}" type="application/rss+xml" data-native-link>${interfaceIcon('feed', 14)}<span>${frame.locale.messages.feed}</span></a></p>`;
}

/** When the page was last changed, where the site says so and the day is known. */
export function lastUpdated({ locale }: Frame, page: BuiltPage): Html {
  const day = page.lastUpdated;
  if (!page.showsLastUpdated || day === undefined) return emptyHtml;
  const written = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
  const [before, after = ''] = fill(locale.messages.lastUpdated, { date: '\n' }).split('\n');
  return html`<p class="d-updated">${before}<time datetime="${day}">${written}</time>${after}</p>`;
}

/** Where a reader may want to go on: pages for one who came to an address without one, or what the author of a page names. */
export function relatedPages(frame: Frame, title: string, related: readonly MenuLink[] | undefined): Html {
  if (!related?.length) return emptyHtml;
  const items = related.map((page) => html`<li><a href="${trustedHtml(linkTo(frame, page.href))}">${page.label}</a></li>`);
  return html`<nav class="d-related" aria-labelledby="related-title"><h2 id="related-title">${title}</h2><ul>${items}</ul></nav>`;
}
