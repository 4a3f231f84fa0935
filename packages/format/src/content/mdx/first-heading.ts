import { nodeText } from '../nodes/content-node.ts';
import { inlineMarkdownNodes } from '../nodes/plain-markdown.ts';

/** The heading that gives a page its title. */
export interface FirstHeading {
  /** Plain text. */
  title: string;
  /** 1-based line within the text. */
  line: number;
}

/** In characters. A longer heading is no title. */
const MAX_LENGTH = 1000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}=+[ \t]*$/;

/**
 * Finds the first heading of a page and returns it if it is of level 1 (`# Title`, or underlined
 * with `=`). A scan of the lines, so that the titles of a site are known without parsing its pages.
 * @param body the text without its frontmatter
 */
export function firstHeading(body: string): FirstHeading | undefined {
  let fence = '';
  let isComment = false;
  let before = '';
  for (const [index, line] of body.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (isComment) isComment = !/-->|\*\/\}/.test(line);
    else if (mark !== undefined) fence = mark;
    else if (/^\s*(?:<!--|\{\/\*)/.test(line)) isComment = !/-->|\*\/\}/.test(line);
    else {
      const heading = HEADING.exec(line);
      if (heading) return heading[1] === '#' ? titled(heading[2] as string, index + 1) : undefined;
      if (before.trim() !== '' && UNDERLINE.test(line)) return titled(before, index);
    }
    before = fence === '' && mark === undefined ? line : '';
  }
  return undefined;
}

function titled(written: string, line: number): FirstHeading | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const text = written
    .replace(/[ \t]+#+[ \t]*$/, '')
    .replace(/[ \t]*\{#[^{}]*\}[ \t]*$/, '')
    .replace(/!\[[^\]]*\]\([^()]*\)|<[^<>]*>/g, '');
  // An expression is known only once the page is built.
  if (/\{(?!\{)/.test(text.replaceAll('{{', ''))) return undefined;
  const title = nodeText(inlineMarkdownNodes(text)).replace(/\s+/g, ' ').trim();
  return title === '' ? undefined : { title, line };
}
