import { describe, expect, it } from 'vitest';
import { type ModelPart, ModelText } from './model-text.ts';

const sizes = [1, 2, 3, 7, 10_000];

function read(text: string, size: number, options: { name?: string; thinks?: boolean } = {}) {
  const reader = new ModelText({ name: 'local:llama', ...options });
  const all: ModelPart[] = [];
  for (let at = 0; at < text.length; at += size)
    all.push(...reader.push(text.slice(at, at + size)));
  all.push(...reader.end());
  const joined = (type: 'text' | 'reasoning') =>
    all.flatMap((one) => (one.type === type ? [one.text] : [])).join('');
  const calls = all.flatMap((one) => (one.type === 'tool-call' ? [one.call] : []));
  return { text: joined('text'), reasoning: joined('reasoning'), calls };
}

describe.each(sizes)('the text of a model in pieces of %i characters', (size) => {
  it('is separated from reasoning between tags', () => {
    expect(read('\n<think>Is 1 < 2? </thin no.</think>\n\nYes, `<think>` is a tag.', size)).toEqual(
      {
        reasoning: 'Is 1 < 2? </thin no.',
        text: 'Yes, `<think>` is a tag.',
        calls: [],
      },
    );
    expect(read('[THINK]Hm.[/THINK]Yes.', size)).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' });
    expect(read('A first part.\n<think>More?</think>\nA second.', size)).toMatchObject({
      reasoning: 'More?',
      text: 'A first part.\nA second.',
    });
  });

  it('keeps text that only resembles a tag', () => {
    for (const text of [
      '<thin air> and <think>x</think>',
      '  <th',
      'Okay',
      'If a < b, use [x](/y) or [TOOL_X].',
    ])
      expect(read(text, size)).toEqual({ reasoning: '', text, calls: [] });
  });

  it('is all reasoning if the reasoning never ends', () => {
    expect(read('<think>and so on</thi', size)).toMatchObject({
      reasoning: 'and so on</thi',
      text: '',
    });
  });

  it.each([
    'Okay, the user asks how to rotate a key. `a` is it.',
    'Hmm, I wonder.\n\nLet me see.',
    "Let's look at the passages.",
    'The user wants `</think>` explained.',
    '好的，用户想知道。',
  ])('is separated from reasoning without its opening tag: %s', (reasoning) => {
    expect(read(`${reasoning}\n</think>\n\nRun \`acme rotate\`.`, size)).toEqual({
      reasoning: `${reasoning}\n`,
      text: 'Run `acme rotate`.',
      calls: [],
    });
  });

  it('is separated from any reasoning of a model known to omit the opening tag', () => {
    const reasoning = `Keys rotate by command, not by \`</think>\`. ${'And so on. '.repeat(500)}`;
    expect(read(`${reasoning}</think>Run it.`, size, { thinks: true })).toEqual({
      reasoning,
      text: 'Run it.',
      calls: [],
    });
  });

  it('is separated from the first sentences of reasoning of a model whose name says that it thinks', () => {
    const text = 'Keys rotate by command.\n</think>\nRun it.';
    const expected = { reasoning: 'Keys rotate by command.\n', text: 'Run it.' };
    expect(read(text, size, { name: 'openai-compatible:deepseek-r1:8b' })).toMatchObject(expected);
    expect(read(text, size)).toEqual({ reasoning: '', text, calls: [] });
  });

  it.each([
    'The tag </think> ends the reasoning.',
    'Okay, the tag </think> ends the reasoning.',
    'Reasoning ends with:\n</think>\nThen comes the answer.',
    `Okay, ${'this is a long answer. '.repeat(40)}\n</think>\nThere is more.`,
  ])('keeps a closing tag after the beginning of an answer: %s', (text) => {
    expect(read(text, size)).toEqual({ text, reasoning: '', calls: [] });
  });

  it('does not contain a closing tag that nothing precedes', () => {
    expect(read('\n</think>\n\nRun it.', size)).toEqual({
      text: 'Run it.',
      reasoning: '',
      calls: [],
    });
  });

  it('is unchanged if it only begins like reasoning', () => {
    const text = 'Let me show you.\n\n1. Run `acme`.\n2. Done.';
    expect(read(text, size)).toMatchObject({ reasoning: '', text });
  });

  const search = { name: 'search', input: { query: 'rotate' } };
  it.each([
    '<tool_call>\n{"name": "search", "arguments": {"query": "rotate"}}\n</tool_call>',
    '<|tool_call|>[{"name": "search", "arguments": {"query": "rotate"}}]',
    '<|tool_call|>{"name": "search", "arguments": {"query": "rotate"}}<|/tool_call|><|im_end|>',
    '[TOOL_CALLS][{"name": "search", "arguments": {"query": "rotate"}}]',
    '<function=search>{"query": "rotate"}</function>',
    '<|python_tag|>{"name": "search", "parameters": {"query": "rotate"}}<|eom_id|>',
    '<function_call>{"name": "search", "arguments": "{\\"query\\": \\"rotate\\"}"}</function_call>',
    '```json\n{"name": "search", "arguments": {"query": "rotate"}}\n```',
    '```tool_call\n[{"tool": "search", "args": {"query": "rotate"}}]\n```\n',
    '{"name": "search", "parameters": {"query": "rotate"}}',
    '{"type": "function", "function": {"name": "search", "arguments": {"query": "rotate"}}}',
  ])('produces a call and no text for %s', (call) => {
    expect(read(call, size)).toEqual({ text: '', reasoning: '', calls: [search] });
    expect(read(`Pages may have it.\n${call}`, size)).toMatchObject({
      text: 'Pages may have it.\n',
      calls: [search],
    });
  });

  it('produces several calls in order', () => {
    const one = (query: string) =>
      `<tool_call>{"name":"search","arguments":{"query":"${query}"}}</tool_call>`;
    expect(read(`${one('a')}\n${one('b')}`, size).calls).toHaveLength(2);
    expect(
      read(
        '{"name":"search","arguments":{"query":"a"}}\n{"name":"list_pages","arguments":{}}',
        size,
      ).calls,
    ).toHaveLength(2);
  });

  it.each([
    '<tool_call>\n{"name": "search", "argum',
    '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
    '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    '<tool_call>\n<function=find>\n<parameter=query>\na\n</parameter>\n</function>\n</tool_call>',
    '```json\n{"name": "lookup", "arguments": {"q": "a"}}\n```',
  ])('hides the invalid call %s', (call) => {
    const { text, calls } = read(call, size);
    expect({ text: text.trim(), calls }).toEqual({ text: '', calls: [] });
  });

  it.each([
    'Qwen writes `<tool_call>{"name": "search"}</tool_call>` and `</think>`.',
    'It looks like this:\n\n```xml\n<think>\nHm.\n</think>\n<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>\n```\n\nThat is all.',
    'Send:\n\n```json\n{"name": "search", "arguments": {"query": "a"}}\n```\n\nThe server answers with pages.',
    'Create it:\n\n```json\n{"name": "docs", "type": "module"}\n```',
    'Create it:\n\n```json\n{"name": "docs", "parameters": {}}\n```',
    'The tag <tool_call> stands before a call, and </b> after <b>.',
    `${'It is long. '.repeat(40)}\n\n{"name": "search", "arguments": {"query": "a"}}`,
  ])('keeps documentation about tags and calls: %s', (text) => {
    expect(read(text, size)).toEqual({ text, reasoning: '', calls: [] });
  });
});

