import { type Diagnostic, DiagnosticList } from '../diagnostics.ts';
import { errorMessage } from '../error-message.ts';
import type { Html } from '../html.ts';
import { didYouMean } from '../nearest-name.ts';
import { renderCodeBlock } from './code/code-block.ts';
import { checkCalls } from './components/check-calls.ts';
import { components } from './components/registry.ts';
import { Expander } from './expand/expand.ts';
import { faultNode } from './expand/expand-element.ts';
import { type ResolvedIslands, resolveIslands } from './islands/resolve-islands.ts';
import { readSourceFile, type SourceFile } from './mdx/source-file.ts';
import { type ContentNode, NodesValue } from './nodes/content-node.ts';
import { ISLAND_TAG } from './nodes/island.ts';
import type { SourceNode } from './nodes/source-node.ts';
import { idsIn, plainSlugOf, slugOf } from './page/page-anchors.ts';
import type {
  CompiledPage,
  ContentSection,
  PageContent,
  PageSource,
  SiteContext,
} from './page/page-content.ts';
import { drawIcon } from './page/page-icon.ts';
import type { PageRenderer } from './page/page-renderer.ts';
import { personalPieces, withoutMarks } from './page/personal-page.ts';
import { type FormulaRenderer, loadFormulaRenderer } from './render/formula.ts';
import { markdownForm } from './render/node-prose.ts';
import { HtmlRenderer, headingTexts, type RendererParts } from './render/render-html.ts';
import { renderMarkdown } from './render/render-markdown.ts';

/** The lead of a page, shown before its body: an API operation. */
export interface PageLead {
  html: Html;
  markdown: string;
  sections: ContentSection[];
}

/** Renders the lead with the page's own renderer, so that ids, contents and assets are shared. */
export type RenderLead = (renderer: PageRenderer) => PageLead;

/** Languages of the examples on API pages; loaded first to avoid a second pass. */
const LEAD_LANGUAGES = ['bash', 'json', 'javascript', 'python', 'php', 'go', 'java', 'ruby', 'xml'];

/**
 * Compiles one page: MDX to HTML, Markdown, table of contents and search sections. Always returns a
 * page: errors in the source are shown in place and reported in `diagnostics`, and `failed` is set.
 * `readFrontmatter`, which made `page.frontmatter`, has already reported problems of the
 * frontmatter.
 * @param lead shown before the body
 * @param parts the renderers of components and code blocks
 */
export async function compilePage(
  page: PageSource,
  site: SiteContext,
  lead?: RenderLead,
  parts: RendererParts = { components, renderCodeBlock },
): Promise<CompiledPage> {
  const compilation = new Compilation(parts, page, site);
  const nodes = await compilation.expand();
  try {
    return await compilation.render(nodes, lead);
  } catch (error) {
    // The author cannot cause this, but an internal error must affect only this page.
    return compilation.render(compilation.crash(error), undefined);
  }
}

class Compilation {
  #islands: ResolvedIslands | undefined;
  readonly #parts: RendererParts;
  readonly #page: PageSource;
  readonly #site: SiteContext;
  readonly #diagnostics = new DiagnosticList();
  #renderFormula: FormulaRenderer | undefined;

  constructor(parts: RendererParts, page: PageSource, site: SiteContext) {
    this.#parts = parts;
    this.#page = page;
    this.#site = site;
  }

  /** The sanitized tree of the page's body. */
  async expand(): Promise<ContentNode[]> {
    const isComponent = (name: string): boolean =>
      this.#parts.components.has(name) || name === 'Snippet';
    const { file, text } = this.#page;
    try {
      const source = withoutHeading(
        readSourceFile(file, text, this.#site, isComponent),
        this.#page.headingLine,
      );
      const expander = new Expander(
        this.#site,
        file,
        this.#diagnostics,
        isComponent,
        this.#parts.components,
      );
      const nodes = expander.expandPage(source);
      if (this.#site.islands && expander.islands.length > 0) {
        const { config, icons, islands } = this.#site;
        const hasIcon = (name: string) =>
          drawIcon(name, config.iconLibrary, icons, {}) !== undefined;
        this.#islands = await resolveIslands(
          expander.islands,
          islands,
          expander.islandModules(source),
          hasIcon,
        );
        const isKnown = ({ code, file, message }: Diagnostic) =>
          this.#diagnostics.items.some(
            (item) => item.code === code && item.file === file && item.message === message,
          );
        // The bundler finds imports again that were reported with their lines.
        for (const diagnostic of this.#islands.diagnostics)
          if (!isKnown(diagnostic)) this.#diagnostics.report(diagnostic);
      }
      return nodes;
    } catch (error) {
      return this.crash(error);
    }
  }

