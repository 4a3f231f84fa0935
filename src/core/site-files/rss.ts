import { withoutInlineMarks } from '../content/markdown/inline-runs.ts';
import { escapeHtml } from '../html.ts';
import { resolveMarks } from '../links.ts';
import { feedDate } from './calendar-date.ts';
import { feedHtml } from './feed-html.ts';
import { type UpdateEntry, updateEntries } from './update-entries.ts';

export interface FeedPage {
  /** Site path, `/changelog`. */
  href: string;
  title: string;
  description?: string;
  language?: string;
  /** The page's HTML from the build. */
  html: string;
}

/** Feed readers download the whole file each time. */
const MAX_ENTRIES = 100;

/**
 * Generates the feed of a page with `Update` components (RSS 2.0 with full content).
 * @param origin URL of the site, without a trailing slash
 */
export function rssXml(page: FeedPage, site: { name: string; origin: string }): string {
  const { origin } = site;
  const link = encodeURI(`${origin}${page.href}`.toWellFormed());
  const feed = `${link.replace(/\/$/, '')}/rss.xml`;
  const entries = updateEntries(page.html).slice(0, MAX_ENTRIES);
  const absolute = (address: string) => absoluteAddress(address, origin, link);
  const items = entries.map((entry) => itemXml(entry, link, absolute));
  const newest = entries.find((entry) => entry.date)?.date;
  const channel = [
    element('title', page.title === site.name ? site.name : `${page.title} - ${site.name}`),
    element('link', link),
    element('description', withoutInlineMarks(page.description ?? page.title)),
    `<atom:link href="${escapeXml(feed)}" rel="self" type="application/rss+xml"/>`,
    page.language ? element('language', page.language) : '',
    newest ? element('lastBuildDate', feedDate(newest)) : '',
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
${channel.join('')}
${items.join('\n')}
</channel></rss>
`;
}

function itemXml(entry: UpdateEntry, link: string, absolute: (address: string) => string): string {
  const address = entry.anchor ? `${link}#${encodeURIComponent(entry.anchor)}` : link;
  const markup = feedHtml(
    resolveMarks(entry.markup, (_, target) => absolute(target)),
    absolute,
  );
  const parts = [
    element('title', entry.title),
    element('link', address),
    `<guid isPermaLink="true">${escapeXml(address)}</guid>`,
    entry.date ? element('pubDate', feedDate(entry.date)) : '',
    ...entry.categories.map((category) => element('category', category)),
    entry.summary ? element('description', entry.summary) : '',
    markup ? `<content:encoded><![CDATA[${markup.replaceAll(']]>', ']]]]><![CDATA[>')}]]></content:encoded>` : '',
  ];
  return `<item>${parts.join('')}</item>`;
}

/** Feed readers do not know the page's URL, so all links are absolute. */
function absoluteAddress(address: string, origin: string, page: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return address;
  if (address.startsWith('//')) return `https:${address}`;
  if (address.startsWith('#')) return `${page}${address}`;
  return `${origin}/${address.replace(/^(?:\.{0,2}\/)+/, '')}`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** XML has fewer named characters than HTML, and no control characters. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed());
}
