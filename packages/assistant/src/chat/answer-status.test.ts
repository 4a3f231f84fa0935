import { describe, expect, it } from 'vitest';
import { ANSWER_STATUSES, StatusReader, statusMark, statusOfUnmarked } from './answer-status.ts';

const statuses = ANSWER_STATUSES;

function read(text: string, size: number) {
  const reader = new StatusReader();
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += reader.push(text.slice(at, at + size));
  return { shown: shown + reader.end(), status: reader.status };
}

describe.each([1, 2, 3, 7, 10_000])(
  'the status of an answer in pieces of %i characters',
  (size) => {
    it.each(statuses)('is read from the last line, which readers do not see: %s', (status) => {
      expect(read(`Run it.\n\n${statusMark(status)}`, size)).toEqual({ shown: 'Run it.', status });
      expect(read(`Run it.\n${statusMark(status)}\n \n`, size)).toEqual({
        shown: 'Run it.',
        status,
      });
    });

    it.each([
      'status: partly',
      '**Status:** partly',
      '<!--status:partly-->',
      '`status: partly`',
      '[Status: partly]',
    ])('is read from what models write instead of the mark: %s', (mark) => {
      expect(read(`Run it.\n${mark}`, size)).toEqual({ shown: 'Run it.', status: 'partly' });
    });

    it('may precede the suggestions', () => {
      const suggestions = '```suggestions\n(Keys)[/keys]\n```\n';
      const shown = `Run it.\n${suggestions}`.trimEnd();
      expect(read(`Run it.\n${statusMark('answered')}\n${suggestions.trimEnd()}`, size)).toEqual({
        shown,
        status: 'answered',
      });
      expect(read(`Run it.\n${suggestions}${statusMark('answered')}`, size)).toEqual({
        shown,
        status: 'answered',
      });
    });

    it('is not read from text that the answer quotes from a page', () => {
      const quoted = `The page says:\n\n${statusMark('answered')}\n\nThere is nothing else.\n`;
      expect(read(quoted, size)).toEqual({ shown: quoted, status: undefined });
      expect(read(quoted + statusMark('not_in_docs'), size)).toEqual({
        shown: quoted.trimEnd(),
        status: 'not_in_docs',
      });
      const code = `Write this:\n\n\`\`\`\n${statusMark('answered')}\n\`\`\``;
      expect(read(code, size)).toEqual({ shown: code, status: undefined });
    });

    it.each([
      'Run it.',
      'Run\nstatus',
      'The\nstatus: answered calls are counted.',
      'Status: unknown',
      '<!-- status',
      '',
      '\n\n',
    ])('is unknown without a mark, and the text stays as it is: %j', (text) => {
      expect(read(text, size)).toEqual({ shown: text, status: undefined });
    });
  },
);

it('text is shown as soon as it cannot be a mark', () => {
  const reader = new StatusReader();
  expect(reader.push('S')).toBe('');
  expect(reader.push('o it')).toBe('So it');
  expect(reader.push(' is.\n')).toBe(' is.');
  expect(reader.push('\nNow')).toBe('\n\nNow');
});

describe('an answer without a mark', () => {
  const url = 'https://docs.acme.test';
  const long = 'It takes a minute. '.repeat(15);

  it('counts as answered if it links a page of the site and has the form of an answer', () => {
    expect(statusOfUnmarked(`${long}[Keys](/keys)`, url)).toBe('answered');
    expect(statusOfUnmarked(`1. Run it: [Keys](${url}/keys#new)`, url)).toBe('answered');
  });

  it.each([
    'The documentation does not cover this.',
    `The documentation does not cover this. [Keys](${url}/keys) comes closest.`,
    `${long}[Elsewhere](https://example.com)`,
    `I do not know.\n\n\`\`\`suggestions\n(Keys)[/keys]\n[Keys](/keys)\n\`\`\``,
  ])('does not count as answered if it may be a refusal: %s', (text) => {
    expect(statusOfUnmarked(text, url)).toBe('not_in_docs');
  });
});
