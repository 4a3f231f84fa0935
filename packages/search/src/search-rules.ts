import { stem } from './words/stem.ts';
import { MAX_PHRASE_WORDS, relatedBy } from './words/synonyms.ts';
import { commonWords, scanWords, stopWords, wordForms, wordStems } from './words/tokenize.ts';

/** How the owners of a site steer its search and its answers. */
export interface SearchRules {
  /** Words and phrases that mean the same on this site. */
  synonyms: string[][];
  pageRules: PageRule[];
}

/** The pages of a question. */
export interface PageRule {
  /** The rule is for every question that has all its meaningful words, in any order and form. */
  question: string;
  /** Paths of pages that come first, in this order. */
  pin: string[];
  /** Paths of pages that are not found. */
  block: string[];
}

/** Other names by stem or phrase, as `synonymsOf` returns them. */
export type Synonyms = ReadonlyMap<string, ReadonlySet<string>>;

interface PreparedRules {
  synonyms: Synonyms;
  pageRules: { stems: string[]; rule: PageRule }[];
}

export const noRules: SearchRules = { synonyms: [], pageRules: [] };

/** Returns whether the owners steer anything. */
export function hasRules(rules: SearchRules | undefined): rules is SearchRules {
  return rules !== undefined && rules.synonyms.length + rules.pageRules.length > 0;
}

/** Returns the rules without the paths of pages that a reader may not know of. */
export function rulesAmong(
  { synonyms, pageRules }: SearchRules,
  pages: readonly { path: string }[],
): SearchRules {
  const readable = new Set(pages.map(({ path }) => path));
  const among = (paths: readonly string[]) => paths.filter((path) => readable.has(path));
  return {
    synonyms,
    pageRules: pageRules
      .map((rule) => ({ ...rule, pin: among(rule.pin), block: among(rule.block) }))
      .filter(({ pin, block }) => pin.length + block.length > 0),
  };
}

/** Returns a script that brings the rules: a page opened from disk may load scripts, not files. */
export function rulesScript(rules: SearchRules): string {
  return `__docentSearchRules(${JSON.stringify(rules)});\n`;
}

const prepared = new WeakMap<SearchRules, PreparedRules>();

/** Rules are read with every question, and seldom change. */
function preparedRules(rules: SearchRules): PreparedRules {
  const existing = prepared.get(rules);
  if (existing) return existing;
  const families = rules.synonyms.map((family) => family.map(phraseStems).filter(Boolean));
  const result = {
    synonyms: relatedBy(families),
    pageRules: rules.pageRules.map((rule) => ({ stems: contentStems(rule.question), rule })),
  };
  prepared.set(rules, result);
  return result;
}

/** Returns the synonyms of a site. */
export function siteSynonyms(rules: SearchRules | undefined): Synonyms | undefined {
  return rules && rules.synonyms.length > 0 ? preparedRules(rules).synonyms : undefined;
}

/** Returns the pages that a query pins and blocks; nothing if no rule is for it. */
export function pagesFor(
  rules: SearchRules | undefined,
  query: string,
): Pick<PageRule, 'pin' | 'block'> | undefined {
  if (rules === undefined || rules.pageRules.length === 0) return undefined;
  const stems = new Set(contentStems(query));
  const matches = preparedRules(rules).pageRules.filter(
    ({ stems: needed }) => needed.length > 0 && needed.every((word) => stems.has(word)),
  );
  if (matches.length === 0) return undefined;
  return {
    pin: matches.flatMap(({ rule }) => rule.pin),
    block: matches.flatMap(({ rule }) => rule.block),
  };
}

/** Whether a text has a word by which a rule can recognize its question. */
export function hasContentWords(text: string): boolean {
  return contentStems(text).length > 0;
}

/** Whether a text can be a synonym: a phrase is at most as long as search recognizes. */
export function isPhrase(text: string): boolean {
  const { length } = phraseStems(text).split(' ').filter(Boolean);
  return length > 0 && length <= MAX_PHRASE_WORDS;
}

/** Function words and words such as “use” stand in every question. */
function contentStems(text: string): string[] {
  const stems: string[] = [];
  scanWords(text, (word) => {
    const { stems: ofWord, isStopWord } = wordStems(word);
    if (isStopWord || commonWords.has(word.toLowerCase())) return;
    stems.push(...(wordForms(word).whole === '' ? ofWord : ofWord.slice(0, 1)));
  });
  return stems;
}

function phraseStems(phrase: string): string {
  const stems: string[] = [];
  scanWords(phrase, (word) => {
    const { whole, parts } = wordForms(word);
    stems.push(...(whole === '' ? parts : [stem(whole)]));
  });
  return stems.every((word) => stopWords.has(word)) ? '' : stems.join(' ');
}
