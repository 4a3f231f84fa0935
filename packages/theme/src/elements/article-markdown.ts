/** Elements of an article that are not part of its text. */
const LEFT_OUT =
  'script, style, template, svg, button, .d-anchor, .d-needs-js, [aria-hidden="true"], [role="tablist"]';
const HEADING = /^H([1-6])$/;
const INLINE = new Set([
  'A',
  'ABBR',
  'B',
  'BR',
  'CITE',
  'CODE',
  'DEL',
  'EM',
  'I',
  'IMG',
  'INS',
  'KBD',
  'MARK',
  'S',
  'SMALL',
  'SPAN',
  'STRONG',
  'SUB',
  'SUP',
  'U',
]);

/**
 * Converts an article to Markdown, for pages that cannot load their own, such as those opened from
 * disk. Keeps headings, lists, tables, code and links, but not the author's components. Why not a
 * library: `decisions/2026-11-22-own-article-markdown.md`.
 */
export function articleMarkdown(article: Element): string {
  return blocksOf(article).join('\n\n');
}

function blocksOf(parent: Element): string[] {
  const blocks: string[] = [];
  let line = '';
  const endLine = () => {
    const lines = line.split('\n').map((textLine) => textLine.trim());
    const text = lines.join('\n').trim();
    if (text !== '') blocks.push(text);
    line = '';
  };
  for (const node of parent.childNodes) {
    if (node instanceof Text) line += node.data.replace(/\s+/g, ' ');
    if (!(node instanceof Element) || node.matches(LEFT_OUT)) continue;
    if (INLINE.has(node.tagName) && !node.querySelector('p, pre, ul, ol, table')) {
      line += inlineText(node);
      continue;
    }
    endLine();
    blocks.push(...blockText(node));
  }
  endLine();
  return blocks;
}

function blockText(element: Element): string[] {
  const level = HEADING.exec(element.tagName)?.[1];
  if (level !== undefined) return [`${'#'.repeat(Number(level))} ${inside(element).trim()}`];
  switch (element.tagName) {
    case 'PRE':
      return [fence(element)];
    case 'UL':
    case 'OL':
      return [listText(element)];
    case 'TABLE':
      return [tableText(element)];
    case 'BLOCKQUOTE':
      return [blocksOf(element).join('\n\n').replace(/^/gm, '> ')];
    case 'HR':
      return ['---'];
    case 'SUMMARY':
      return [`**${inside(element).trim()}**`];
    default:
      return blocksOf(element);
  }
}

function fence(pre: Element): string {
  const code = (pre.textContent ?? '').replace(/\n$/, '');
  const language = /\blanguage-(\S+)/.exec(pre.querySelector('code')?.className ?? '')?.[1] ?? '';
  const ticks = '`'.repeat(
    Math.max(3, ...Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length + 1)),
  );
  return `${ticks}${language}\n${code}\n${ticks}`;
}

function listText(list: Element): string {
  const items = [...list.children].filter((item) => item.tagName === 'LI');
  return items
    .map((item, index) => {
      const sign = list.tagName === 'OL' ? `${index + 1}. ` : '- ';
      return (
        sign +
        blocksOf(item)
          .join('\n')
          .replaceAll('\n', `\n${' '.repeat(sign.length)}`)
      );
    })
    .join('\n');
}

function tableText(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map(
    (row) =>
      `| ${[...row.children].map((cell) => inside(cell).trim().replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
  );
  const columns = table.querySelector('tr')?.children.length ?? 1;
  rows.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  return rows.join('\n');
}

/** Returns the text of an element on one line, with its code, links and emphasis. */
function inside(element: Element): string {
  let out = '';
  for (const node of element.childNodes) {
    if (node instanceof Text) out += node.data.replace(/\s+/g, ' ');
    else if (node instanceof Element && !node.matches(LEFT_OUT)) out += inlineText(node);
  }
  return out;
}

function inlineText(element: Element): string {
  if (element instanceof HTMLImageElement)
    return element.alt === '' ? '' : `![${element.alt}](${element.getAttribute('src')})`;
  if (element.tagName === 'BR') return '\n';
  const text = inside(element);
  if (text.trim() === '') return text;
  switch (element.tagName) {
    case 'CODE':
    case 'KBD':
      return `\`${element.textContent}\``;
    case 'STRONG':
    case 'B':
      return `**${text}**`;
    case 'EM':
    case 'I':
      return `*${text}*`;
    case 'A': {
      const href = element.getAttribute('href') ?? '';
      return href === '' || href.startsWith('#') ? text : `[${text}](${href})`;
    }
    default:
      return text;
  }
}
