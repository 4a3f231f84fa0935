import { compilePage, type RenderLead } from '@docent/format/content/compile-page.ts';
import { components } from '@docent/format/content/components/registry.ts';
import { readFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import type { CompiledPage, SiteContext } from '@docent/format/content/page/page-content.ts';
import { escapeHtml, html, trustedHtml } from '@docent/format/html.ts';
import type { ImageSize } from '@docent/format/image-size.ts';
import type {
  Component,
  PropSchemas,
} from '../../packages/format/src/content/components/define-component.ts';
import { markdownForm } from '../../packages/format/src/content/render/node-prose.ts';
import type { RendererParts } from '../../packages/format/src/content/render/render-html.ts';

/**
 * A site in memory for tests of the compiler: a few files, a few pages, components that show their
 * props.
 */
export interface FakeSite {
  files?: Record<string, string>;
  /** Site paths that exist, with their addresses or those that they redirect to. */
  pages?: Record<string, string>;
  variables?: Record<string, string>;
  latex?: boolean;
  unknownLanguages?: string[];
  /** Sizes of images among the files. */
  imageSizes?: Record<string, ImageSize>;
}

/** Returns the component of this name, or one with these props, with another renderer. */
function fake(name: string, html: Component['html'], props: PropSchemas = {}): [string, Component] {
  const own = { names: [name] as const, summary: '', props, markdown: markdownForm };
  return [name, { ...(components.get(name) ?? own), html }];
}

const ANY = { type: 'data', description: '' } as const;

const box: Component['html'] = (node, page) => {
  const title = typeof node.props.title === 'string' ? node.props.title : '';
  return html`<section data-name="${node.name}" data-title="${title}">${page.render(node.children)}</section>`;
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
  components: new Map<string, Component>([
    ...names.map((name) => fake(name, box)),
    fake('Props', (node) => html`<pre class="props">${JSON.stringify(node.props)}</pre>`, {
      q: ANY,
      list: ANY,
    }),
    fake('Broken', () => {
      throw new Error('the renderer broke');
    }),
    fake('Icon', (node, page) => page.icon(node.props.icon)),
    fake('Late', (_, page) => page.codeBlock({ language: 'late', meta: '', code: 'x' })),
    fake('Linked', (node, page) => {
      const title = page.inlineMarkdown(String(node.props.title));
      return html`<a href="${trustedHtml(page.href(String(node.props.href), node))}">${title}</a>`;
    }),
  ]),
  renderCodeBlock: (block) =>
    trustedHtml(
      `<pre data-language="${escapeHtml(block.language)}" data-meta="${escapeHtml(block.meta)}">${escapeHtml(block.code)}</pre>`,
    ),
};

/** Creates a `SiteContext` of the fake site. `loaded` lists the requested languages. */
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
    day: () => '2026-11-02',
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
    icons: {
      find: (name) =>
        name === 'rocket' ? { body: '<path d="M0 0"/>', width: 24, height: 24 } : undefined,
    },
  };
}

/** Compiles one page of a fake site. */
export function compileText(
  text: string,
  site: FakeSite = {},
  lead?: RenderLead,
  file = 'guides/page.mdx',
  parts: RendererParts = fakeParts,
): Promise<CompiledPage> {
  const { frontmatter } = readFrontmatter(text, file);
  const path = file.replace(/\.mdx?$/, '');
  const page = {
    path,
    href: `/${path}`,
    file,
    text,
    frontmatter,
    title: frontmatter.title ?? 'Untitled',
  };
  return compilePage(page, fakeContext(site), lead, parts);
}
