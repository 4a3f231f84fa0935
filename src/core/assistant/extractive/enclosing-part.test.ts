import { expect, it } from 'vitest';
import { plainText } from '../../search/index/stored-document.ts';
import type { SearchDocument } from '../../search/search-index.ts';
import { enclosingPart, MAX_PART_LENGTH } from './enclosing-part.ts';

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
  const sections = Array.from({ length: 40 }, (_, at) => section(`s${at}`, ['A', `S${at}`], 'word '.repeat(at * 5)));
  for (const one of [section('', ['A'], 'Lead.'), ...sections]) {
    const { markdown = '' } = enclosingPart([section('', ['A'], 'Lead.'), ...sections], one) ?? {};
    expect(markdown.length).toBeLessThanOrEqual(MAX_PART_LENGTH);
  }
});
