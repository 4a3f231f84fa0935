import type { SearchDocument, SearchHit, SearchIndex } from '../search/search-index.ts';
import type { AssistantQuestion } from './assistant-question.ts';
import type { PointsAt } from './chat-request.ts';
import { QuestionWords } from './extractive/question-words.ts';

const MAX_SECTIONS = 24;
/** Characters of a selection that identify its section. */
const MAX_SELECTION = 2000;
const RECOGNIZED_BY = 60;

/**
 * Returns the sections of the reader's current page as hits that precede all others: in page order, or with the section of the
 * selection first. None if the site has no such page.
 */
export function readerSections(index: SearchIndex, question: AssistantQuestion, asked: PointsAt): SearchHit[] {
  const { context, currentPath } = question;
  const selected = context.find(({ path }) => path !== undefined);
  const path = selected?.path ?? currentPath;
  const sections = path === undefined ? [] : index.sectionsOf(path);
  const first = asked === 'selection' ? sectionOf(sections, context.map(({ value }) => value).join('\n')) : 0;
  const ordered = [...sections.slice(first, first + 1), ...sections.slice(0, first), ...sections.slice(first + 1)];
  // Scores decrease from section to section, so that the order is kept.
  return ordered.slice(0, MAX_SECTIONS).map((document, at) => ({ document, score: 1 - at * 1e-4, share: 1 }));
}

/** The section of a selection: the one that contains it verbatim, otherwise the one that shares most words with it. */
function sectionOf(sections: readonly SearchDocument[], selection: string): number {
  const begin = plain(selection).slice(0, RECOGNIZED_BY);
  const exact = begin === '' ? -1 : sections.findIndex((section) => plain(`${section.text} ${section.code}`).includes(begin));
  if (exact >= 0) return exact;
  const words = new QuestionWords(selection.slice(0, MAX_SELECTION));
  const shares = sections.map(({ text, code }) => words.share(words.found(`${text} ${code}`)));
  return Math.max(0, shares.indexOf(Math.max(...shares)));
}

/** Letters and digits only: a browser selection has lost its markup. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
