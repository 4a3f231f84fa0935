import type { EmbedderChoice } from '@docent/format/model-choices.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEndlessModel } from '../../../../../test/support/endless-model.ts';
import {
  type FakeModels,
  startFakeModels,
  toyEmbedding,
} from '../../../../../test/support/fake-models.ts';
import { embedderContract } from '../../ports/embedder.contract.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { MAX_JSON_ANSWER_BYTES } from '../model-client/bounded-answer.ts';
import { createEmbedder } from './providers.ts';

const KEY = 'sk-very-secret-4711';

let server: FakeModels;
beforeAll(async () => {
  server = await startFakeModels();
});
beforeEach(() => {
  Object.assign(server, {
    requests: [],
    failNext: [],
    failWith: undefined,
    delayMs: 0,
    spoil: undefined,
  });
});
afterAll(() => server.close());

const make = (choice: Partial<EmbedderChoice> & Pick<EmbedderChoice, 'provider'>) =>
  createEmbedder({ model: 'toy', url: server.url, apiKey: KEY, ...choice });

const choices: [string, Parameters<typeof make>[0]][] = [
  ['an OpenAI-compatible endpoint', { provider: 'openai-compatible' }],
  ['the OpenAI package', { provider: 'openai' }],
  ['the Azure package', { provider: 'azure' }],
  ['the Google package', { provider: 'google' }],
  ['the Mistral package', { provider: 'mistral' }],
  [
    'the Bedrock package with one text per call',
    { provider: 'bedrock', model: 'amazon.titan-embed-text-v2:0', region: 'eu-west-1' },
  ],
  [
    'the Bedrock package with Cohere',
    { provider: 'bedrock', model: 'cohere.embed-english-v3', region: 'eu-west-1' },
  ],
];

for (const [name, choice] of choices) embedderContract(name, () => make(choice));

async function faultOf(choice: Parameters<typeof make>[0]): Promise<ProviderFault> {
  const fault = await make(choice)
    .embed(['private text of ours'], 'document', new AbortController().signal)
    .catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(ProviderFault);
  return fault as ProviderFault;
}

describe.each(choices)('an embedder that uses %s', (_, choice) => {
  it.each([
    [401, 'refused'],
    [404, 'refused'],
    [400, 'too-much'],
    [413, 'too-much'],
    [429, 'busy'],
    [503, 'busy'],
  ] as const)('reports status %i as a fault of the kind "%s"', async (status, kind) => {
    server.failWith = status;
    expect((await faultOf(choice)).kind).toBe(kind);
  });

  it('reports the retry delay of the provider', async () => {
    server.failNext = [{ status: 429, retryAfter: '7' }];
    expect(await faultOf(choice)).toMatchObject({ kind: 'busy', retryAfterSeconds: 7 });
  });

  it.each<[string, FakeModels['spoil']]>([
    ['a response that is not JSON', () => '<html>Welcome</html>'],
    ['an empty object', () => ({})],
    [
      'texts in place of numbers',
      ({ data = [] }) => ({ data: data.map((one) => ({ ...one, embedding: ['1', '2'] })) }),
    ],
    [
      'a null among the numbers',
      ({ data = [] }) => ({ data: data.map((one) => ({ ...one, embedding: [1, null, 2] })) }),
    ],
    ['an infinite number', ({ data = [] }) => JSON.stringify({ data }).replace('0.05', '1e999')],
    [
      'a vector of zeros',
      ({ data = [] }) => ({ data: data.map((one) => ({ ...one, embedding: [0, 0, 0] })) }),
    ],
  ])('rejects a response with %s', async (_, spoil) => {
    server.spoil = spoil;
    await faultOf(choice);
  });

  it('reveals neither the key, nor the text, nor the error details of the provider', async () => {
    const revealed: string[] = [];
    for (const status of [400, 401, 429, 500]) {
      server.failWith = status;
      const fault = await faultOf(choice);
      revealed.push(
        fault.message,
        JSON.stringify(fault),
        JSON.stringify(Object.entries(fault)),
        String(fault.stack),
        String(fault.cause),
      );
    }
    for (const secret of [KEY, 'private text', 'upstream detail', '127.0.0.1'])
      expect(revealed.join('\n')).not.toContain(secret);
  });
});

describe('an OpenAI-compatible embedder', () => {
  it('accepts vectors in any order', async () => {
    server.spoil = ({ data = [] }) => ({ data: data.toReversed() });
    const [key] = await make({ provider: 'openai-compatible' }).embed(
      ['key', 'car'],
      'document',
      new AbortController().signal,
    );
    expect(key).toEqual(Float32Array.from(toyEmbedding('key')));
  });

  it.each([2, 0])('rejects a response with %i vectors for one text', async (count) => {
    server.spoil = ({ data = [] }) => ({ data: Array(count).fill(data[0]) });
    expect((await faultOf({ provider: 'openai-compatible' })).message).toContain(
      `${count} vectors for 1 texts`,
    );
  });

  it('adds the prefixes that the model was trained with', async () => {
    const embedder = make({ provider: 'openai-compatible', model: 'nomic-embed-text:v1.5' });
    await embedder.embed(['car'], 'query', new AbortController().signal);
    await embedder.embed(['car'], 'document', new AbortController().signal);
    expect(server.texts()).toEqual(['search_query: car', 'search_document: car']);
  });

  it('requests shorter vectors only if configured, and names them differently', async () => {
    const full = make({ provider: 'openai-compatible' });
    const short = make({ provider: 'openai-compatible', dimensions: 384 });
    for (const embedder of [full, short])
      await embedder.embed(['car'], 'query', new AbortController().signal);
    expect(server.requests.map(({ body }) => body.dimensions)).toEqual([undefined, 384]);
    expect(short.name).not.toBe(full.name);
  });

  it('follows no redirect, which would receive the key', async () => {
    server.failWith = 307;
    expect((await faultOf({ provider: 'openai-compatible' })).kind).toBe('refused');
    expect(server.requests).toHaveLength(1);
  });

  it('reports an unreachable server as a temporary fault', async () => {
    const fault = await faultOf({ provider: 'openai-compatible', url: 'http://127.0.0.1:9/v1' });
    expect(fault).toMatchObject({
      kind: 'busy',
      message: 'The embedding model could not be reached.',
    });
  });
});

it('Google and Bedrock are informed whether a text is a question', async () => {
  const signal = new AbortController().signal;
  for (const as of ['query', 'document'] as const) {
    await make({ provider: 'google' }).embed(['car'], as, signal);
    await make({
      provider: 'bedrock',
      model: 'cohere.embed-english-v3',
      region: 'eu-west-1',
    }).embed(['car'], as, signal);
  }
  expect(server.requests.map(({ body }) => body.taskType ?? body.input_type)).toEqual([
    'RETRIEVAL_QUERY',
    'search_query',
    'RETRIEVAL_DOCUMENT',
    'search_document',
  ]);
});

it.each(choices)(
  'a response without end to %s is a fault after a number of bytes',
  async (_, choice) => {
    const hostile = await startEndlessModel('[0.1234567890123456789,', 'application/json');
    try {
      await faultOf({ ...choice, url: hostile.url });
      await expect.poll(() => hostile.openCount).toBe(0);
      expect(hostile.sentBytes).toBeLessThan(MAX_JSON_ANSWER_BYTES + 8 * 1024 * 1024);
    } finally {
      hostile.close();
    }
  },
);
