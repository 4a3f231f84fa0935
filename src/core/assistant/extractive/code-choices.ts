import type { MarkdownBlock } from '../markdown-blocks.ts';
import type { WordMatch } from './question-words.ts';

/** A block and how well it matches each word of the question. */
export interface ReadBlock extends MarkdownBlock {
  found: Float32Array;
  matches: WordMatch[];
}

/** The label of a tab. */
const LABEL = /^\*\*[^*\n]{1,40}\*\*$/;
/** The weight of a synonym. */
const NAMED_FROM = 0.5;

/** A code block with the label above it. */
interface Choice {
  from: number;
  to: number;
  isNamed: boolean;
}

/**
 * If the same example exists for several languages or tools and the question names one of them, keeps only that one.
 * @param isNamed whether the question names something in a text
 */
export function namedCode(blocks: readonly ReadBlock[], isNamed: (text: string) => boolean): ReadBlock[] {
  const left: ReadBlock[] = [];
  for (let at = 0; at < blocks.length; ) {
    const run = choicesFrom(blocks, at, isNamed);
    const end = run.at(-1)?.to ?? at + 1;
    const named = run.filter((choice) => choice.isNamed);
    const kept = run.length > 1 && named.length > 0 ? named : [{ from: at, to: end }];
    for (const { from, to } of kept) left.push(...blocks.slice(from, to));
    at = end;
  }
  return left;
}

function choicesFrom(blocks: readonly ReadBlock[], from: number, isNamed: (text: string) => boolean): Choice[] {
  const run: Choice[] = [];
  let at = from;
  for (;;) {
    const label = blocks[at]?.kind === 'paragraph' && LABEL.test(blocks[at]?.markdown.trim() ?? '') ? 1 : 0;
    const code = blocks[at + label];
    if (code?.kind !== 'code') return run;
    const title = `${label === 1 ? blocks[at]?.markdown : ''} ${code.markdown.split('\n')[0]}`;
    run.push({ from: at, to: at + label + 1, isNamed: isNamed(title) });
    at += label + 1;
  }
}

/** Returns whether a match is strong enough to say that the question names it. */
export function names(found: Float32Array): boolean {
  return found.some((closeness) => closeness >= NAMED_FROM);
}
