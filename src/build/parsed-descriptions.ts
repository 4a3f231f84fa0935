import { type ParsedApiDocument, parseApiDocument } from '../core/api-reference/parse-api-document.ts';

/** Enough for a site; one with more reads some of them twice. */
const MOST_KEPT = 40;
const MOST_CHARACTERS = 30_000_000;

const kept = new Map<string, { text: string; parsed: ParsedApiDocument }>();

/**
 * Reads an API description, once as long as its text stays the same: navigation and pages ask for it by turns, and reading
 * a long YAML file takes seconds.
 */
export function parseOnce(text: string, file: string): ParsedApiDocument {
  const known = kept.get(file);
  kept.delete(file);
  const entry = known?.text === text ? known : { text, parsed: parseApiDocument(text, file) };
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
