import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilePage } from '@docent/format/content/compile-page.ts';
import { components } from '@docent/format/content/components/registry.ts';
import { expect, test } from 'vitest';
import { fakeContext } from '../../../test/support/fake-site.ts';
import { testConfig, testSite, testView } from '../../../test/support/test-view.ts';
import { renderPage } from './render-page.ts';

const styles = fileURLToPath(new URL('./styles', import.meta.url));

function classesIn(...folders: string[]): Set<string> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(styles, folder)).map((name) => join(styles, folder, name)),
  );
  const text = files
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(file, 'utf8'));
  return new Set(text.join('').match(/(?<=\.)d-[a-z0-9-]+/g));
}

const onEveryPage = classesIn('.', 'text', 'themes');
/** Classes with rules that only `components.css` has. */
const ofComponents = new Set([...classesIn('components')].filter((name) => !onEveryPage.has(name)));

async function pageWith(text: string) {
  const page = {
    path: 'page',
    href: '/page',
    file: 'page.mdx',
    text,
    frontmatter: { custom: {} },
    title: 'Page',
  };
  const { content } = await compilePage(page, fakeContext());
  const classes = Array.from(
    (content.html + content.aside).matchAll(/ class="([^"]*)"/g),
    ([, names = '']) => names.split(' '),
  );
  return {
    needs: classes.flat().filter((name) => ofComponents.has(name)),
    html: renderPage(testView({ content })),
  };
}

/** What `elements/page/site.ts` defines itself, or loads on demand. */
const WITHOUT_SCRIPT = new Set(['docent-code', 'docent-playground']);
const loadsComponents = (html: string) =>
  html.includes('<script src="/_docent/components.js" defer data-components>');

const linksComponents = (html: string) =>
  html.includes('<link rel="stylesheet" href="/_docent/components.css">');

test.each([...components.keys()])('a page with <%s> loads the rules of its parts', async (name) => {
  const [parent] = components.get(name)?.parents ?? [];
  const call = `<${name} title="Title" name="name" path="path" href="/x" prompt="prompt">\n\nA text.\n\n</${name}>`;
  const { needs, html } = await pageWith(
    parent === undefined || parent === name ? call : `<${parent}>\n\n${call}\n\n</${parent}>`,
  );
  expect(linksComponents(html) || needs.length === 0, needs.join(' ')).toBe(true);
  const elements = Array.from(html.matchAll(/<(docent-[a-z]+)/g), ([, element = '']) => element);
  const isScripted = elements.some((element) => !WITHOUT_SCRIPT.has(element));
  expect(loadsComponents(html) || !isScripted, elements.join(' ')).toBe(true);
});

test('a page with a video of another server loads the rules of its frame', async () => {
  const { needs, html } = await pageWith(
    '<iframe src="https://www.youtube.com/embed/abc" title="A video"></iframe>',
  );
  expect(linksComponents(html) || needs.length === 0, needs.join(' ')).toBe(true);
});

test('a page of text, code and callouts loads one style sheet and one script', async () => {
  const text = 'A text.\n\n```js\nrun();\n```\n\n<Note>A note.</Note>\n';
  const { needs, html } = await pageWith(text);
  expect(needs).toEqual([]);
  expect(html.match(/rel="stylesheet"/g)).toHaveLength(1);
  expect(html.match(/<script src=/g)).toHaveLength(1);
});

test('a page with a picture, which readers may enlarge, loads the script of components', async () => {
  const { html } = await pageWith('![A picture](/a.png)');
  expect(loadsComponents(html)).toBe(true);
});

test('a page of a theme with a structure of its own loads the rules of this structure only', () => {
  const linked = (theme: string) =>
    Array.from(
      renderPage(testView({ site: testSite({ config: testConfig({ theme }) }) })).matchAll(
        /_docent\/([a-z]+)\.css/g,
      ),
      ([, name]) => name,
    );
  expect(linked('mint')).toEqual(['site']);
  expect(linked('willow')).toEqual(['maple', 'site']);
  expect(linked('luma')).toEqual(['aspen', 'site']);
});

test('the rules of a banner, a decoration and the style of a terminal are loaded by sites that have one', () => {
  const isLinked = (config: Parameters<typeof testConfig>[0]) =>
    renderPage(testView({ site: testSite({ config: testConfig(config) }) })).includes(
      '/_docent/extras.css',
    );
  expect(isLinked({})).toBe(false);
  expect(isLinked({ banner: { content: 'News', dismissible: false, type: 'info' } })).toBe(true);
  expect(isLinked({ background: { decoration: 'grid' } })).toBe(true);
  expect(isLinked({ theme: 'linden' })).toBe(true);
  const link = { label: 'Code', href: 'https://github.com/a/b', count: 12 };
  expect(isLinked({ navbar: { links: [link] } })).toBe(true);
});

test('what authors design, what a compiler says about code, and errors have their rules', async () => {
  const designed = renderPage(testView({ page: { mode: 'custom' } }));
  expect(linksComponents(designed)).toBe(true);
  for (const text of [
    '<div className="not-prose">Text</div>',
    '```js "run"\nrun();\n```',
    '```js /run/\nrun();\n```',
    '<Missing />',
  ]) {
    const { needs, html } = await pageWith(text);
    expect(linksComponents(html) || needs.length === 0, `${text}: ${needs.join(' ')}`).toBe(true);
  }
});