  /** Reports an internal error and returns the replacement page. */
  crash(error: unknown): ContentNode[] {
    const message = `The page could not be compiled: ${errorMessage(error)}.`;
    const remedy = 'Simplify the page; if it is valid MDX, report this as a bug.';
    this.#diagnostics.report({
      severity: 'error',
      code: 'page-failed',
      message,
      remedy,
      file: this.#page.file,
    });
    return [faultNode('This page could not be shown', false)];
  }

  async render(nodes: readonly ContentNode[], lead: RenderLead | undefined): Promise<CompiledPage> {
    const needs: PageNeeds = { languages: new Map(), hasFormula: false, headings: new Set() };
    if (lead) for (const name of LEAD_LANGUAGES) needs.languages.set(name, undefined);
    collect(nodes, needs);
    const { languages, hasFormula } = needs;
    if (hasFormula) this.#renderFormula = await loadFormulaRenderer();
    await this.#load(languages);
    let rendered = this.#renderOnce(nodes, lead, needs.headings);
    // Components create code blocks that the tree does not contain, so their languages are only
    // known now.
    const late = [...rendered.renderer.languages].filter(
      ([name]) => isHighlighted(name) && !languages.has(name),
    );
    await this.#load(new Map(late));
    const hasSettled = await this.#settle();
    if (late.length > 0 || hasSettled) rendered = this.#renderOnce(nodes, lead, needs.headings);
    const { renderer, html, made, diagnostics, anchors } = rendered;
    for (const diagnostic of diagnostics.items) this.#diagnostics.report(diagnostic);
    checkCalls(nodes, this.#parts.components, this.#page.file, (diagnostic) =>
      this.#diagnostics.report(diagnostic),
    );
    const { markdown, sections } = renderMarkdown(this.#page, this.#site, nodes, renderer, made);
    const { scripts = [], files = [] } = this.#islands ?? {};
    if (scripts.length > 0) renderer.need(ISLAND_TAG);
    const elements = [...renderer.elements].sort();
    const content: PageContent = {
      html: withoutMarks(html),
      aside: withoutMarks(renderer.aside),
      toc: renderer.toc,
      markdown,
      elements,
      ...(renderer.personal.length > 0 && { personal: personalPieces(html, renderer.personal) }),
    };
    return {
      content: scripts.length > 0 ? { ...content, scripts } : content,
      ...(files.length > 0 ? { files } : {}),
      sections,
      assets: [...renderer.links.assets].sort(),
      anchors: [...anchors],
      anchorLinks: renderer.links.anchorLinks,
      diagnostics: this.#diagnostics.items,
      failed: renderer.failed,
    };
  }

  #renderOnce(
    nodes: readonly ContentNode[],
    lead: RenderLead | undefined,
    headings: ReadonlySet<string>,
  ) {
    const diagnostics = new DiagnosticList();
    const parts = { ...this.#parts, renderFormula: this.#renderFormula };
    const renderer = new HtmlRenderer(this.#page, this.#site, parts, headings, (diagnostic) =>
      diagnostics.report(diagnostic),
    );
    const renderedLead = lead?.(renderer);
    const html = (renderedLead?.html.value ?? '') + renderer.render(nodes).value;
    const anchors = new Set([...idsIn(html), ...idsIn(renderer.aside), ...this.#titleAnchors()]);
    renderer.checkAnchors(anchors);
    return { renderer, html, made: renderedLead, diagnostics, anchors };
  }

  /** A link to the heading that is the title leads to the top of the page. */
  #titleAnchors(): string[] {
    const { headingLine, title } = this.#page;
    return headingLine === undefined ? [] : [slugOf(title), plainSlugOf(title)];
  }

  /** Waits for the asynchronous work of the highlighter. Returns whether there was any. */
  async #settle(): Promise<boolean> {
    const settled = await this.#site.highlighter.settle?.();
    const remedy = 'Simplify the block or the grammar.';
    for (const message of settled?.problems ?? [])
      this.#diagnostics.report({
        severity: 'warning',
        code: 'slow-code',
        message,
        remedy,
        file: this.#page.file,
      });
    return settled !== undefined;
  }

  async #load(languages: ReadonlyMap<string, number | undefined>): Promise<void> {
    const languageNames = [...languages.keys()].filter(isHighlighted);
    if (languageNames.length === 0) return;
    const { file } = this.#page;
    for (const language of await this.#site.highlighter.load(languageNames)) {
      const line = languages.get(language);
      const message = `Syntax highlighting does not support the language "${language}".`;
      const meant = this.#site.highlighter.nearest?.(language);
      const remedy = didYouMean(meant, 'Correct the language of the code block, or use "text".');
      this.#diagnostics.report({
        severity: 'warning',
        code: 'unknown-language',
        message,
        remedy,
        file,
        line,
      });
    }
  }
}

/** Leaves out the heading of level 1 on a line of the file. */
function withoutHeading(source: SourceFile, line: number | undefined): SourceFile {
  if (!source.root || line === undefined) return source;
  const without = (node: SourceNode): SourceNode =>
    node.children
      ? { ...node, children: node.children.filter((child) => !isTitle(child)).map(without) }
      : node;
  const isTitle = ({ tagName, position }: SourceNode) =>
    tagName === 'h1' && position !== undefined && position.start.line + source.lineOffset === line;
  return { ...source, root: without(source.root) };
}

const PLAIN = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'mermaid', 'ansi']);

function isHighlighted(language: string): boolean {
  return !PLAIN.has(language.toLowerCase());
}

/** What must be loaded before a page can be rendered. */
interface PageNeeds {
  /** The languages of all code, with the line of the first block. */
  languages: Map<string, number | undefined>;
  hasFormula: boolean;
  /** The ids of the headings, as far as they are unique. */
  headings: Set<string>;
}

/** Finds what nodes need, JSX in props included. */
function collect(nodes: readonly ContentNode[], needs: PageNeeds): void {
  const { languages } = needs;
  for (const node of nodes) {
    if (node.type === 'code') {
      if (!languages.has(node.language)) languages.set(node.language, node.line);
    } else if (node.type === 'math') needs.hasFormula = true;
    else if (node.type === 'element') {
      if (/^h[1-6]$/.test(node.tag)) {
        const { id } = node.attributes;
        needs.headings.add(id === undefined ? slugOf(headingTexts(node).own) : String(id));
      }
      collect(node.children, needs);
    } else if (node.type === 'component') {
      for (const value of Object.values(node.props))
        if (value instanceof NodesValue) collect(value.nodes, needs);
      collect(markdownForm(node), needs);
    }
  }
}
