import { bareText } from './source-items.ts';

/** What a reader finds on a page, read from its HTML without any of the compiler's code. */
export interface ShownPage {
  /** Every text and text-like attribute, letters and digits only. */
  text: string;
  attributeText: string;
  headings: string[];
  codes: string[];
  links: { href: string; text: string }[];
  images: { src: string; alt: string }[];
  /** Texts of list items, including nested ones. */
  listItems: string[];
  cells: string[];
  ids: Set<string>;
}

const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|<!--[\s\S]*?-->/g;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)"|='([^']*)')?/g;
const TEXT_ATTRIBUTES = new Set([
  'alt',
  'title',
  'aria-label',
  'placeholder',
  'value',
  'label',
  'data-copy',
]);
const MEDIA_TAGS = new Set(['img', 'source', 'video', 'iframe', 'audio', 'image']);
const WATCHED = /^(?:h[1-6]|pre|a|li|td|th)$/;

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function decode(text: string): string {
  return text.replace(/&(#\d+|#x[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name] as string;
    if (/^#x/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    return name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : whole;
  });
}

function readAttributes(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of source.matchAll(ATTRIBUTE))
    found.set(name, decode(double ?? single ?? ''));
  return found;
}

/**
 * Reads the HTML of an article and its side content. Never throws: malformed HTML is read as far as
 * possible.
 */
export function readShownPage(html: string): ShownPage {
  const page: ShownPage = {
    text: '',
    attributeText: '',
    headings: [],
    codes: [],
    links: [],
    images: [],
    listItems: [],
    cells: [],
    ids: new Set(),
  };
  const open: { tag: string; from: number; href: string }[] = [];
  let raw = '';
  let from = 0;
  for (const match of html.matchAll(TAG)) {
    raw += decode(html.slice(from, match.index));
    from = match.index + match[0].length;
    const [, closing, name, attributes = ''] = match;
    const tag = name?.toLowerCase();
    if (tag === undefined) continue;
    if (closing) close(page, open, tag, raw);
    else openTag(page, open, tag, readAttributes(attributes), raw.length);
  }
  raw += decode(html.slice(from));
  page.text = bareText(raw);
  page.attributeText = bareText(page.attributeText);
  return page;
}

type OpenTag = { tag: string; from: number; href: string };

function openTag(
  page: ShownPage,
  open: OpenTag[],
  tag: string,
  attributes: ReadonlyMap<string, string>,
  at: number,
): void {
  const id = attributes.get('id');
  if (id !== undefined) page.ids.add(id);
  for (const [name, value] of attributes)
    if (TEXT_ATTRIBUTES.has(name) || name === 'data-title') page.attributeText += ` ${value} `;
  if (MEDIA_TAGS.has(tag)) {
    for (const name of ['src', 'poster', 'srcset', 'href']) {
      const src = attributes.get(name);
      if (src !== undefined) page.images.push({ src, alt: attributes.get('alt') ?? '' });
    }
  }
  if (WATCHED.test(tag)) open.push({ tag, from: at, href: attributes.get('href') ?? '' });
}

function close(page: ShownPage, open: OpenTag[], tag: string, raw: string): void {
  const at = open.findLastIndex((one) => one.tag === tag);
  const opened = open[at];
  if (!opened) return;
  open.splice(at, 1);
  const text = raw.slice(opened.from);
  if (tag === 'pre') page.codes.push(text);
  else if (tag === 'a') page.links.push({ href: opened.href, text: bareText(text) });
  else if (tag === 'li') page.listItems.push(bareText(text));
  else if (tag === 'td' || tag === 'th') page.cells.push(bareText(text));
  else page.headings.push(bareText(text));
}
