import type { ExplainedCode } from '../../core/content/page-renderer.ts';
import { createBoundedProcess } from '../process/bounded-process.ts';
import type { TwoslashQuestion } from './twoslash-process.ts';

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['ts', 'ts'],
  ['typescript', 'ts'],
  ['mts', 'ts'],
  ['cts', 'ts'],
  ['tsx', 'tsx'],
  ['typescriptreact', 'tsx'],
  ['js', 'js'],
  ['javascript', 'js'],
  ['mjs', 'js'],
  ['jsx', 'jsx'],
  ['javascriptreact', 'jsx'],
]);
const MAX_CODE_LENGTH = 20_000;

/** Explains the names in code, using a compiler in a separate process that starts when a page first needs it. */
export interface CodeExplainer {
  /** Undefined until the answer was awaited. */
  find(code: string, language: string): ExplainedCode | undefined;
  /** Answers pending requests. Returns whether there were any. */
  settle(): Promise<boolean>;
}

export function createCodeExplainer(): CodeExplainer {
  const known = new Map<string, ExplainedCode>();
  const waiting = new Map<string, TwoslashQuestion>();
  const compiler = createBoundedProcess<TwoslashQuestion, ExplainedCode>({
    module: new URL('./twoslash-process.ts', import.meta.url),
    timeLimitMs: 10_000,
    startLimitMs: 20_000,
    memoryMb: 768,
  });
  const unexplained = (code: string, problem: string): ExplainedCode => ({ code, hints: [], notes: [], problem });

  return {
    find(code, language) {
      const extension = EXTENSIONS.get(language.toLowerCase());
      if (extension === undefined) return unexplained(code, 'only TypeScript and JavaScript have types.');
      if (code.length > MAX_CODE_LENGTH) return unexplained(code, 'the block is too long.');
      const key = `${extension}\n${code}`;
      const explained = known.get(key);
      if (!explained) waiting.set(key, { code, extension });
      return explained;
    },
    async settle() {
      const asked = [...waiting];
      waiting.clear();
      for (const [key, question] of asked) {
        const result = await compiler.ask(question);
        known.set(key, 'answer' in result ? result.answer : unexplained(question.code, `${result.failure}.`));
      }
      return asked.length > 0;
    },
  };
}
