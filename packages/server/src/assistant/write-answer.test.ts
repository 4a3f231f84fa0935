import type { AnswerEvent, ToolCall, ToolResult } from '@docent/assistant/chat/answer-event.ts';
import { describe, expect, it } from 'vitest';
import { fakeModel } from '../../../../test/support/fakes.ts';
import type { ChatModel, ChatPart } from '../ports/chat-model.ts';
import { ProviderFault } from '../ports/provider-fault.ts';
import { GrowingText } from './answer-draft.ts';
import { writeAnswer } from './write-answer.ts';

const request = {
  instructions: 'Answer.',
  turns: [{ role: 'user' as const, text: 'How do I rotate a key?' }],
  passages: [
    {
      content: 'To rotate a key, run `acme keys rotate`.',
      path: 'keys',
      url: 'https://d/keys',
      headings: ['Rotate a key'],
      metadata: { title: 'Keys', score: 1 },
    },
  ],
};
const finish = (reason: 'stop' | 'tool-calls'): ChatPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 10, outputTokens: 2 },
});
const search = (id: string): ChatPart => ({
  type: 'tool-call',
  id,
  call: { name: 'search', input: { query: id } },
});

const resolveLink = (address: string) => (address === '/gone' ? undefined : address);

async function write(
  model: ChatModel,
  runTool = async (): Promise<ToolResult> => ({ name: 'search', results: [] }),
) {
  const events: AnswerEvent[] = [];
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const draft = Object.assign(new GrowingText(), { newSources: () => [] });
  const writing = writeAnswer({
    model,
    request,
    draft,
    runTool,
    resolveLink,
    onFault,
    signal: new AbortController().signal,
  });
  let next = await writing.next();
  for (; !next.done; next = await writing.next()) events.push(next.value);
  return { events, end: next.value, faults, text: draft.text };
}

/** A model that plays the given turns in order. */
function modelOf(turns: ChatPart[][]) {
  const models = turns.map((parts) => fakeModel(parts));
  let turn = 0;
  const model: ChatModel = {
    name: 'fake',
    stream: (...args) => (models[Math.min(turn++, models.length - 1)] as ChatModel).stream(...args),
  };
  return {
    model,
    turnCount: () => turn,
    requestsOf: (index: number) => models[index]?.requests ?? [],
  };
}

describe('an answer with tool calls', () => {
  it('contains its tool calls with their results, and the text after them', async () => {
    const { model, requestsOf } = modelOf([
      [{ type: 'text', text: 'Let me look. ' }, search('keys'), finish('tool-calls')],
      [{ type: 'text', text: 'So.' }, finish('stop')],
    ]);
    const page = {
      content: 'Text',
      path: 'keys',
      url: 'https://d/keys',
      metadata: { title: 'Keys', score: 1 },
    };
    const { events, end } = await write(model, async () => ({ name: 'search', results: [page] }));
    expect(events.map((event) => event.type)).toEqual(['text', 'tool-call', 'tool-result', 'text']);
    expect(end).toEqual({ reason: 'stop', usage: { inputTokens: 20, outputTokens: 4 } });
    expect(requestsOf(1)[0]?.steps).toEqual([
      {
        text: 'Let me look. ',
        calls: [
          expect.objectContaining({
            id: 'keys',
            output: expect.stringContaining('https://d/keys'),
          }),
        ],
      },
    ]);
  });

  it('ends after five turns, the last of which has no tools', async () => {
    const { model, turnCount, requestsOf } = modelOf([[search('again'), finish('tool-calls')]]);
    const { end } = await write(model);
    expect(turnCount()).toBe(5);
    expect(requestsOf(0).map((one) => one.mayUseTools)).toEqual([true, true, true, true, false]);
    expect(end).toMatchObject({ reason: 'stop', isQuoted: true });
  });

  it('runs at most four calls per turn', async () => {
    const { model } = modelOf([
      ['a', 'b', 'c', 'd', 'e', 'f'].map(search).concat(finish('tool-calls')),
      [finish('stop')],
    ]);
    const ran: ToolCall[] = [];
    await write(model, async () => {
      ran.push({ name: 'search', input: { query: '' } });
      return { name: 'search', results: [] };
    });
    expect(ran).toHaveLength(4);
  });
});

/**
 * A model that fails in each turn, after the given parts; it answers in a turn that is `undefined`.
 */
