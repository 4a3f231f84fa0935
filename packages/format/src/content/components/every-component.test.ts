import { describe, expect, it } from 'vitest';
import { fakeContext } from '../../../../../test/support/fake-site.ts';
import { compilePage } from '../compile-page.ts';
import type { PropSchema } from './define-component.ts';
import { allComponents, components } from './registry.ts';

/** Button labels: they describe what a click does and are not content of the page. */
const BUTTON_PROPS = ['closedText', 'openedText'];

/** The title of a code block is in its fence, and search omits every fence. */
const isCodeTitle = (name: string, word: string): boolean =>
  name === 'CodeBlock' && /^word(?:filename|title)$/.test(word);

const wordOf = (prop: string): string => `word${prop.toLowerCase()}`;

function sourceOf(prop: string, { type, values }: PropSchema): string {
  if (type === 'flag' || type === 'icon' || type === 'color' || values !== undefined) return '';
  if (type === 'number') return ` ${prop}={3}`;
  if (type === 'list') return ` ${prop}={['${wordOf(prop)}']}`;
  return type === 'address'
    ? ` ${prop}="https://example.com/${wordOf(prop)}"`
    : ` ${prop}="${wordOf(prop)}"`;
}

async function compile(call: string) {
  const page = {
    path: 'page',
    href: '/page',
    file: 'page.mdx',
    text: call,
    frontmatter: { custom: {} },
    title: 'Page',
  };
  const { content, sections, diagnostics } = await compilePage(page, fakeContext());
  const html = content.html + content.aside;
  const links = [...html.matchAll(/(?:href|src)="(https:[^"]+)"(?! alt="")/g)].map(
    (match) => match[1] as string,
  );
  const text = html.replace(/<[^>]*>/g, ' ');
  return {
    text,
    links,
    markdown: content.markdown,
    search: sections
      .map(({ headings, text, code }) => [...headings, text, code].join(' '))
      .join(' '),
    diagnostics,
  };
}

/** A call as an author writes it, inside its required parent. */
function wrapped(name: string, props: string): string {
  const [parent] = components.get(name)?.parents ?? [];
  const call = `<${name}${props}>\n\nwordinside\n\n</${name}>`;
  return parent === undefined || parent === name ? call : `<${parent}>\n\n${call}\n\n</${parent}>`;
}

describe.each([...components])('the component %s', (name, { props }) => {
  const schemas = Object.entries(props).flatMap(([prop, schema]) =>
    [prop, ...(schema.aliases ?? [])].map((spelling): [string, PropSchema] => [spelling, schema]),
  );
  const calls = [
    ...schemas.map(([prop, schema]) => sourceOf(prop, schema)),
    schemas.map(([prop, schema]) => sourceOf(prop, schema)).join(''),
  ];

  it.each([...new Set(calls)])(
    'provides all visible text and links in Markdown and in search when called with%s',
    async (written) => {
      const { text, links, markdown, search, diagnostics } = await compile(wrapped(name, written));
      for (const word of ['wordinside', ...schemas.map(([prop]) => wordOf(prop))]) {
        if (!text.includes(word) || BUTTON_PROPS.some((prop) => wordOf(prop) === word)) continue;
        expect(markdown, `${word} in Markdown`).toContain(word);
        if (!isCodeTitle(name, word)) expect(search, `${word} in search`).toContain(word);
      }
      for (const link of links) expect(markdown).toContain(link);
      expect(
        diagnostics.filter(({ code }) => code === 'misplaced-component' || code === 'unknown-prop'),
      ).toEqual([]);
    },
  );
});

it('component names are unique', () => {
  const names = allComponents.flatMap((component) => component.names);
  expect(new Set(names).size).toBe(names.length);
});
