import type { Passage } from '../chat-request.ts';
import { type MarkdownBlock, markdownBlocks, sentences } from '../markdown-blocks.ts';

const MAX_INTRODUCTION = 700;
const MAX_SENTENCE = 240;
const MAX_SECTIONS = 12;

/**
 * Summarizes a page in its own words: its description, its beginning, and the first sentence of each section.
 * @param sections the sections of one page, in order
 */
export function summarizePage(sections: readonly Passage[]): string {
  const [first] = sections as readonly [Passage, ...Passage[]];
  const own = sections.filter(({ headings }) => headings.length === 0).map(({ content }) => content);
  const begin = introduction(own.length > 0 ? own.join('\n\n') : first.content);
  const description = first.description ?? '';
  const parts = [description !== '' && !begin.startsWith(description.slice(0, 40)) ? description : '', begin];
  const titled = sections.filter(({ headings }) => headings.length > 0);
  // The outermost headings divide a page.
  const depth = Math.min(...titled.map(({ headings }) => headings.length));
  const items = titled.filter(({ headings }) => headings.length === depth).map(itemOf);
  parts.push(items.slice(0, MAX_SECTIONS).join('\n') + (items.length > MAX_SECTIONS ? '\n- …' : ''));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The first blocks that fit, uncut. */
function introduction(markdown: string): string {
  const blocks = markdownBlocks(markdown).filter(({ kind }) => kind !== 'heading');
  const kept: string[] = [];
  let left = MAX_INTRODUCTION;
  for (const block of blocks) {
    if (block.markdown.length > left) {
      if (kept.length === 0 && isText(block)) kept.push(firstSentences(block.markdown, left));
      break;
    }
    left -= block.markdown.length;
    kept.push(block.markdown);
  }
  return kept.join('\n\n');
}

function itemOf({ headings, content, url }: Passage): string {
  const title = (headings.at(-1) as string).replaceAll(/[\\[\]]/g, '\\$&');
  const text = markdownBlocks(content).find(isText)?.markdown ?? '';
  const sentence = firstSentences(text, MAX_SENTENCE);
  return `- [**${title}**](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)})${sentence === '' ? '' : `: ${sentence}`}`;
}

function isText({ kind, markdown }: MarkdownBlock): boolean {
  return kind === 'paragraph' && !/^[>!<]/.test(markdown);
}

/** As many sentences as fit; “…” if not even the first does. */
function firstSentences(paragraph: string, limit: number): string {
  const [first = '', ...others] = sentences(paragraph);
  if (first.length > limit) return `${first.slice(0, Math.max(0, first.lastIndexOf(' ', limit)))} …`;
  let text = first;
  if (limit > MAX_SENTENCE) for (const next of others) if (text.length + next.length < limit) text += ` ${next}`;
  return text;
}
