import type { Highlighter } from '../../core/content/page-renderer.ts';
import { plainLine } from './code-tokenizer.ts';

/** Wraps a highlighter: knows the same languages and reports the same problems, but does not color code. */
export function withoutColors(highlighter: Highlighter): Highlighter {
  return {
    load: (languages) => highlighter.load(languages),
    highlight: (code) => code.split(/\r?\n/).map(plainLine),
    ...(highlighter.explain ? { explain: (code, language) => highlighter.explain?.(code, language) } : {}),
    ...(highlighter.settle ? { settle: async () => highlighter.settle?.() } : {}),
  };
}
