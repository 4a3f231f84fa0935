import { describe, expect, it } from 'vitest';
import { parseApiDocument } from './api-reference/parse-api-document.ts';
import { readFrontmatter } from './content/mdx/frontmatter.ts';
import { parseYaml } from './yaml-document.ts';

const nested = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
const indented = (count: number, sign: string) =>
  Array.from({ length: count }, (_, depth) => `${' '.repeat(depth)}${sign}`).join('\n');

/** Which limit is met first depends on the stack. */
const REFUSED = /^(?:a list or a mapping cannot be a key|it is nested more than 200 levels deep)$/;

/** Each took the library minutes, or more memory than there is. */
const HOSTILE: [what: string, yaml: string, reason: RegExp][] = [
  ['a nested list as a key', `title: a\n? ${nested(6000)}\n: 1`, REFUSED],
  ['a nested list as a key in braces', `title: a\nx: {${nested(6000)}: 1}`, REFUSED],
  ['keys of keys', `title: a\n${'? '.repeat(3000)}a`, REFUSED],
  ['keys of keys, line by line', `title: a\nx:\n${indented(2000, ' ?')}`, REFUSED],
  ['mappings as keys of mappings', `title: a\nx: ${'{'.repeat(2000)}${'}'.repeat(2000)}`, REFUSED],
  ['an anchored list as a key', `title: a\n? &a ${nested(3000)}\n: *a`, REFUSED],
  ['nested lists', `title: a\nx: ${nested(20_000)}`, REFUSED],
  ['nested mappings', `title: a\nx:\n${indented(2000, ' a:')} 1`, REFUSED],
  ['nested sequences', `title: a\nx:\n${'- '.repeat(2000)}a`, REFUSED],
  [
    'aliases that multiply',
    `title: a\na: &a [x]\n${Array.from({ length: 300 }, (_, n) => `b${n}: *a`).join('\n')}`,
    /alias/i,
  ],
];

describe('hostile YAML', () => {
  it.each(HOSTILE)(
    'is refused at once, with its line, wherever YAML is read: %s',
    (_, yaml, reason) => {
      expect(() => parseYaml(yaml, { maxAliases: 100 })).toThrow(
        expect.objectContaining({ message: expect.stringMatching(reason) }),
      );
      const page = readFrontmatter(`---\n${yaml}\n---\n# Hi\n`, 'page.mdx');
      expect(page.frontmatter.title).toBe('a');
      expect(page.diagnostics[0]).toMatchObject({ code: 'frontmatter-syntax', file: 'page.mdx' });
      expect(page.diagnostics[0]?.line).toBeGreaterThan(1);
      for (const head of ['openapi: 3.1.0\npaths: {}', 'asyncapi: 3.0.0']) {
        const { document, diagnostics } = parseApiDocument(`${head}\n${yaml}`, 'api.yaml');
        expect(document).toBeUndefined();
        expect(diagnostics[0]).toMatchObject({ code: 'invalid-api-document', file: 'api.yaml' });
        expect(diagnostics[0]?.line).toBeGreaterThan(0);
      }
    },
  );

  it('leaves a page restricted whose frontmatter cannot be read', () => {
    const { frontmatter } = readFrontmatter('---\ngroups: [staff]\n? [a]\n: 1\n---\n', 'page.mdx');
    expect(frontmatter.custom.groups).toBeTruthy();
  });
});

it('ordinary YAML keeps its values, merged and repeated keys, and 190 levels', () => {
  const text = `a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\nc: 1\nc: 2\ndeep: ${nested(190)}\n`;
  const { value, entries } = parseYaml(text, { maxAliases: 10 });
  expect(value).toMatchObject({ b: { x: 1, y: 2 }, c: 2 });
  expect(entries.map(([key]) => key)).toEqual(['a', 'b', 'c', 'c', 'deep']);
});
