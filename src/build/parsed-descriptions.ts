import { type ParsedApiDocument, parseApiDocument } from '../core/api-reference/parse-api-document.ts';
import type { SourceTree } from './source-tree.ts';

/** Enough for a site; one with more reads some of them twice. */
const MOST_KEPT = 40;
const MOST_CHARACTERS = 30_000_000;

interface Kept {
  text: string;
  /** The other files that it was read with, by their paths. */
  others: Map<string, string | undefined>;
  parsed: ParsedApiDocument;
}

const kept = new Map<string, Kept>();

/**
 * Reads an API description, once as long as its text and those of the files that it refers to stay the same: navigation and pages
 * ask for it by turns, and reading a long YAML file takes seconds. Asks the source for every one of those files each time.
 * @returns undefined where there is no such file
 */
export function parseOnce(source: Pick<SourceTree, 'readText'>, file: string): ParsedApiDocument | undefined {
  const text = source.readText(file);
  if (text === undefined) return undefined;
  const known = kept.get(file);
  kept.delete(file);
  const entry = known?.text === text && isSame(source, known.others) ? known : parse(source, text, file);
  kept.set(file, entry);
  let characters = 0;
  for (const one of kept.values()) characters += one.text.length;
  for (const [name, one] of kept) {
    if (kept.size <= MOST_KEPT && characters <= MOST_CHARACTERS) break;
    kept.delete(name);
    characters -= one.text.length;
  }
  return entry.parsed;
}

function parse(source: Pick<SourceTree, 'readText'>, text: string, file: string): Kept {
  const others = new Map<string, string | undefined>();
  const parsed = parseApiDocument(text, file, (path) => {
    const other = source.readText(path);
    others.set(path, other);
    return other;
  });
  return { text, others, parsed };
}

function isSame(source: Pick<SourceTree, 'readText'>, texts: Kept['others']): boolean {
  return [...texts].every(([path, text]) => source.readText(path) === text);
}
