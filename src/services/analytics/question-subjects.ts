import { pageFacts } from '../../core/navigation/page-facts.ts';
import { stem } from '../../core/search/words/stem.ts';
import { commonWords, scanWords, stopWords } from '../../core/search/words/tokenize.ts';
import type { CountedAnswer } from '../../db/conversations.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { pagesByHref } from '../sites/pages-by-href.ts';

/** The subject of questions: a part of the navigation, a page outside of it, or a word that they share. */
export interface Subject {
  name: string;
  kind: 'group' | 'page' | 'word';
}

/** The questions about one subject. */
export interface SubjectCounts extends Subject {
  questions: number;
  answered: number;
  notInDocs: number;
  notHelpful: number;
  lastAskedAt: Date;
  /** The newest questions, each once. */
  examples: string[];
}

const MAX_EXAMPLES = 3;
/** Shorter words carry little meaning; those of scripts without spaces are whole. */
const MIN_LETTERS = 3;

/** Finds the subject of an answer's main source page: its group in the navigation, otherwise its title. */
export function subjectReader({
  build,
  publicUrl,
}: Pick<LiveSite, 'build' | 'publicUrl'>): (address: string) => Subject | undefined {
  const pages = pagesByHref(build);
  const facts = pageFacts(build.navigation);
  return (address) => {
    if (!address.startsWith(publicUrl)) return undefined;
    const page = pages.get(address.slice(publicUrl.length).replace(/[?#].*$/s, '') || '/');
    if (!page) return undefined;
    const group = facts.get(page.path)?.trail.at(-1);
    return group === undefined ? { name: page.title, kind: 'page' } : { name: group, kind: 'group' };
  };
}

/**
 * Counts answers by subject. Questions without a source are grouped by the word that most of them share, because missing
 * documentation has no group in the navigation.
 */
export function countSubjects(
  answers: readonly CountedAnswer[],
  subjectOf: (address: string) => Subject | undefined = () => undefined,
) {
  const totals = { questions: 0, answered: 0, notInDocs: 0 };
  const days = new Map<string, { questions: number; answered: number }>();
  const subjects = new Map<string, SubjectCounts>();
  const known = answers.map(({ source }) => (source === null ? undefined : subjectOf(source)));
  const words = sharedWords(answers.flatMap(({ question }, index) => (known[index] || !question ? [] : [question])));
  for (const [index, answer] of answers.entries()) {
    const { question, outcome, helpful, createdAt } = answer;
    const isAnswered = Number(outcome === 'answered');
    totals.questions += 1;
    totals.answered += isAnswered;
    totals.notInDocs += Number(outcome === 'not_in_docs');
    const dayName = createdAt.toISOString().slice(0, 10);
    const day = days.get(dayName) ?? { questions: 0, answered: 0 };
    days.set(dayName, { questions: day.questions + 1, answered: day.answered + isAnswered });
    const subject = known[index] ?? { name: question ? words(question) : '', kind: 'word' };
    const id = `${subject.kind} ${subject.name}`;
    const counts: SubjectCounts = subjects.get(id) ?? {
      ...subject,
      ...{ questions: 0, answered: 0, notInDocs: 0, notHelpful: 0, lastAskedAt: createdAt, examples: [] },
    };
    subjects.set(id, counts);
    counts.questions += 1;
    counts.answered += isAnswered;
    counts.notInDocs += Number(outcome === 'not_in_docs');
    counts.notHelpful += Number(helpful === false);
    if (question && counts.examples.length < MAX_EXAMPLES && !counts.examples.includes(question)) counts.examples.push(question);
  }
  return {
    totals,
    days: [...days].map(([day, counts]) => ({ day, ...counts })).sort((a, b) => (a.day < b.day ? -1 : 1)),
    subjects: [...subjects.values()].sort((a, b) => b.questions - a.questions || (a.name < b.name ? -1 : 1)),
  };
}

/** Returns the word of a question that most of these questions contain; empty if it has no meaningful one. */
function sharedWords(questions: readonly string[]): (question: string) => string {
  const counts = new Map<string, { word: string; questions: number }>();
  for (const question of questions)
    for (const [stemmed, word] of distinctiveWords(question)) {
      const known = counts.get(stemmed);
      if (known) known.questions += 1;
      else counts.set(stemmed, { word, questions: 1 });
    }
  return (question) => {
    let best: { word: string; questions: number } | undefined;
    for (const stemmed of distinctiveWords(question).keys()) {
      const found = counts.get(stemmed);
      if (found && (!best || found.questions > best.questions)) best = found;
    }
    return best?.word ?? '';
  };
}

/** Returns the stems of a question's meaningful words. */
function distinctiveWords(question: string): Map<string, string> {
  const words = new Map<string, string>();
  scanWords(question, (raw) => {
    const word = raw.toLowerCase();
    const isShort = word.length < MIN_LETTERS && /^[a-z0-9]*$/.test(word);
    if (!isShort && !stopWords.has(word) && !commonWords.has(word)) words.set(stem(word), word);
  });
  return words;
}
