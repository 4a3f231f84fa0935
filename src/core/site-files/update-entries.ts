import { type CalendarDate, findDate } from './calendar-date.ts';
import { textOfHtml } from './feed-html.ts';

/** A news item of a changelog page. */
export interface UpdateEntry {
  title: string;
  anchor: string;
  date?: CalendarDate;
  /** As on the page; empty if the author wrote a separate description for feeds. */
  markup: string;
  /** Plain text that replaces the markup. */
  summary?: string;
  categories: string[];
}

const UPDATE = /<docent-update\b([^<>]*)>|<\/docent-update>/g;
const BODY = /<div class="d-update-body"[^<>]{0,2000}>/;
const HEADING = /<h([1-6])\b([^<>]*)>([\s\S]*?)(?:<\/h\1>|$)/g;

/**
 * Returns the news of a page with `Update` components, in page order: one item for each top-level heading inside an update, or
 * the update itself if it has no headings or sets its feed text (`rss`).
 * @param html the page's HTML from the build
 */
export function updateEntries(html: string): UpdateEntry[] {
  const entries: UpdateEntry[] = [];
  let depth = 0;
  let start: { attributes: string; at: number } | undefined;
  for (const match of html.matchAll(UPDATE)) {
    const isEnd = match[1] === undefined;
    if (!isEnd && depth++ === 0) start = { attributes: match[1] as string, at: match.index + match[0].length };
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
  const markup = body ? inside.slice(body.index + body[0].length).replace(/<\/div>\s*$/, '') : inside;
  const label = textOfHtml(/class="d-update-label"[^<>]{0,2000}>([\s\S]*?)(?:<\/a>|$)/.exec(side)?.[1] ?? '');
  const about = textOfHtml(/class="d-update-description"[^<>]{0,2000}>([\s\S]*?)(?:<\/div>|$)/.exec(side)?.[1] ?? '');
  const date = findDate(label) ?? findDate(about);
  const shared = { categories: tagsOf(attribute(attributes, 'data-tags')), ...(date ? { date } : {}) };
  const anchor = attribute(attributes, 'id') ?? '';
  const title = attribute(attributes, 'data-rss-title');
  const summary = attribute(attributes, 'data-rss-description');
  const headings = title === undefined && summary === undefined ? highestHeadings(markup) : [];
  const own: UpdateEntry = { ...shared, anchor, title: title ?? (label || 'Update'), markup };
  if (summary !== undefined) Object.assign(own, { markup: '', summary });
  if (headings.length === 0) return [own];
  const before = markup.slice(0, headings[0]?.start);
  const first = textOfHtml(before) === '' ? [] : [{ ...own, markup: before }];
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
