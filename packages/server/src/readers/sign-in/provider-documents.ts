import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../../kernel/deps.ts';
import { createFreshCache } from '../../kernel/fresh-cache.ts';
import type { ProviderDocuments } from '../../kernel/process-state.ts';
import { OutsideFault } from '../../ports/outside-files.ts';

const MAX_CACHE_BYTES = 4 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;
/** A key may be new: its set is read again, at most this often. */
const RETRY_MS = 30_000;

interface Document {
  url: string;
  readAt: number;
  content: Readonly<Record<string, unknown>>;
}

/**
 * Reads what identity providers publish, at public addresses and those that the operator allows.
 */
export function createProviderDocuments({
  outsideFiles,
  clock,
}: Pick<Deps, 'outsideFiles' | 'clock'>): ProviderDocuments {
  const times = { freshMs: HOUR_MS / 2, usableMs: HOUR_MS };
  const documents = createFreshCache<Document>({
    name: 'provider_documents',
    clock,
    ...times,
    maxBytes: MAX_CACHE_BYTES,
  });

  async function load(url: string): Promise<Document> {
    try {
      const { bytes } = await outsideFiles.fetch(url, {
        accept: 'application/json, application/jwk-set+json',
        maxBytes: MAX_DOCUMENT_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
      const content: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
      if (typeof content === 'object' && content !== null)
        return { url, readAt: clock.now().getTime(), content: content as Document['content'] };
    } catch (error) {
      if (!(error instanceof OutsideFault || error instanceof SyntaxError)) throw error;
    }
    throw new DocentError(
      'dependency_unavailable',
      `The identity provider does not answer with JSON at ${url}; try again.`,
    );
  }

  return {
    async read(url, isStale = false) {
      const document = (await documents.get(url, () => load(url))) as Document;
      if (!isStale || clock.now().getTime() - document.readAt < RETRY_MS) return document.content;
      documents.invalidate(url);
      return ((await documents.get(url, () => load(url))) as Document).content;
    },
  };
}
