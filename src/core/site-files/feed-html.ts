import { escapeHtml } from '../html.ts';

const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)(?![a-z0-9-])((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /\s(href|src|alt|title|colspan|rowspan|start)="([^"]*)"/gi;

/** Elements that feed readers support. Others are replaced by their contents. */
const KEPT = new Set(
  'p a ul ol li h1 h2 h3 h4 h5 h6 strong em b i s del code pre kbd sub sup blockquote img table thead tbody tr th td br hr figure figcaption'.split(
    ' ',
  ),
);
/** Elements that only make sense on the page, including their contents, like the words for “show” and “hide”. */
const DROPPED = new Set('script style svg button template noscript iframe video audio select input'.split(' '));
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
        while (open.length > 0) {
          const last = open.pop() as string;
          out += `</${last}>`;
          if (last === name) break;
        }
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
      out += ` ${key}="${escapeHtml(absolute(unescaped(value)))}"`;
  }
  return out;
}

const CHARACTERS = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);

function unescaped(value: string): string {
  return value.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS.get(name) ?? '');
}

/** Returns the text of generated HTML. */
export function textOfHtml(markup: string): string {
  return unescaped(
    markup
      .replace(/<(svg|button|script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  ).trim();
}
