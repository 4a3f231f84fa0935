import { describe, expect, it } from 'vitest';
import { createIgnore } from './ignore.ts';

describe('createIgnore', () => {
  it('ignores files that are not documentation, at the root only', () => {
    const isIgnored = createIgnore();
    for (const path of [
      'README.md',
      'questions.yaml',
      'build/x.mdx',
      '.github/workflows/a.md',
      'dist/a/b.js',
      'node_modules/a/README.md',
      'packages/node_modules/a.md',
    ]) {
      expect(isIgnored(path), path).toBe(true);
    }
    for (const path of [
      'guides/README.md',
      'guides/build/x.mdx',
      'build.mdx',
      'readme.md',
      'docs/temp/a.mdx',
      'index.mdx',
    ]) {
      expect(isIgnored(path), path).toBe(false);
    }
  });

  it('can apply the rules of the author without the built-in ones', () => {
    const isRemoved = createIgnore('drafts/', false);
    expect(isRemoved('drafts/a.mdx')).toBe(true);
    expect(isRemoved('README.md')).toBe(false);
  });

  it.each([
    ['drafts', 'drafts', true],
    ['drafts', 'a/drafts/b.mdx', true],
    ['drafts/', 'drafts', false],
    ['drafts/', 'a/drafts/b.mdx', true],
    ['/drafts', 'a/drafts/b.mdx', false],
    ['a/drafts', 'a/drafts/b.mdx', true],
    ['a/drafts', 'x/a/drafts/b.mdx', false],
    ['*.draft.mdx', 'a/b.draft.mdx', true],
    ['*.draft.mdx', 'a/b.mdx', false],
    ['a/*.mdx', 'a/b/c.mdx', false],
    ['a/**', 'a/b/c.mdx', true],
    ['a/**', 'a', false],
    ['a/**/z.mdx', 'a/z.mdx', true],
    ['a/**/z.mdx', 'a/b/c/z.mdx', true],
    ['**/private/**', 'x/private/y.mdx', true],
    ['page?.mdx', 'page1.mdx', true],
    ['page?.mdx', 'page.mdx', false],
    ['page[0-3x].mdx', 'page2.mdx', true],
    ['page[!0-3].mdx', 'page2.mdx', false],
    ['\\#a.mdx', '#a.mdx', true],
    ['# comment', '# comment', false],
    ['a.mdx   ', 'a.mdx', true],
    ['a.mdx\r\n', 'a.mdx', true],
    ['a.mdx', './a.mdx', true],
    ['[abc', '[abc', true],
    ['!', '!', false],
  ])('applies the rule %j to %s', (rule, path, expected) => {
    expect(createIgnore(rule)(path)).toBe(expected);
  });

  it('lets the last matching rule decide, but restores nothing in an ignored folder', () => {
    const isIgnored = createIgnore('*.mdx\n!keep.mdx\nfolder/\n!folder/keep.mdx\n!README.md');
    expect(isIgnored('a.mdx')).toBe(true);
    expect(isIgnored('b/keep.mdx')).toBe(false);
    expect(isIgnored('folder/keep.mdx')).toBe(true);
    expect(isIgnored('README.md')).toBe(false);
  });

  // A backtracking matcher would exceed the time limit of the test.
  it('terminates for rules designed to be slow', () => {
    const isIgnored = createIgnore(`${'*a'.repeat(50)}b\n${'**/a/'.repeat(50)}b`);
    expect(isIgnored('a'.repeat(3000))).toBe(false);
    expect(isIgnored('a/'.repeat(1000))).toBe(false);
  });
});
