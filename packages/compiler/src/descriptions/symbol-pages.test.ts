import { describe, expect, it } from 'vitest';
import { Recorder } from '../page-cache/recorder.ts';
import { createPageCompiler } from '../pages/compile-site-page.ts';
import { readSiteModel, type SiteModel } from '../site/site-model.ts';
import { memorySourceTree } from '../source/source-tree.ts';

const SCHEMA =
  'type Query { "Finds a <b onclick=x>team</b>." team(id: ID!): Team } "Those who work." type Team { name: String! }';
const LIBRARY = JSON.stringify({
  id: 0,
  kind: 1,
  children: [
    {
      id: 1,
      name: 'Client',
      kind: 128,
      comment: { summary: [{ kind: 'text', text: 'Calls the API.\n\nAnd more.' }] },
      children: [
        { id: 2, name: 'level', kind: 1024, type: { type: 'reference', target: 3, name: 'Level' } },
      ],
    },
    { id: 3, name: 'Level', kind: 8, children: [{ id: 4, name: 'High', kind: 16 }] },
  ],
});
const library = { format: 'typedoc', source: 'lib.json', directory: 'sdk' };

const treeOf = (files: Record<string, string>) =>
  memorySourceTree(
    new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  );

function site(tabs: object[], files: Record<string, string> = {}) {
  const config = {
    name: 'Acme',
    theme: 'mint',
    colors: { primary: '#000000' },
    navigation: { tabs },
  };
  const source = treeOf({
    'docs.json': JSON.stringify(config),
    'index.mdx': '# Start',
    'schema.graphql': SCHEMA,
    'lib.json': LIBRARY,
    ...files,
  });
  const model = readSiteModel(source);
  const recorder = new Recorder(source, model);
  const compile = createPageCompiler(recorder, { plainCode: true });
  const pageAt = (path: string) => {
    const page = model.pages.find((one) => one.path === path);
    if (!page)
      throw new Error(`no page at ${path}: ${model.pages.map((one) => one.path).join(' ')}`);
    return compile(page);
  };
  return { model, recorder, pageAt };
}

const codes = ({ diagnostics }: Pick<SiteModel, 'diagnostics'>) =>
  diagnostics.map(({ code }) => code);
const labels = ({ navigation }: SiteModel) =>
  navigation.roots.map((root) => ('label' in root ? root.label : root.path));