function failing(turns: ({ parts?: ChatPart[]; fault: Error } | undefined)[]) {
  let turn = 0;
  const model: ChatModel = {
    name: 'fake',
    async *stream() {
      const now = turns[turn++];
      for (const part of now
        ? (now.parts ?? [])
        : [{ type: 'text' as const, text: 'Run it.' }, finish('stop')])
        yield part;
      if (now) throw now.fault;
    },
  };
  return { model, turnCount: () => turn };
}

const busy = new ProviderFault('busy', 'The model returned status 429.', 0);
const isQuote = expect.stringContaining('acme keys rotate');

describe('an answer', () => {
  it('is retried once without tools if the model returns no text', async () => {
    const { model, requestsOf } = modelOf([
      [finish('stop')],
      [{ type: 'text', text: 'Run it.' }, finish('stop')],
    ]);
    const { text, end } = await write(model);
    expect({ text, quoted: end.isQuoted }).toEqual({ text: 'Run it.', quoted: undefined });
    expect(requestsOf(1)[0]?.mayUseTools).toBe(false);
  });

  it('quotes the documentation if the model never returns text', async () => {
    const { model, turnCount } = modelOf([[{ type: 'text', text: ' \n' }, finish('stop')]]);
    const { text, end } = await write(model);
    expect(text).toEqual(isQuote);
    expect(end).toMatchObject({ isQuoted: true, status: 'answered' });
    expect(turnCount()).toBe(2);
  });

  it('quotes the documentation immediately if a content filter blocks it', async () => {
    const filtered: ChatPart = {
      type: 'finish',
      reason: 'content-filter',
      usage: { inputTokens: 1, outputTokens: 0 },
    };
    const { model, turnCount } = modelOf([[filtered]]);
    expect((await write(model)).text).toEqual(isQuote);
    expect(turnCount()).toBe(1);
  });

  it('quotes the documentation if the model only announces a search and then returns nothing', async () => {
    const { model } = modelOf([
      [{ type: 'text', text: 'Let me look.' }, search('a'), finish('tool-calls')],
      [finish('stop')],
    ]);
    const { text } = await write(model);
    expect(text.startsWith('Let me look.\n\n')).toBe(true);
    expect(text).toEqual(isQuote);
  });

  it('is retried if the model is busy at first', async () => {
    const { model, turnCount } = failing([{ fault: busy }, undefined]);
    const { text, faults } = await write(model);
    expect({ text, faults, turns: turnCount() }).toEqual({
      text: 'Run it.',
      faults: [busy],
      turns: 2,
    });
  });

  it.each([
    ['is busy twice', [{ fault: busy }, { fault: busy }], 2],
    ['requires a long wait', [{ fault: new ProviderFault('busy', 'Status 503.', 600) }], 1],
    ['rejects the request', [{ fault: new ProviderFault('refused', 'Status 401.') }], 1],
    ['throws', [{ fault: new TypeError('a bug') }], 1],
  ])('quotes the documentation with a notice if the model %s', async (_, turns, turnCount) => {
    const attempted = failing(turns);
    const { text, end } = await write(attempted.model);
    expect(text).toMatch(/^The language model is not available right now\./);
    expect(text).toEqual(isQuote);
    expect(end.isQuoted).toBe(true);
    expect(attempted.turnCount()).toBe(turnCount);
  });

  it('is not replaced but fails if the model breaks off after its first text', async () => {
    const { model, turnCount } = failing([
      { parts: [{ type: 'text', text: 'Run this' }], fault: busy },
    ]);
    await expect(write(model)).rejects.toBe(busy);
    expect(turnCount()).toBe(1);
  });

  it('quotes the documentation immediately if the model was silent, because its reader has waited', async () => {
    const { model, turnCount } = failing([
      { fault: new ProviderFault('silent', 'The model was silent for too long.') },
    ]);
    const { end, text } = await write(model);
    expect(turnCount()).toBe(1);
    expect(end.isQuoted).toBe(true);
    expect(text).toContain('acme keys rotate');
  });

  it('runs the tool calls that the model writes as text, and does not show them', async () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "rotate"}}</tool_call>';
    const { model, requestsOf } = modelOf([
      [{ type: 'text', text: call }, finish('stop')],
      [{ type: 'text', text: 'Run it.' }, finish('stop')],
    ]);
    const { text, events } = await write(model);
    expect(text).toBe('Run it.');
    expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text']);
    expect(requestsOf(1)[0]?.steps[0]?.calls[0]?.call).toEqual({
      name: 'search',
      input: { query: 'rotate' },
    });
  });

  it('quotes the documentation if the model writes calls as text until its last turn', async () => {
    const call = '```json\n{"name": "search", "arguments": {"query": "rotate"}}\n```';
    const { model, turnCount } = modelOf([[{ type: 'text', text: call }, finish('stop')]]);
    const { text, end } = await write(model);
    expect({ turns: turnCount(), isQuoted: end.isQuoted }).toEqual({ turns: 5, isQuoted: true });
    expect(text).not.toContain('arguments');
  });

  it('omits reasoning that lacks its opening tag, however long it is for a model that thinks', async () => {
    const short = 'Hmm, I see a key.\n</think>\n\nRun it.';
    const long = `${'Keys again. '.repeat(100)}</think>\n\nRun it.`;
    const answer = (text: string): ChatPart[] => [{ type: 'text', text }, finish('stop')];
    expect((await write(fakeModel(answer(short)))).text).toBe('Run it.');
    expect((await write({ ...fakeModel(answer(long)), thinks: true })).text).toBe('Run it.');
  });

  it('streams from its first words for every reader, whatever the answers of others contain', async () => {
    const pieces = {
      hostile: ['The tag\n', '</think>', ' ends it. ', '[[</think>]]\n</think>\n'],
      other: ['Run it.', ' Then', ' wait.'],
    };
    const sent: string[] = [];
    const model: ChatModel = {
      name: 'fake',
      async *stream({ turns }) {
        const reader = turns.at(-1)?.text ?? '';
        for (const text of pieces[reader.split(' ')[0] as keyof typeof pieces]) {
          sent.push(`${reader} sent`);
          yield { type: 'text', text };
        }
        yield finish('stop');
      },
    };
    const read = async (reader: string) => {
      const draft = Object.assign(new GrowingText(), { newSources: () => [] });
      const options = {
        model,
        draft,
        resolveLink,
        onFault: () => {},
        signal: new AbortController().signal,
      };
      const asked = { ...request, turns: [{ role: 'user' as const, text: reader }] };
      const runTool = async (): Promise<ToolResult> => ({ name: 'search', results: [] });
      const writing = writeAnswer({ ...options, runTool, request: asked });
      for (let next = await writing.next(); !next.done; next = await writing.next())
        sent.push(`${reader} read`);
      return draft.text;
    };
    expect(await read('hostile 0')).toBe(pieces.hostile.join(''));
    const readers = Array.from({ length: 50 }, (_, at) => (at === 7 ? 'hostile 7' : `other ${at}`));
    await Promise.all(readers.map(read));
    for (const reader of readers.filter((name) => name.startsWith('other'))) {
      const own = sent.filter((event) => event.startsWith(`${reader} `));
      expect(own.slice(0, 2)).toEqual([`${reader} sent`, `${reader} read`]);
    }
  });

  it('emits reasoning separately from its text', async () => {
    const { model } = modelOf([
      [{ type: 'text', text: '<think>Hm.</think>\nRun it.' }, finish('stop')],
    ]);
    const { text, events } = await write(model);
    expect(text).toBe('Run it.');
    expect(events).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Run it.' },
    ]);
  });
});