it('the first words of an ordinary answer are emitted immediately', () => {
  expect(new ModelText({ name: 'a' }).push('Run it')).toEqual([{ type: 'text', text: 'Run it' }]);
});

it.each([
  'Let me show you how to rotate a key of your account.\n\n1. Run',
  "Let's start where keys are made, with [Keys](/api/keys) and",
  'First, we install the command line on this machine:\n\n```bash\nnpm install acme',
  `I'm sure that it works. ${'It does so everywhere. '.repeat(30)}`,
])('an answer that begins like reasoning is emitted before its end: %s', (text) => {
  expect(new ModelText({ name: 'a' }).push(text)[0]).toMatchObject({ type: 'text' });
});

it.each(['Okay, let me see.', 'The user wants a list:', 'Let me look at the passages.'])(
  'text that is probably reasoning is held back: %s',
  (text) => {
    expect(
      new ModelText({ name: 'a' }).push(
        `${text}\n\n1. [Keys](/api/keys) ${'and so on '.repeat(40)}`,
      ),
    ).toEqual([]);
  },
);

it('text that may be reasoning is held back up to 600 characters, and what follows is emitted immediately', () => {
  for (const options of [{ name: 'a' }, { name: 'deepseek-r1' }]) {
    const reader = new ModelText(options);
    const piece = `Okay, I ${'word '.repeat(20)}`.slice(0, 100);
    for (let sent = 1; sent < 6; sent += 1) expect(reader.push(piece)).toEqual([]);
    expect(reader.push(piece)).toEqual([{ type: 'text', text: piece.repeat(6) }]);
    expect(reader.push('more')).toEqual([{ type: 'text', text: 'more' }]);
    expect(reader.end()).toEqual([]);
  }
});

it('the reasoning of a model that thinks is emitted immediately', () => {
  const reader = new ModelText({ name: 'a', thinks: true });
  expect(reader.push('Keys')).toEqual([{ type: 'reasoning', text: 'Keys' }]);
});
