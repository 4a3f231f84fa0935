import { withoutInlineMarks } from '../content/nodes/inline-runs.ts';
import { escapeHtml, unescapeHtml } from '../html.ts';
import { resolveMarks } from '../links.ts';
import { findDate } from './calendar-date.ts';

interface FeedPage {
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
    markup
      ? `<content:encoded><![CDATA[${markup.replaceAll(']]>', ']]]]><![CDATA[>')}]]></content:encoded>`
      : '',
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

/** Formats a date for feeds (RFC 822): `Wed, 15 Jan 2025 00:00:00 GMT`. */
function feedDate(date: string): string {
  return new Date(date).toUTCString();
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** XML has fewer named characters than HTML, and no control characters. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed());
}

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)(?![a-z0-9-])((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /\s(href|src|alt|title|colspan|rowspan|start)="([^"]*)"/gi;

/** Elements that feed readers support. Others are replaced by their contents. */
const KEPT = new Set(
  'p a ul ol li h1 h2 h3 h4 h5 h6 strong em b i s del code pre kbd sub sup blockquote img table thead tbody tr th td br hr figure figcaption'.split(
    ' ',
  ),
);
/**
 * Elements that only make sense on the page, including their contents, like the words for “show”
 * and “hide”.
 */
const DROPPED = new Set(
  'script style svg button template noscript iframe video audio select input'.split(' '),
);
const VOID = new Set(['img', 'br', 'hr', 'input']);

/**
 * Reduces generated HTML to what a feed reader supports, without classes, scripts and controls.
 * @param absolute makes the address of a link or an image absolute
 */
export function feedHtml(markup: string, absolute: (address: string) => string): string {
  let out = '';
  let from = 0;
  let dropped: string | undefined;
  let depth = 0;
  const open: string[] = [];
  for (const match of markup.matchAll(TAG)) {
    if (dropped === undefined) out += markup.slice(from, match.index);
    from = match.index + match[0].length;
    const name = match[2]?.toLowerCase();
    if (name === undefined) continue;
    const isEnd = match[1] === '/';
    if (dropped !== undefined) {
      if (name === dropped) depth += isEnd ? -1 : 1;
      if (depth === 0) dropped = undefined;
    } else if (DROPPED.has(name) || match[3]?.includes('class="d-when-')) {
      if (isEnd || VOID.has(name)) continue;
      dropped = name;
      depth = 1;
    } else if (KEPT.has(name)) {
      if (!isEnd) {
        out += `<${name}${attributesOf(match[3] ?? '', absolute)}>`;
        if (!VOID.has(name)) open.push(name);
      } else if (open.includes(name)) {
        for (const inner of open.splice(open.lastIndexOf(name)).reverse()) out += `</${inner}>`;
      }
    }
  }
  if (dropped === undefined) out += markup.slice(from);
  for (const name of open.reverse()) out += `</${name}>`;
  return out.replace(/<(p|a|strong|em)>\s*<\/\1>/g, '').trim();
}

function attributesOf(source: string, absolute: (address: string) => string): string {
  let out = '';
  for (const [, name = '', value = ''] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (key !== 'href' && key !== 'src') out += ` ${key}="${value}"`;
    else if (!/^\s*(?:javascript|vbscript|data:(?!image\/))/i.test(value))
      out += ` ${key}="${escapeHtml(absolute(unescapeHtml(value)))}"`;
  }
  return out;
}

/** Returns the text of generated HTML. */
function textOfHtml(markup: string): string {
  return unescapeHtml(
    markup
      .replace(/<(svg|button|script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  ).trim();
}

/** A news item of a changelog page. */
interface UpdateEntry {
  title: string;
  anchor: string;
  /** ISO 8601. */
  date?: string | undefined;
  /** As on the page; empty if the author wrote a separate description for feeds. */
  markup: string;
  /** Plain text that replaces the markup. */
  summary?: string;
  categories: string[];
}

const UPDATE = /<docent-update\b([^<>]*)>|<\/docent-update>/g;
const BODY = /<div class="d-entry-body"[^<>]{0,2000}>/;
const HEADING = /<h([1-6])\b([^<>]*)>([\s\S]*?)(?:<\/h\1>|$)/g;

/**
 * Returns the news of a page with `Update` components, in page order: one item for each top-level
 * heading inside an update, or the update itself if it has no headings or sets its feed text
 * (`rss`).
 * @param html the page's HTML from the build
 */
export function updateEntries(html: string): UpdateEntry[] {
  const entries: UpdateEntry[] = [];
  let depth = 0;
  let start: { attributes: string; at: number } | undefined;
  for (const match of html.matchAll(UPDATE)) {
    const isEnd = match[1] === undefined;
    if (!isEnd && depth++ === 0)
      start = { attributes: match[1] as string, at: match.index + match[0].length };
    if (isEnd && depth > 0 && --depth === 0 && start) {
      entries.push(...entriesOf(start.attributes, html.slice(start.at, match.index)));
      start = undefined;
    }
  }
  return entries;
}

function entriesOf(attributes: string, inside: string): UpdateEntry[] {
  const body = BODY.exec(inside);
  const side = body ? inside.slice(0, body.index) : '';
  // The body's own closing tag is the last one inside.
  const markup = body
    ? inside.slice(body.index + body[0].length).replace(/<\/div>\s*$/, '')
    : inside;
  const label = textOfHtml(
    /class="d-entry-label"[^<>]{0,2000}>([\s\S]*?)(?:<\/a>|$)/.exec(side)?.[1] ?? '',
  );
  const about = textOfHtml(
    /class="d-entry-text"[^<>]{0,2000}>([\s\S]*?)(?:<\/div>|$)/.exec(side)?.[1] ?? '',
  );
  const date = findDate(label) ?? findDate(about);
  const shared = { categories: tagsOf(attribute(attributes, 'data-tags')), date };
  const anchor = attribute(attributes, 'id') ?? '';
  const title = attribute(attributes, 'data-rss-title');
  const summary = attribute(attributes, 'data-rss-description');
  const headings = title === undefined && summary === undefined ? highestHeadings(markup) : [];
  const entry: UpdateEntry = { ...shared, anchor, title: title ?? (label || 'Update'), markup };
  if (summary !== undefined) Object.assign(entry, { markup: '', summary });
  if (headings.length === 0) return [entry];
  const before = markup.slice(0, headings[0]?.start);
  const first = textOfHtml(before) === '' ? [] : [{ ...entry, markup: before }];
  const parts = headings.map((heading, index) => {
    const part = markup.slice(heading.end, headings[index + 1]?.start);
    return { ...shared, title: heading.text, anchor: heading.id || anchor, markup: part };
  });
  return [...first, ...parts];
}

function highestHeadings(markup: string) {
  const all = [...markup.matchAll(HEADING)].map((match) => ({
    level: Number(match[1]),
    id: attribute(match[2] ?? '', 'id') ?? '',
    text: textOfHtml(match[3] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const highest = Math.min(...all.map((heading) => heading.level));
  return all.filter((heading) => heading.level === highest && heading.text !== '');
}

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : textOfHtml(value);
}

function tagsOf(json: string | undefined): string[] {
  try {
    const tags: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  } catch {
    return [];
  }
}
