import { escapeHtml, html, trustedHtml } from '../html.ts';
import { compilePageWith, type RenderLead } from './compile-page.ts';
import type { ImageSize } from './image-size.ts';
import { readFrontmatter } from './mdx/frontmatter.ts';
import type { CompiledPage } from './page-content.ts';
import type { ComponentRenderer } from './page-renderer.ts';
import type { RendererParts } from './render-html.ts';
import type { SiteContext } from './site-context.ts';

/** A site in memory for tests of the compiler: a few files, a few pages, components that show what they were given. */
export interface FakeSite {
  files?: Record<string, string>;
  /** Site paths that exist, or where they redirect to. */
  pages?: Record<string, string>;
  variables?: Record<string, string>;
  latex?: boolean;
  unknownLanguages?: string[];
  /** Sizes of images among the files. */
  imageSizes?: Record<string, ImageSize>;
}

const box: ComponentRenderer = (node, page) => {
  const title = typeof node.props.title === 'string' ? node.props.title : '';
  return html`<section data-name="${node.name}" data-title="${title}">${page.render(node.children)}</section>`;
};

const shownProps: ComponentRenderer = (node) => html`<pre class="props">${JSON.stringify(node.props)}</pre>`;

const broken: ComponentRenderer = () => {
  throw new Error('the renderer broke');
};

const names = [
  'Note',
  'Card',
  'CardGroup',
  'Tabs',
  'Tab',
  'Steps',
  'Step',
  'Accordion',
  'ParamField',
  'ResponseField',
  'Update',
  'Visibility',
  'Frame',
  'CodeBlock',
  'Tree',
  'Tree.File',
  'Expandable',
];

/** Renderers for tests. */
export const fakeParts: RendererParts = {
  components: new Map<string, ComponentRenderer>([
    ...names.map((name): [string, ComponentRenderer] => [name, box]),
    ['Props', shownProps],
    ['Broken', broken],
    ['Icon', (node, page) => page.icon(node.props.icon)],
    ['Late', (_, page) => page.codeBlock({ language: 'late', meta: '', code: 'x' })],
    [
      'Linked',
      (node, page) =>
        html`<a href="${trustedHtml(page.href(String(node.props.href), node))}">${page.inlineMarkdown(String(node.props.title))}</a>`,
    ],
  ]),
  renderCodeBlock: (block) =>
    trustedHtml(
      `<pre data-language="${escapeHtml(block.language)}" data-meta="${escapeHtml(block.meta)}">${escapeHtml(block.code)}</pre>`,
    ),
};

/** A `SiteContext` over the fake site. `loaded` lists the languages that were asked for. */
export function fakeContext(site: FakeSite = {}, loaded: string[] = []): SiteContext {
  const files = new Map(Object.entries(site.files ?? {}));
  const pages = new Map(Object.entries(site.pages ?? {}));
  return {
    config: {
      variables: site.variables ?? {},
      iconLibrary: 'fontawesome',
      ...(site.latex === undefined ? {} : { latex: site.latex }),
      api: { openapi: [], asyncapi: [], playground: 'none', baseUrls: [] },
      codeblocks: { mode: 'system' },
    },
    readText: (path) => files.get(path),
    hasFile: (path) => files.has(path),
    imageSize: (path) => site.imageSizes?.[path],
    pageHref: (path) => pages.get(path),
    highlighter: {
      async load(languages) {
        const asked = [...languages];
        loaded.push(...asked);
        return asked.filter((name) => site.unknownLanguages?.includes(name));
      },
      highlight: (code) => code.split('\n').map((text) => [{ text, kind: 0 }]),
    },
    icons: { find: (name) => (name === 'rocket' ? { body: '<path d="M0 0"/>', width: 24, height: 24 } : undefined) },
  };
}

/** Compiles one page of a fake site. */
export function compileText(
  text: string,
  site: FakeSite = {},
  lead?: RenderLead,
  file = 'guides/page.mdx',
): Promise<CompiledPage> {
  const { frontmatter } = readFrontmatter(text, file);
  const path = file.replace(/\.mdx?$/, '');
  const page = { path, href: `/${path}`, file, text, frontmatter, title: frontmatter.title ?? 'Untitled' };
  return compilePageWith(fakeParts, page, fakeContext(site), lead);
}
