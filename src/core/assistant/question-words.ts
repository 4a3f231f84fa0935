import { stem } from '../search/stem.ts';
import { commonWords, stopWords } from '../search/stop-words.ts';
import { synonymsOf } from '../search/synonyms.ts';
import { scanWords } from '../search/tokenize.ts';
import { wordStems } from '../search/word-stems.ts';

const SYNONYM_WORTH = 0.5;
const COMMON_WORD_WORTH = 0.25;
const PLEASANTRIES: ReadonlySet<string> = new Set(
  ['hi', 'hello', 'hey', 'thank', 'thanks', 'thx', 'please', 'ok', 'okay', 'yes', 'bye', 'great', 'cool'].map(stem),
);

/** The words of a question that tell what it is about, for judging how far a text answers it. */
export class QuestionWords {
  /** Worth of each word. */
  private readonly worth: number[] = [];
  /** Stem → which word it stands for, and how well. */
  private readonly meanings = new Map<string, { word: number; closeness: number }[]>();

  constructor(question: string) {
    const known = new Set<string>();
    scanWords(question, (word) => {
      const { stems, isStopWord } = wordStems(word);
      const [whole] = stems;
      if (isStopWord || whole === undefined || known.has(whole) || PLEASANTRIES.has(whole)) return;
      known.add(whole);
      const index = this.worth.push(commonWords.has(word.toLowerCase()) ? COMMON_WORD_WORTH : 1) - 1;
      for (const stem of stems) this.mean(stem, index, 1);
      for (const synonym of synonymsOf(whole)) {
        if (!synonym.includes(' ') && !stopWords.has(synonym)) this.mean(synonym, index, SYNONYM_WORTH);
      }
    });
  }

  private mean(stem: string, word: number, closeness: number): void {
    const meanings = this.meanings.get(stem);
    if (meanings === undefined) this.meanings.set(stem, [{ word, closeness }]);
    else meanings.push({ word, closeness });
  }

  /** Whether it asks for nothing: “hello”, “thanks”. */
  get isEmpty(): boolean {
    return this.worth.length === 0;
  }

  /** How well a text has each word, 0–1. */
  found(text: string): Float32Array {
    const found = new Float32Array(this.worth.length);
    scanWords(text, (word) => {
      for (const stem of wordStems(word).stems) {
        for (const { word: index, closeness } of this.meanings.get(stem) ?? []) {
          found[index] = Math.max(found[index] as number, closeness);
        }
      }
    });
    return found;
  }

  /** The share of the question that is found, 0–1; words that are `rare` among the texts at hand count more. */
  share(found: Float32Array, rarity?: Float32Array): number {
    let sum = 0;
    let all = 0;
    for (let i = 0; i < this.worth.length; i++) {
      const worth = (this.worth[i] as number) * (rarity?.[i] ?? 1);
      all += worth;
      sum += worth * (found[i] as number);
    }
    return all === 0 ? 0 : sum / all;
  }
}
