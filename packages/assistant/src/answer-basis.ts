import { encodeUtf8 } from '@docent/format/bytes.ts';
import type { RetrievedPage, ToolCall } from './chat/answer-event.ts';

/** What an answer is based on, for the owners of its site. */
export interface AnswerBasis {
  /** What the assistant searched and opened, in order. The first search is made for the question. */
  lookups: Lookup[];
  /** The sections that it read, best first for each search. */
  passages: BasisPassage[];
}

interface Lookup {
  tool: ToolCall['name'];
  /** The words, the path, or the text. */
  input: string;
}

interface BasisPassage {
  /** Title of the page. */
  title: string;
  /** Headings above the section, outermost first; empty if the assistant read the page. */
  headings: string[];
  url: string;
  /** 0–1; null if the page was opened by its path. */
  score: number | null;
  /** The answer quotes or links it. */
  isCited: boolean;
}

/** A section or a page that the assistant read. */
export type ReadPassage = Omit<BasisPassage, 'isCited' | 'title'> & { title: string };

/** Of an answer, as UTF-8. */
const MAX_BYTES = 8192;
const MAX_LOOKUPS = 10;
const MAX_TEXT = 150;
const MAX_URL = 600;

/** Returns a section as an answer is based on it. */
export function readPassage({
  url,
  metadata,
  headings = [],
}: Pick<RetrievedPage, 'url' | 'metadata'> & { headings?: string[] }): ReadPassage {
  return { title: metadata.title, headings, url, score: metadata.score };
}

/**
 * Returns the basis of an answer as it is stored: in at most 8 KB, without the last passages if
 * they do not fit.
 * @param answer its text, as Markdown
 */
export function answerBasis(
  { lookups, passages }: { lookups: readonly ToolCall[]; passages: readonly ReadPassage[] },
  answer: string,
): AnswerBasis {
  const basis: AnswerBasis = {
    lookups: lookups.slice(0, MAX_LOOKUPS).map(lookupOf),
    passages: [],
  };
  let left = MAX_BYTES - bytesOf(basis);
  const urls = new Set<string>();
  for (const { title, headings, url, score } of passages) {
    if (urls.has(url) || url.length > MAX_URL) continue;
    urls.add(url);
    const passage = {
      title: short(title),
      headings: headings.slice(-3).map(short),
      url,
      score,
      isCited: isCited(answer, url),
    };
    left -= bytesOf(passage);
    if (left < 0) break;
    basis.passages.push(passage);
  }
  return basis;
}

function lookupOf({ name, input }: ToolCall): Lookup {
  const text = 'query' in input ? input.query : 'text' in input ? input.text : input.path;
  return { tool: name, input: short(text) };
}

/** A link to the page counts for all its sections. */
function isCited(answer: string, url: string): boolean {
  const page = url.split('#', 1)[0] as string;
  return [url, page].some((address) =>
    answer.includes(`](${address.replaceAll(/[()\s<>]/g, encodeURIComponent)})`),
  );
}

/** Half of a surrogate pair and U+0000 cannot be stored. */
const short = (text: string) =>
  text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\u0000', '').replaceAll(/\s+/g, ' ').trim();

const bytesOf = (value: object) => encodeUtf8(JSON.stringify(value)).length + 1;
