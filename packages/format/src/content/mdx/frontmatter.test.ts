import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPublicPage } from '../../access/public-page.ts';
import { FRONTMATTER_KEYS, readFrontmatter, splitFrontmatter } from './frontmatter.ts';

const read = (text: string) => ({
  ...splitFrontmatter(text),
  ...readFrontmatter(text, 'page.mdx'),
});

describe('readFrontmatter', () => {
  it('reads known fields and keeps all others as custom fields', () => {
    const { frontmatter, body, bodyLine, diagnostics } = read(
      '---\ntitle: "Start here"\nhidden: true\nboost: 2\nopenapi-schema: User\nkeywords: [a, b]\nog:title: X\n---\n\n# Hi\n',
    );
    expect(frontmatter).toEqual({
      title: 'Start here',
      hidden: true,
      boost: 2,
      openapiSchema: 'User',
      keywords: ['a', 'b'],
      custom: { 'og:title': 'X' },
    });
    expect(body).toBe('\n# Hi\n');
    expect(bodyLine).toBe(9);
    expect(diagnostics).toEqual([]);
  });

  it('reads the title in the menu under the name of Docusaurus, too', () => {
    const label = (lines: string) => read(`---\n${lines}\n---\n`).frontmatter.sidebarTitle;
    expect(label('sidebar_label: Short')).toBe('Short');
    expect(label('sidebar_label: Short\nsidebarTitle: Ours')).toBe('Ours');
  });

  it('accepts Windows line endings and a byte order mark', () => {
    const { frontmatter, body } = read('\ufeff---\r\ntitle: A\r\n---\r\nText\r\n');
    expect(frontmatter.title).toBe('A');
    expect(body).toBe('Text\n');
  });

  it('leaves a page without frontmatter unchanged, even if it begins with a thematic break', () => {
    expect(read('Text').body).toBe('Text');
    expect(read('---\nno end').body).toBe('---\nno end');
    expect(read('---\n---\nText').body).toBe('Text');
  });

  it('reads an unquoted title with a colon and warns with its line', () => {
    const { frontmatter, diagnostics } = read(
      '---\ndescription: ok\ntitle: Guide: the start\n  bad: [\n---\n',
    );
    expect(frontmatter).toMatchObject({ title: 'Guide: the start', description: 'ok' });
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'frontmatter-syntax', file: 'page.mdx' },
    ]);
    expect(diagnostics[0]?.line).toBeGreaterThanOrEqual(3);
  });

  it('converts unambiguous values and ignores others', () => {
    const { frontmatter, diagnostics } = read(
      '---\ntitle: 2024\nhidden: "yes"\nnoindex: [1]\nboost: much\nkeywords: a, b\nmode: sideways\ndescription:\n  a: 1\n---\n',
    );
    expect(frontmatter).toEqual({ title: '2024', hidden: true, keywords: ['a', 'b'], custom: {} });
    expect(diagnostics).toMatchObject([{ code: 'frontmatter-value' }]);
  });

  it('handles multiplying aliases and names of prototype members safely', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'
        .split('')
        .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
    ].join('\n');
    const { frontmatter, diagnostics } = read(`---\ntitle: T\n${bomb}\n---\n`);
    expect(frontmatter.title).toBe('T');
    expect(diagnostics).toHaveLength(1);
    const hostile = read(
      '---\n__proto__:\n  polluted: true\nconstructor: x\ntitle: T\n---\n',
    ).frontmatter;
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((hostile.custom as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it.each([
  'groups: [staff]\ngroups:',
  'groups: [staff]\nGroups: ~',
  'groups:\n  - staff\n"groups": null',
])('a restricted page remains restricted when the key is repeated without a value: %j', (yaml) => {
  const { frontmatter } = readFrontmatter(`---\ntitle: T\n${yaml}\n---\n\nText.\n`, 'a.mdx');
  expect(isPublicPage(frontmatter.custom.groups)).toBe(false);
});

it('the reference of frontmatter lists exactly the keys that have an effect', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../../docs/reference/frontmatter.mdx'),
    'utf8',
  );
  const listed = Array.from(page.matchAll(/^\| `([^`]+)` \|/gm), ([, key]) => key);
  // Two spellings of one key.
  expect(listed.toSorted()).toEqual(
    FRONTMATTER_KEYS.filter((key) => key !== 'openapiSchema').toSorted(),
  );
});