describe('the generated reference pages', () => {
  it('link to each other, contain no scripts, and are indexed for search', async () => {
    const { model, pageAt } = site([{ tab: 'API', graphql: 'schema.graphql' }]);
    expect(codes(model)).toEqual([]);
    const { compiled } = await pageAt('graphql-reference/queries/team');
    expect(compiled.content.html).toContain('graphql-reference/types/team');
    expect(compiled.content.html).not.toContain('onclick');
    expect(compiled.content.markdown).toContain('[`Team`](/graphql-reference/types/team)');
    expect(compiled.sections[0]?.text).toContain('Finds a');
    expect(compiled.content.toc.map(({ text }) => text)).toEqual(['Arguments', 'Returns']);
    expect(compiled.failed).toBe(false);
  });

  it('follow the pages that the author lists, and show the first paragraph once', async () => {
    const { model, pageAt } = site([
      { tab: 'SDK', sdk: library, groups: [{ group: 'Start', pages: ['index'] }] },
    ]);
    expect(model.pages.map(({ path }) => path)).toEqual([
      'index',
      'sdk/classes/client',
      'sdk/enums/level',
    ]);
    const { compiled } = await pageAt('sdk/classes/client');
    expect(compiled.content.markdown.match(/Calls the API/g)).toHaveLength(1);
    expect(compiled.content.markdown).toContain('And more.');
    expect(compiled.content.markdown).toContain('(/sdk/enums/level)');
  });

  it('are replaced with author pages about the same symbols, whose text follows the reference', async () => {
    const files = {
      'own/client.mdx': '---\nsdk: "class Client"\n---\n\nMy words.',
      'own/level.mdx': '---\nsdk: { kind: enum, name: Level }\n---\n',
    };
    const { model, pageAt } = site(
      [{ tab: 'SDK', sdk: library, groups: [{ group: 'A', pages: ['own/client', 'own/level'] }] }],
      files,
    );
    expect(
      model.pages
        .filter(({ path }) => path !== 'index')
        .map(({ path, title }) => `${path} ${title}`),
    ).toEqual(['own/client Client', 'own/level Level']);
    const { compiled } = await pageAt('own/client');
    expect(compiled.content.markdown).toMatch(
      /^# Client\n\n> Calls the API\.[\s\S]*And more\.[\s\S]*\(\/own\/level\)[\s\S]*My words\.\n$/,
    );
  });

  it('can use a separate source from their frontmatter', async () => {
    const own =
      '---\nsdk: { format: typedoc, source: /lib.json, kind: class, name: Client }\n---\n';
    const { model, pageAt } = site([{ tab: 'A', pages: ['index', 'own'] }], { 'own.mdx': own });
    expect(codes(model)).toEqual([]);
    expect((await pageAt('own')).compiled.content.markdown).toContain('CLASS Client');
  });

  it('become an error page in their tab if they cannot be generated, with a diagnostic', async () => {
    const cases: [tab: object, code: string, path: string][] = [
      [
        { sdk: { format: 'javadoc', source: 'out', directory: 'java' } },
        'unsupported-reference',
        'java/reference',
      ],
      [{ sdk: { ...library, source: 'none.json' } }, 'missing-file', 'sdk/reference'],
      [{ sdk: { ...library, source: 'schema.graphql' } }, 'invalid-reference', 'sdk/reference'],
      [{ sdk: { source: 'lib.json' } }, 'invalid-navigation', 'sdk-reference/reference'],
      [{ graphql: 7 }, 'invalid-navigation', 'graphql-reference/reference'],
      [{ graphql: 'lib.json' }, 'invalid-reference', 'graphql-reference/reference'],
    ];
    for (const [setting, code, path] of cases) {
      const { model, pageAt } = site([
        { tab: 'Guides', pages: ['index'] },
        { tab: 'Gone?', ...setting },
      ]);
      expect(labels(model)).toEqual(['Guides', 'Gone?']);
      expect(codes(model)).toContain(code);
      const { compiled } = await pageAt(path);
      expect([compiled.failed, compiled.content.markdown]).toEqual([
        true,
        expect.stringContaining('This reference is missing'),
      ]);
    }
  });

  it('report an unknown symbol in the frontmatter, and keep the text of the page', async () => {
    const files = {
      'a.mdx': '---\nsdk: class Nobody\n---\nText.',
      'b.mdx': '---\nsdk: Client\n---\n',
      'c.mdx': '---\nsdk: class Client\n---\n',
    };
    const { model, pageAt } = site(
      [
        { tab: 'SDK', sdk: library, groups: [{ group: 'A', pages: ['a', 'b'] }] },
        { tab: 'B', pages: ['c'] },
      ],
      files,
    );
    expect(codes(model)).toEqual(['unknown-symbol', 'unknown-symbol', 'unknown-symbol']);
    for (const path of ['a', 'b', 'c']) expect((await pageAt(path)).compiled.failed).toBe(true);
    expect((await pageAt('a')).compiled.content.markdown).toContain('Text.');
  });

  it('are cached until the source file changes', async () => {
    const tabs = [{ tab: 'API', graphql: 'schema.graphql' }];
    const { recorder, pageAt } = site(tabs);
    const { answers } = await pageAt('graphql-reference/queries/team');
    const config = (list: object[]) =>
      JSON.stringify({
        name: 'Acme',
        theme: 'mint',
        colors: { primary: '#000000' },
        navigation: { tabs: list },
      });
    const holds = (files: Record<string, string>) => {
      const source = treeOf({
        'docs.json': config(tabs),
        'index.mdx': '# Start',
        'schema.graphql': SCHEMA,
        'lib.json': LIBRARY,
        ...files,
      });
      recorder.begin(source, readSiteModel(source));
      createPageCompiler(recorder, { plainCode: true });
      return recorder.holds(answers);
    };
    expect(holds({ 'index.mdx': '# Changed' })).toBe(true);
    expect(holds({ 'schema.graphql': SCHEMA.replace('Those', 'All') })).toBe(false);
  });
});
