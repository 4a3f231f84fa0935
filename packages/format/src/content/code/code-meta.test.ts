import { expect, test } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { inRanges, parseCodeMeta, parseLineRanges } from './code-meta.ts';

test('free words form the title, and the options around them do not', () => {
  const meta = parseCodeMeta('ts', 'My File.ts {1,3-5} lines wrap icon="file" theme={null}');
  expect(meta).toMatchObject({
    language: 'ts',
    title: 'My File.ts',
    lines: true,
    wrap: true,
    icon: 'file',
    copy: true,
  });
  expect(meta.highlight).toEqual([
    { from: 1, to: 1 },
    { from: 3, to: 5 },
  ]);
});

test('a title option takes precedence over free words, with any kind of quotes', () => {
  expect(parseCodeMeta('js', 'loose title="a b"').title).toBe('a b');
  expect(parseCodeMeta('js', "title='a'").title).toBe('a');
  expect(parseCodeMeta('js', 'title={"a"}').title).toBe('a');
  expect(parseCodeMeta('js', '"quoted title"').title).toBe('quoted title');
});

test('switches can be turned off, with or without quotes', () => {
  expect(parseCodeMeta('js', 'lines={false} nocopy="false" wrap=false')).toMatchObject({
    lines: false,
    copy: true,
    wrap: false,
  });
  expect(parseCodeMeta('js', 'lines nocopy expandable')).toMatchObject({
    lines: true,
    copy: false,
    expandable: true,
  });
});

test('options attached to the language or in its place are recognized', () => {
  expect(parseCodeMeta('js{1}', '')).toMatchObject({
    language: 'js',
    highlight: [{ from: 1, to: 1 }],
  });
  expect(parseCodeMeta('title="x"', '')).toMatchObject({ language: '', title: 'x' });
  expect(parseCodeMeta('nocopy', '')).toMatchObject({ language: '', copy: false });
  expect(parseCodeMeta('ts:app.ts', '')).toMatchObject({ language: 'ts', title: 'app.ts' });
  expect(parseCodeMeta('c++', 'main.cpp')).toMatchObject({ language: 'c++', title: 'main.cpp' });
});

test('line ranges are accepted in every spelling of the format', () => {
  for (const spelling of ['1-2,5', '[1-2,5]', '{1-2, 5}'])
    expect(parseLineRanges(spelling)).toEqual([
      { from: 1, to: 2 },
      { from: 5, to: 5 },
    ]);
  expect(parseCodeMeta('js', 'focus={2,4-5} highlight="[1,3]"').focus).toHaveLength(2);
});

test('brackets around a switch or a title are not part of it', () => {
  expect(parseCodeMeta('js', '/snippets/a.jsx [expandable]')).toMatchObject({
    title: '/snippets/a.jsx',
    expandable: true,
  });
  expect(parseCodeMeta('js', '[app.ts]').title).toBe('app.ts');
});

test('options of diagrams and of the compiler are read', () => {
  expect(parseCodeMeta('mermaid', 'placement="top-left" actions={false}')).toMatchObject({
    placement: 'top-left',
    actions: false,
  });
  expect(parseCodeMeta('ts', 'twoslash Two words')).toMatchObject({
    twoslash: true,
    title: 'Two words',
  });
});

test('a huge range is not expanded', () => {
  const ranges = parseLineRanges('1-9999999');
  expect(ranges).toHaveLength(1);
  expect(inRanges(ranges, 5_000_000)).toBe(true);
});

test('a hostile line is parsed in linear time', () => {
  const started = cpuMs();
  parseCodeMeta('js', `${'{'.repeat(20_000)}${'a="'.repeat(20_000)}`);
  expect(cpuMs() - started).toBeLessThan(10_000);
});
