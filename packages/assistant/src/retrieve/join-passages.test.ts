import { plainText } from '@docent/search/index/stored-document.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { describe, expect, it } from 'vitest';
import type { Passage } from '../chat/chat-request.ts';
import { enclosingPart, joinPassages, MAX_PART_LENGTH } from './join-passages.ts';

const passage = (path: string, headings: string[], content: string): Passage => ({
  path,
  content,
  url: `/${path}#${headings.at(-1) ?? ''}`,
  headings,
  metadata: { title: `Page ${path}`, score: 0.5 },
});
const step = (title: string, content: string) => passage('a', ['Set it up', title], content);

describe('joinPassages', () => {
  it('joins steps with separate headings into one list in their own order', () => {
    const [joined, ...others] = joinPassages(
      [
        step('Step 2: Start it', '```sh\nstart\n```'),
        step('Step 1: Install it', 'Run the installer.'),
      ],
      true,
    );
    expect(others).toEqual([]);
    expect(joined?.passage.headings).toEqual(['Set it up']);
    expect(joined?.passage.content).toBe(
      '1. **Install it**\n\n   Run the installer.\n\n2. **Start it**\n\n   ```sh\n   start\n   ```',
    );
    expect(joined?.place).toBe(0);
  });

  it('keeps passages apart if numbers have gaps, examples are numbered, or steps were not requested', () => {
    const gap = [step('1. Database', 'One.'), step('4. Access', 'Four.')];
    expect(joinPassages(gap, true)).toHaveLength(2);
    const examples = [
      passage('b', ['Examples', '1. A list'], 'One.'),
      passage('b', ['Examples', '2. A table'], 'Two.'),
    ];
    expect(joinPassages(examples, true)).toHaveLength(2);
    expect(joinPassages([step('Step 1', 'One.'), step('Step 2', 'Two.')], false)).toHaveLength(2);
  });

  it('joins an operation with its body, and with no other section of that name', () => {
    const joined = joinPassages(
      [
        passage('api', ['Body'], '- `name` (`string`)'),
        passage('api', [], 'POST /things\n\nMake a thing'),
        passage('guide', ['Body'], 'Text.'),
      ],
      true,
    );
    expect(
      joined.map(({ passage: { path }, isOperation, place }) => ({ path, isOperation, place })),
    ).toEqual([
      { path: 'api', isOperation: true, place: 0 },
      { path: 'guide', isOperation: false, place: 2 },
    ]);
    expect(joined[0]?.passage.content).toContain('- `name` (`string`)');
  });
});

const section = (anchor: string, headings: string[], markdown: string): SearchDocument => ({
  ...{ path: 'a', href: '/a', pageTitle: 'A', description: '', keywords: [], boost: 1 },
  ...plainText(markdown),
  ...{ anchor, headings, markdown },
});
const LONG = 'word '.repeat(MAX_PART_LENGTH / 5);
const partOf = (sections: SearchDocument[], anchor: string) =>
  enclosingPart(sections, sections.find((one) => one.anchor === anchor) as SearchDocument);

it('the variants of one task form one part, each with its heading', () => {
  const sections = [
    section('', [], LONG),
    section('set', ['Set it'], 'Choose one.'),
    section('set-file', ['Set it', 'File'], 'Write a file.'),
    section('set-env', ['Set it', 'Environment'], 'Export a variable.'),
    section('remove', ['Remove it'], 'Delete it.'),
  ];
  expect(partOf(sections, 'set-env')).toEqual({
    headings: ['Set it'],
    anchor: 'set',
    markdown: 'Choose one.\n\n#### File\n\nWrite a file.\n\n#### Environment\n\nExport a variable.',
  });
});

it('a short page is one part, with its headings nested', () => {
  const sections = [
    section('', [], 'About.'),
    section('b', ['B'], ''),
    section('c', ['B', 'C'], 'Inner.'),
    section('d', ['D'], 'Last.'),
  ];
  expect(partOf(sections, 'd')).toEqual({
    headings: [],
    anchor: '',
    markdown: 'About.\n\n#### B\n\n##### C\n\nInner.\n\n#### D\n\nLast.',
  });
});

it('an introduction includes the sections that fit, and a section between long ones has no part', () => {
  const sections = [
    section('', [], 'About.'),
    section('b', ['B'], 'Second.'),
    section('c', ['C'], LONG),
    section('d', ['D'], 'Last.'),
  ];
  expect(partOf(sections, '')?.markdown).toBe('About.\n\n#### B\n\nSecond.');
  expect(partOf(sections, 'd')).toBeUndefined();
});

it('a part never exceeds the length limit', () => {
  const sections = Array.from({ length: 40 }, (_, at) =>
    section(`s${at}`, ['A', `S${at}`], 'word '.repeat(at * 5)),
  );
  for (const one of [section('', ['A'], 'Lead.'), ...sections]) {
    const { markdown = '' } = enclosingPart([section('', ['A'], 'Lead.'), ...sections], one) ?? {};
    expect(markdown.length).toBeLessThanOrEqual(MAX_PART_LENGTH);
  }
});
