import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeAnswer {
  data?: { index: number; embedding: unknown }[];
  results?: { index: number; relevance_score: unknown }[];
}

/** A request, independent of the provider's protocol. */
interface Asked {
  path: string;
  key: string | undefined;
  traceparent?: string | undefined;
  model?: string;
  input?: string[];
  query?: string;
  documents?: string[];
  body: Record<string, unknown>;
}

/**
 * A server with an embedding model and a reranker that know the meaning of a few words, in the
 * protocols of several providers.
 */
export interface FakeModels {
  /** Base address, as clients are configured with it. */
  url: string;
  /** The requests so far. */
  requests: Asked[];
  /** The next requests get these responses, one each. */
  failNext: { status: number; retryAfter?: string }[];
  /** All requests get this status. */
  failWith: number | undefined;
  delayMs: number;
  /** More texts, or a longer one, are rejected with 400. */
  maxTexts: number;
  longestText: number;
  dimensions: number;
  /** Changes a response before it is sent. */
  spoil: ((answer: FakeAnswer) => unknown) | undefined;
  /** Every text that was embedded so far. */
  texts(): string[];
  close(): Promise<void>;
}

export const FAKE_DIMENSIONS = 48;

/** The words of a line have the same meaning. */
const meanings = [
  ['rotate', 'renew', 'replace', 'exchange'],
  ['key', 'keys', 'credential', 'credentials', 'token'],
  ['retry', 'retried', 'reattempt', 'again'],
  ['automobile', 'car', 'vehicle'],
  ['invoice', 'bill', 'billing', 'payment'],
  ['bicycle', 'velocipede'],
  ['inflate', 'pump'],
];

const MIN_WORDS = new Set([
  'a',
  'the',
  'of',
  'to',
  'is',
  'how',
  'do',
  'i',
  'my',
  'in',
  'and',
  'for',
  'it',
  'what',
  'can',
]);

/** Returns a vector in which each meaning has its own place, and other words share the rest. */
export function toyEmbedding(text: string, dimensions = FAKE_DIMENSIONS): number[] {
  const vector = Array<number>(dimensions).fill(0);
  vector[dimensions - 1] = 0.05;
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    if (MIN_WORDS.has(word)) continue;
    const meaning = meanings.findIndex((words) => words.includes(word));
    const hash = Array.from(word).reduce(
      (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_007,
      7,
    );
    const at =
      meaning >= 0 ? meaning : meanings.length + (hash % (dimensions - meanings.length - 1));
    vector[at] = (vector[at] as number) + (meaning >= 0 ? 1 : 0.15);
  }
  return vector;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  return (
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0) /
    Math.hypot(...a) /
    Math.hypot(...b)
  );
}

export async function startFakeModels(): Promise<FakeModels> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = readAsked(String(request.url), request.headers.authorization, JSON.parse(body));
    fake.requests.push({ ...asked, traceparent: request.headers.traceparent?.toString() });
    if (fake.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.delayMs));
    const { input = [] } = asked;
    const tooMuch =
      input.length > fake.maxTexts || input.some((text) => text.length > fake.longestText);
    const failure = fake.failNext.shift() ?? { status: fake.failWith ?? (tooMuch ? 400 : 200) };
    if (failure.status !== 200) {
      response.writeHead(failure.status, {
        ...(failure.retryAfter !== undefined && { 'retry-after': failure.retryAfter }),
      });
      return response.end(
        `{"error":{"message":"upstream detail about ${request.headers.authorization}"}}`,
      );
    }
    const answer = asked.documents ? rerank(asked.query ?? '', asked.documents) : embed(input);
    const sent = fake.spoil ? fake.spoil(answer) : answer;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof sent === 'string' ? sent : JSON.stringify(inProviderForm(asked, sent)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function embed(input: readonly string[]): FakeAnswer {
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: toyEmbedding(text, fake.dimensions),
    }));
    return { data };
  }

  const fake: FakeModels = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    failNext: [],
    failWith: undefined,
    delayMs: 0,
    maxTexts: Number.POSITIVE_INFINITY,
    longestText: Number.POSITIVE_INFINITY,
    dimensions: FAKE_DIMENSIONS,
    spoil: undefined,
    texts: () => fake.requests.flatMap(({ input }) => input ?? []),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Ranks the best document first, as such servers do. */
function rerank(query: string, documents: readonly string[]): FakeAnswer {
  const asked = toyEmbedding(query);
  const results = documents.map((text, index) => ({
    index,
    relevance_score: Math.max(0, cosine(asked, toyEmbedding(text))),
  }));
  return { results: results.sort((a, b) => b.relevance_score - a.relevance_score) };
}

interface GoogleContent {
  content: { parts: { text: string }[] };
}

interface BedrockSource {
  inlineDocumentSource: { textDocument: { text: string } };
}

function readAsked(path: string, key: string | undefined, body: Record<string, unknown>): Asked {
  const asked = { path, key, body };
  if (path.endsWith(':embedContent'))
    return { ...asked, input: [textOf(body as unknown as GoogleContent)] };
  if (path.endsWith(':batchEmbedContents'))
    return { ...asked, input: (body.requests as GoogleContent[]).map(textOf) };
  if (path.endsWith('/invoke'))
    return { ...asked, input: (body.texts as string[] | undefined) ?? [String(body.inputText)] };
  if (Array.isArray(body.sources)) {
    const documents = (body.sources as BedrockSource[]).map(
      (source) => source.inlineDocumentSource.textDocument.text,
    );
    const [query] = body.queries as { textQuery: { text: string } }[];
    return { ...asked, documents, query: query?.textQuery.text };
  }
  return { ...asked, ...(body as Partial<Asked>) };
}

function textOf({ content }: GoogleContent): string {
  return content.parts.map(({ text }) => text).join('');
}

/** Converts a response to the format of the requested provider. */
function inProviderForm({ path, body }: Asked, answer: unknown): unknown {
  const { data, results } = answer as FakeAnswer;
  const embeddings = data?.map(({ embedding }) => embedding);
  if (path.endsWith(':embedContent')) return { embedding: { values: embeddings?.[0] } };
  if (path.endsWith(':batchEmbedContents'))
    return { embeddings: embeddings?.map((values) => ({ values })) };
  if (path.endsWith('/invoke')) {
    return body.texts === undefined
      ? { embedding: embeddings?.[0], inputTextTokenCount: 1 }
      : { embeddings };
  }
  if (body.sources !== undefined) {
    return {
      results: results?.map(({ index, relevance_score }) => ({
        index,
        relevanceScore: relevance_score,
      })),
    };
  }
  if (data === undefined) return answer;
  return {
    object: 'list',
    model: 'toy',
    ...(answer as FakeAnswer),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}