it('the mark that closes an answer is its status and not part of its text', async () => {
  const texts = ['Run it.\n\n<!-', '- status: not_in', '_docs -->'].map(
    (text): ChatPart => ({ type: 'text', text }),
  );
  const { text, end } = await write(fakeModel([...texts, finish('stop')]));
  expect({ text, status: end.status }).toEqual({ text: 'Run it.', status: 'not_in_docs' });
  expect(
    (await write(fakeModel([{ type: 'text', text: 'Run it.' }, finish('stop')]))).end.status,
  ).toBeUndefined();
});

it('a link to an unknown page is replaced with its text', async () => {
  const texts = ['See [a](/go', 'ne) or [b](/kept'].map(
    (text): ChatPart => ({ type: 'text', text }),
  );
  const { model } = modelOf([[...texts, finish('stop')]]);
  expect((await write(model)).text).toBe('See a or [b](/kept');
});

it('the model reads a limited part of each page that a search returns', async () => {
  const { model, requestsOf } = modelOf([
    [search('keys'), finish('tool-calls')],
    [{ type: 'text', text: 'So.' }, finish('stop')],
  ]);
  const results = ['a', 'b', 'c', 'd', 'e'].map((path) => {
    return {
      content: 'Words. '.repeat(2000),
      path,
      url: `https://d/${path}`,
      metadata: { title: path, score: 1 },
    };
  });
  await write(model, async () => ({ name: 'search', results }));
  const output = requestsOf(1)[0]?.steps[0]?.calls[0]?.output ?? '';
  for (const { url } of results) expect(output).toContain(url);
  expect(output.length).toBeLessThan(13_000);
});
