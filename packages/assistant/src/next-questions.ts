import type { SearchDocument, SearchIndex, SearchOptions } from '@docent/search/search-index.ts';
import type { NextQuestions } from './chat/answer-event.ts';
import type { Passage } from './chat/chat-request.ts';
import { QuestionWords } from './retrieve/question-words.ts';

export interface NextQuestionsOptions {
  index: SearchIndex;
  search: Pick<SearchOptions, 'filter' | 'defaults'>;
  /** The results of that search, best first. */
  passages: readonly Passage[];
  /** The answer as Markdown. The pages that it links are its sources. */
  answer: string;
}

const MAX_CHOICES = 3;
const MAX_FOLLOW_UPS = 3;
/** A longer question names its meaning. */
const MAX_WORDS_OF_AMBIGUOUS = 3;
/** The minimum likelihood of a meaning, absolute and relative to the likeliest one. */
const MIN_SHARE = 0.15;
const MIN_OF_BEST = 0.5;
/** Shorter sections are introductions without content of their own. */
const MIN_SECTION_LENGTH = 80;
const MAX_HEADING_LENGTH = 70;
/** How many sections are checked; each check costs a search. */
const MAX_CHECKED = 6;
/**
 * First words of headings that name a task. In title case, a verb cannot be distinguished from a
 * noun.
 */
const TO_DO =
  /^(?:add|allow|assign|attach|authenticate|back|build|call|cancel|change|check|choose|clone|configure|connect|control|convert|create|customize|debug|define|delete|deploy|disable|download|edit|embed|enable|export|filter|find|generate|get|handle|hide|import|include|install|integrate|invite|limit|link|list|load|log|make|manage|migrate|monitor|move|override|pass|prevent|protect|publish|query|read|receive|redirect|remove|rename|replace|reset|restart|restore|restrict|retry|reuse|revoke|roll|rotate|run|save|scale|schedule|search|secure|send|serve|set|share|show|sign|start|stop|store|stream|submit|switch|sync|test|track|transfer|translate|turn|update|upgrade|upload|use|validate|verify|view|wait|write)$/i;

/**
 * Returns the meanings of a question that has several in this documentation, otherwise follow-up
 * questions. Nothing is invented: each is built from titles and headings, and the search finds the
 * right page for it.
 */
export function nextQuestions(
  question: string,
  options: NextQuestionsOptions,
): NextQuestions | undefined {
  const choices = meaningsOf(question, options);
  if (choices.length > 1) return { kind: 'choices', questions: choices };
  const questions = followUps(question, options);
  return questions.length === 0 ? undefined : { kind: 'follow-ups', questions };
}

/**
 * Returns the question once for each page that has all of its words and is about as likely as the
 * others.
 */
function meaningsOf(question: string, { index, search, passages }: NextQuestionsOptions): string[] {
  const words = new QuestionWords(question);
  if (words.isEmpty || words.count > MAX_WORDS_OF_AMBIGUOUS) return [];
  const pages = [...new Map(passages.map((passage) => [passage.path, passage])).values()];
  const best = Math.max(0, ...pages.map(({ share = 0 }) => share));
  const meant = pages.filter(({ path, share = 0, metadata }) => {
    if (share < Math.max(MIN_SHARE, MIN_OF_BEST * best)) return false;
    const pagePassages = passages.filter((passage) => passage.path === path);
    const names = [metadata.title, ...pagePassages.flatMap(({ headings }) => headings)].join(' ');
    return words.share(words.found(names)) > 0.99;
  });
  const bare = question.trim().replace(/(?<![?？.!\s])[?？.!\s]+$/, '');
  const isQuestion = bare !== question.trim();
  const titles = new Set(meant.map(({ metadata }) => metadata.title));
  if (meant.length < 2 || titles.size < meant.length) return [];
  return meant
    .slice(0, MAX_CHOICES)
    .filter(
      ({ path, metadata }) => firstPage(index, `${bare} ${metadata.title}`, search)?.path === path,
    )
    .map(({ metadata }) => `${bare} (${metadata.title})${isQuestion ? '?' : ''}`);
}

/** Returns questions that neighboring sections of the answer's page answer. */
function followUps(
  currentQuestion: string,
  { index, search, passages, answer }: NextQuestionsOptions,
): string[] {
  const quoted = passages.filter(({ url }) => answer.includes(url));
  const [first] = quoted;
  const sections = first === undefined ? [] : index.sectionsOf(first.path);
  // An operation is shown as a whole, so its sections are no follow-ups.
  if (first === undefined || sections[0]?.operation !== undefined) return [];
  const anchors = new Set(quoted.map(({ url }) => url.split('#')[1] ?? ''));
  const at = sections.findIndex(({ anchor }) => anchor === (first.url.split('#')[1] ?? ''));
  // Sections after the answer come first, then those before it.
  const near = [...sections.slice(at + 1), ...sections.slice(0, Math.max(0, at))];
  const questions = new Map<string, string>();
  let checked = 0;
  for (const section of near) {
    if (questions.size === MAX_FOLLOW_UPS || checked === MAX_CHECKED) break;
    if (anchors.has(section.anchor) || section.text.length < MIN_SECTION_LENGTH) continue;
    const question = questionOf(section);
    const key = question?.toLowerCase();
    if (
      question === undefined ||
      key === undefined ||
      questions.has(key) ||
      key === currentQuestion.trim().toLowerCase()
    )
      continue;
    checked++;
    const page = firstPage(index, question, search);
    if (page?.path === section.path) questions.set(key, question);
  }
  return [...questions.values()];
}

/**
 * Returns a heading as a question, if it is one or names a task: “Roll back”, “Setting Up Your
 * Logo”.
 */
function questionOf({ headings, language }: SearchDocument): string | undefined {
  const heading = (headings.at(-1) ?? '').replaceAll(/[`*_\\]/g, '').trim();
  if (heading === '' || heading.length > MAX_HEADING_LENGTH || /^(?:step\s*)?\d/i.test(heading))
    return undefined;
  if (/[?？]$/.test(heading)) return heading;
  const isEnglish = language === undefined || /^en\b/i.test(language);
  const [, first = '', rest = ''] = /^([A-Za-z]{2,20})(\s+\S.*)$/.exec(heading) ?? [];
  if (!isEnglish || first === '') return undefined;
  const named = `${first.toLowerCase()}${rest.replaceAll(/\byour\b/gi, 'my').replace(/(?<![.:])[.:]+$/, '')}`;
  if (TO_DO.test(first) && /^\s+(?:\p{Ll}|(?:Your|The|An?)\b)/u.test(rest))
    return `How do I ${named}?`;
  return isDoing(first) ? `How does ${named} work?` : undefined;
}

/** Whether a word is the gerund of a task: `Installing`, `Setting`, `Creating`. */
function isDoing(word: string): boolean {
  const [, stem] = /^(.{2,})ing$/i.exec(word) ?? [];
  return (
    stem !== undefined &&
    [`${stem}e`, stem, stem.replace(/(.)\1$/, '$1')].some((verb) => TO_DO.test(verb))
  );
}

function firstPage(
  index: SearchIndex,
  query: string,
  search: NextQuestionsOptions['search'],
): SearchDocument | undefined {
  return index.search(query, { ...search, limit: 3, completeLastWord: false })[0]?.document;
}
