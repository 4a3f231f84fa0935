import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkFolder } from './check-folder.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const root = mkdtempSync(join(tmpdir(), 'docent-mistakes-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true });
    writeFileSync(join(root, name, path), text);
  }
  return join(root, name);
}

const settings = (changes: object) =>
  JSON.stringify(
    {
      theme: 'mint',
      name: 'S',
      colors: { primary: '#123456' },
      navigation: { pages: ['index'] },
      ...changes,
    },
    null,
    1,
  );
const start = '---\ntitle: Start\n---\n\nText.\n';

/** `line:column message → remedy` of each finding, with its severity if it is an error. */
const shown = ({ severity, code, line, column, message, remedy }: Diagnostic) =>
  `${severity === 'error' ? 'error ' : ''}${code} ${line ?? ''}:${column ?? ''} ${message} → ${remedy}`;

/**
 * The mistake in the text of a page below its title, which is on line 5, and the expected report.
 */
const pages: Readonly<Record<string, readonly [body: string, report: RegExp]>> = {
  'a tag that is not closed': [
    '<Card>\n\nText',
    /^error mdx-syntax 5:1 <Card> is not closed\. → Add <\/Card>/,
  ],
  'a wrong closing tag': [
    '<Card>\nText\n</Note>',
    /^error mdx-syntax 7:1 <\/Note> closes nothing\. → Remove it, or add the opening tag/,
  ],
  'a name in braces': [
    'See {name}.',
    /^unknown-variable 5:5 .*"name" is not defined here\. → Define it, escape a literal brace/,
  ],
  'doubled braces': ['See {{ x }}.', /^unknown-variable 5:\d+ .*"x" is not defined here.* → /],
  'a lone <': ['a <b', /^mdx-syntax 5:3 A "<" does not start a tag.* → Write \\</],
  'a generic type': [
    'Use List<T> here.',
    /^mdx-syntax 5:9 <T> has no closing tag; it is shown as text\. → Write \\<T>/,
  ],
  'a link in angle brackets': [
    '<http://example.com>',
    /^mdx-syntax 5:\d Links in angle brackets are not valid MDX\. → Write \[text\]/,
  ],
  'an open <br>': ['a<br>b', /^mdx-syntax 5:2 <br> must be self-closing in MDX\. → Write <br \/>/],
  'an HTML comment': [
    '<!-- x -->',
    /^mdx-syntax 5:\d HTML comments are not valid MDX.* → Write \{\/\*/,
  ],
  'a handler in HTML': ['<a onclick="x()" href="/">x</a>', /^unsafe-html 5:?\d* .*onclick.* → /],
  'a <Step> outside <Steps>': [
    '<Step title="x">y</Step>',
    /^misplaced-component 5:1 <Step> is outside <Steps>\. → Put it directly inside <Steps>/,
  ],
  'a <Tab> outside <Tabs>': [
    '<Tab title="x">y</Tab>',
    /^misplaced-component 5:1 <Tab> is outside <Tabs>\. → Put it directly inside <Tabs>/,
  ],
  'an unknown prop': [
    '<Card titel="x">y</Card>',
    /^unknown-prop 5:1 <Card> has no prop "titel"\. → Did you mean "title"\?/,
  ],
  'an unknown component': [
    '<Callot>x</Callot>',
    /^unknown-component 5:1 There is no component <Callot>\. → Did you mean <Callout>\?/,
  ],
  'a link to no page': [
    'Hello [x](/instal)',
    /^error broken-link 5:7 There is no page or file at "\/instal"\. → Did you mean "\/install"\?/,
  ],
  'a link to no anchor': [
    '## Setup\n\n[x](#setpu)',
    /^error broken-link 7:1 The page has no heading or id "#setpu"\. → Did you mean "#setup"\?/,
  ],
  'a link to no anchor of another page': [
    '[x](/install#setpu)',
    /^error broken-link 5:1 The page "\/install" has no heading or id "#setpu"\. → Did you mean "#setup"\?/,
  ],
  'an unknown icon': [
    '<Icon icon="rokcet" />',
    /^unknown-icon 5:1 There is no icon "rokcet" in fontawesome\. → Did you mean "rocket"\?/,
  ],
  'an unknown language of code': [
    '```javascrpt\nx\n```',
    /^unknown-language 5: .*"javascrpt"\. → Did you mean "javascript"\?/,
  ],
  'a missing image': [
    '![Logo](/images/lgo.png)',
    /^missing-file 5:1 There is no file "\/images\/lgo\.png"\. → Did you mean "\/images\/logo\.png"\?/,
  ],
  'a missing snippet': [
    'import X from "/snippets/prat.mdx"\n\n<X />',
    /^missing-import 5:\d? ?The imported file "\/snippets\/prat\.mdx" does not exist\. → Did you mean "\/snippets\/part\.mdx"\?/,
  ],
  'a wrong formula': ['$$\n\\frac{1\n$$', /^bad-formula 5:\d* A formula cannot be rendered: .* → /],
  'a skipped level of headings': [
    '## A\n\n#### B',
    /^heading-skip 7:1 The heading skips a level\. → /,
  ],
  'an image without text': ['![](/images/logo.png)', /^image-without-text 5:\d* .* → /],
  'an error of JavaScript': [
    'export const x = (a, b => { return a };',
    /^error mdx-syntax 5:\d\d .* → Correct the JavaScript/,
  ],
  'a component that fails': [
    'export const Bad = () => null.x\n\n<Bad />',
    /^expression-failed 7:1 .* → /,
  ],
  'an unclosed fence': [
    '```js\nx\n\n## Not a heading',
    /^unclosed-fence 5:1 The code block is not closed.* → Add a line with ```/,
  ],
  'a <Tab> without a title': [
    '<Tabs>\n<Tab>x</Tab>\n</Tabs>',
    /^missing-prop 6:1 <Tab> has no title\. → Add title="…"/,
  ],
  'an unknown color': [
    '<Badge color="greeen">x</Badge>',
    /^unknown-value 5:\d <Badge> cannot use "greeen" as its "color"\. → Did you mean "green"\?/,
  ],
  'an unknown kind of diagram': [
    '```mermaid\n%% Note\ngrpah TD\n```',
    /^mermaid-syntax 5: There is no Mermaid diagram of the kind "grpah"\. → Did you mean "graph"\?/,
  ],
  'a container without a component': [
    ':::playground\nx\n:::',
    /^foreign-syntax 5:1 ":::playground" is markup of Docusaurus.* → Write it in Markdown/,
  ],
  'a container that is not closed': [
    'x\n\n:::note\nx',
    /^mdx-syntax 7:1 The block ":::note" is not closed.* → Close it with a line of as many colons/,
  ],
  'an include of VitePress': [
    '<<< @/x.ts',
    /^foreign-syntax 5:1 "<<<" is markup of VitePress.* → Put the text into a snippet/,
  ],
  'a block of GitBook without a component': [
    '{% swagger %}\nx\n{% endswagger %}',
    /^foreign-syntax 5:1 "\{% swagger %\}" is markup of GitBook.* → /,
  ],
  'an import of a theme': [
    'import Tabs from "@theme/Tabs"\n\n<Tabs><Tab title="a">b</Tab></Tabs>',
    /^foreign-syntax 5: "@theme\/Tabs" is a part of Docusaurus; the built-in <Tabs> is used instead\. → Remove the import/,
  ],
};

/** Whole files: mistakes above the text of a page. */
const files: Readonly<Record<string, readonly [text: string, report: RegExp]>> = {
  'a quote that is not closed': [
    '---\ntitle: "Start\ndescription: b\n---\n\nText.',
    /^error frontmatter-syntax 2: The value of "title" has no closing quote\. → Add " at the end of the line/,
  ],
  'frontmatter that is not closed': [
    '---\ntitle: Start\n\nText.',
    /^error frontmatter-syntax 1: The frontmatter is not closed.* → Add a line of three hyphens/,
  ],
  'a misspelled key': [
    '---\ntitel: Start\n---\n\nText.',
    /^unknown-frontmatter 2: The frontmatter has "titel", which has no effect\. → Did you mean "title"\?/,
  ],
  'a key in another spelling': [
    '---\ntitle: S\nsidebar_title: Start\n---\n\nText.',
    /^unknown-frontmatter 3: .*"sidebar_title".* → Did you mean "sidebarTitle"\?/,
  ],
  'a value with a colon': [
    '---\ntitle: Start: now\n---\n\nText.',
    /^error frontmatter-syntax 2: The frontmatter is not valid YAML: .* → Put values that contain a colon/,
  ],
  'an unknown mode': [
    '---\ntitle: S\nmode: wied\n---\n\nText.',
    /^frontmatter-value :? ?There is no page mode "wied"\. → /,
  ],
  'frontmatter of Hugo': [
    '+++\ntitle = "Start"\n+++\n\nText.',
    /^foreign-syntax 1: .*"\+\+\+".* Hugo.* → Write it as YAML/,
  ],
};

/** The mistake in docs.json, and the expected report. `$` in a name: the file as text. */
const configs: Readonly<Record<string, readonly [settings: object | string, report: RegExp]>> = {
  'a missing comma': [
    '{\n  "name": "S"\n  "theme": "mint"\n}',
    /^error build-failed 2:14 .*Expected "," or "}" after this value, found/,
  ],
  'a comma too many': [
    '{\n  "name": "S", "theme": "mint", "colors": {"primary": "#123456"},\n  "navigation": {"pages": ["index",]}\n}',
    /^lenient-json 3:\d+ The file has commas before a closing bracket/,
  ],
  'an unknown setting': [
    { colours: {} },
    /^unknown-setting \d+:\d+ .*"colours".* → Did you mean "colors"\?/,
  ],
  'a wrong value': [
    { colors: { primary: 'blau' } },
    /^invalid-setting \d+:\d+ "colors\.primary" should be/,
  ],
  'an unknown theme': [{ theme: 'mnit' }, /^invalid-setting \d+:\d+ "theme" should be/],
  'an unknown list of the navigation': [
    { navigation: { gruops: [{ group: 'A', pages: ['index'] }] } },
    /^error build-failed 8:3 "navigation" has no list of pages: there is no "gruops"\. Did you mean "groups"\? \(navigation\.gruops\)/,
  ],
  'a group whose pages are a text': [
    { navigation: { groups: [{ group: 'A', pages: 'index' }] } },
    /^error build-failed \d+:\d+ No entry of the navigation in docs\.json can be used\. .*"pages" must be a list: \["index"\] \(navigation\.groups\[0\]\.pages\)/,
  ],
  'a group without a name': [
    { navigation: { groups: [{ pages: ['index'] }] } },
    /^error build-failed \d+:\d+ No entry .*a group needs a name: "group": "…" \(navigation\.groups\[0\]\)/,
  ],
  'a page that does not exist': [
    { navigation: { pages: ['index', 'instal'] } },
    /^missing-page \d+:\d+ The navigation names the page "instal", which does not exist \(navigation\.pages\[1\]\)\. → Did you mean "install"\?/,
  ],
  'a page twice in a menu': [
    { navigation: { pages: ['index', 'index'] } },
    /^repeated-page \d+:\d+ The menu lists the page "index" twice; navigation\.pages\[0\] is the first \(navigation\.pages\[1\]\)\. → Remove one/,
  ],
  'a language that does not exist': [
    { navigation: { languages: [{ language: 'english', pages: ['index'] }] } },
    /^unknown-language-code \d+:\d+ There is no language "english" \(navigation\.languages\[0\]\.language\)\. → Did you mean "en"\?/,
  ],
  'a loop of redirects': [
    {
      redirects: [
        { source: '/x', destination: '/y' },
        { source: '/y', destination: '/x' },
      ],
    },
    /^error redirect-loop \d+:\d+ .* → Point one of them to a page/,
  ],
  'a redirect that hides a page': [
    { redirects: [{ source: '/install', destination: '/' }] },
    /^redirect-hides-page \d+:\d+ .* → Remove the redirect, or move the page/,
  ],
  'a redirect to nowhere': [
    { redirects: [{ source: '/x', destination: '/nowhere' }] },
    /^redirect-target \d+:\d+ A redirect points to "\/nowhere", which is not a page\. → /,
  ],
  'a missing API description': [
    {
      navigation: {
        groups: [
          { group: 'A', pages: ['index'] },
          { group: 'B', openapi: 'opanapi.json' },
        ],
      },
    },
    /^missing-file \d+:\d+ There is no API description opanapi\.json\. → Did you mean "openapi\.json"\?/,
  ],
  'an API description that is not JSON': [
    {
      navigation: {
        groups: [
          { group: 'A', pages: ['index'] },
          { group: 'B', openapi: 'broken.json' },
        ],
      },
    },
    /^error invalid-api-document 2:17 The API description is not valid JSON: Expected "," or "}" after this value.* → Correct the JSON at that line/,
  ],
};

const others = {
  'install.mdx': '---\ntitle: Install\n---\n\n## Setup\n\nText.\n',
  'images/logo.png': 'x',
  'snippets/part.mdx': 'A part.\n',
  'openapi.json': JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { responses: {} } } },
  }),
  'broken.json': '{\n  "openapi": "3"\n  "info": 1\n}',
};

describe('a mistake in a page is reported with its line, its cause and a remedy', () => {
  const written = new Map([
    ...Object.entries(pages).map(
      ([name, [body]]) => [name, `---\ntitle: Page\n---\n\n${body}\n`] as const,
    ),
    ...Object.entries(files).map(([name, [text]]) => [name, text] as const),
  ]);
  const fileOf = (name: string) => `page-${[...written.keys()].indexOf(name)}.mdx`;
  let findings: readonly Diagnostic[];
  beforeAll(async () => {
    const texts = Object.fromEntries([...written].map(([name, text]) => [fileOf(name), text]));
    const folder = write('pages', {
      ...others,
      ...texts,
      'index.mdx': start,
      'docs.json': settings({}),
    });
    findings = (await checkFolder(folder)).findings;
  });

  test.each(Object.entries({ ...pages, ...files }))('%s', (name, [, report]) => {
    const places = findings.flatMap(({ places: more = [], ...one }) => [
      one,
      ...more.map((place) => ({ ...one, ...place })),
    ]);
    const reports = places.filter((one) => one.file === fileOf(name)).map(shown);
    expect(
      reports.filter((text) => report.test(text)),
      reports.join('\n'),
    ).toHaveLength(1);
  });

  test('names of the markup of other platforms in code are no mistakes', async () => {
    const text =
      '`:::note` and\n\n| Old | New |\n| --- | --- |\n| `{% hint %}` | `!!! note` |\n\n```\n:::tip\n```\n';
    const folder = write('quoted', { 'docs.json': settings({}), 'index.mdx': `${start}\n${text}` });
    expect((await checkFolder(folder)).findings).toEqual([]);
  });

  test('a file whose address another one has', async () => {
    const folder = write('twice', {
      'docs.json': settings({}),
      'index.mdx': start,
      'index.md': 'x',
      'a.mdx': start,
      'a/index.mdx': start,
    });
    const found = (await checkFolder(folder)).findings.filter(
      ({ code }) => code === 'shared-address',
    );
    expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
      expect.stringMatching(
        /^a\/?.*mdx The page is not shown: a.*mdx has the same address, \/a\.$/,
      ),
      'index.md The page is not shown: index.mdx has the same address, /.',
    ]);
  });
});

describe('a mistake in docs.json is reported with its line, its cause and a remedy', () => {
  test.each(Object.entries(configs))('%s', async (name, [value, report]) => {
    const text = typeof value === 'string' ? value : settings(value);
    const folder = write(`config-${Object.keys(configs).indexOf(name)}`, {
      ...others,
      'index.mdx': start,
      'docs.json': text,
    });
    const reports = (await checkFolder(folder)).findings.map(shown);
    expect(reports.filter((one) => report.test(one)).length, reports.join('\n')).toBeGreaterThan(0);
  });
});
