import type { Diagnostic } from '../../diagnostics.ts';
import { errorMessage } from '../../error-message.ts';
import { emptyHtml, escapeHtml, type Html, trustedHtml } from '../../html.ts';
import type { Component } from '../components/define-component.ts';
import type { Place } from '../expressions/value.ts';
import {
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  type MathNode,
  NodesValue,
  nodeText,
  PERSONAL,
  READER_ADDRESS,
} from '../nodes/content-node.ts';
import { htmlNodes } from '../nodes/html-nodes.ts';
import { isVoid, tagPolicy } from '../nodes/html-policy.ts';
import { inlineMarkdownNodes, markdownNodes } from '../nodes/plain-markdown.ts';
import { anchorRemedy, hasAnchor, IdRegister, PlainSlugs, slugOf } from '../page/page-anchors.ts';
import type { PageSource, SiteContext, TocEntry } from '../page/page-content.ts';
import {
  drawIcon,
  iconAttributes,
  isEmoji,
  isIconAddress,
  unknownIcon,
} from '../page/page-icon.ts';
import { PageLinks } from '../page/page-links.ts';
import type {
  CodeBlockInput,
  Highlighter,
  IconOptions,
  PageRenderer,
} from '../page/page-renderer.ts';
import { type PersonalDraft, personalMark } from '../page/personal-page.ts';
import { type ApiWord, anchorLink } from '../page/words.ts';
import { ElementAttributes } from './element-attributes.ts';
import type { FormulaRenderer } from './formula.ts';
import { isBlockNode, squeeze } from './node-prose.ts';

/** The renderers of a page's parts; replaceable in tests. */
export interface RendererParts {
  components: ReadonlyMap<string, Component>;
  renderCodeBlock(block: CodeBlockInput, page: PageRenderer, highlighter: Highlighter): Html;
  /** Absent until a page contains a formula. */
  renderFormula?: FormulaRenderer | undefined;
}

const HEADING = /^h([1-6])$/;
const MAX_DEPTH = 300;

/**
 * Renders the safe tree of one page. All content of the author passes through here: text is
 * escaped; elements and attributes that could run code, load documents or leave the page are
 * removed.
 */
export class HtmlRenderer implements PageRenderer {
  readonly toc: TocEntry[] = [];
  readonly elements = new Set<string>();
  readonly links: PageLinks;
  /** Ids of headings, for the sections of the search index. */
  readonly headingIds = new Map<ElementNode, string>();
  /** Languages of the code blocks, with the first position of each. */
  readonly languages = new Map<string, number | undefined>();
  aside = '';
  /** What depends on the reader, by the number in its mark. */
  readonly personal: PersonalDraft[] = [];
  failed = false;
  readonly #page: PageSource;
  readonly #site: SiteContext;
  readonly #parts: RendererParts;
  readonly #headings: ReadonlySet<string>;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #ids = new IdRegister();
  readonly #slugs = new PlainSlugs();
  readonly #attributes: ElementAttributes;
  #depth = 0;
  #linkDepth = 0;
  #coverDepth = 0;
  /** Where the innermost component that is being rendered is called. */
  #caller: Place = {};

  /**
   * @param headings the ids of the page's headings, which other names of earlier headings leave to
   *   them
   */
  constructor(
    page: PageSource,
    site: SiteContext,
    parts: RendererParts,
    headings: ReadonlySet<string>,
    report: (diagnostic: Diagnostic) => void,
  ) {
    this.#page = page;
    this.#site = site;
    this.#parts = parts;
    this.#headings = headings;
    this.#report = report;
    this.links = new PageLinks(page, site, (...warning) => this.warn(...warning));
    this.#attributes = new ElementAttributes(this.links, this.#ids, (...warning) =>
      this.warn(...warning),
    );
  }

  render(nodes: readonly ContentNode[]): Html {
    return nodes.length === 0 ? emptyHtml : trustedHtml(this.#nodes(nodes));
  }

  inlineMarkdown(text: string): Html {
    return this.render(inlineMarkdownNodes(text));
  }

  markdown(text: string): Html {
    return this.render(markdownNodes(text));
  }

  uniqueId(text: string): string {
    return this.#ids.claim(slugOf(text));
  }

  addTocEntry(depth: number, id: string, text: string, word?: ApiWord): void {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (plain !== '') this.toc.push({ depth, id, text: plain, word });
  }

  icon(icon: unknown, options: IconOptions = {}): Html {
    if (icon instanceof NodesValue) return this.render(icon.nodes);
    if (typeof icon !== 'string' || icon.trim() === '') return emptyHtml;
    const text = icon.trim();
    if (text.startsWith('<svg')) return this.render(htmlNodes(text));
    if (isIconAddress(text))
      return trustedHtml(
        `<img src="${this.src(text, this.#caller)}" alt=""${iconAttributes(options)}>`,
      );
    if (isEmoji(text))
      return trustedHtml(`<span class="d-icon" aria-hidden="true">${escapeHtml(text)}</span>`);
    const drawn = drawIcon(text, this.#site.config.iconLibrary, this.#site.icons, options);
    if (drawn !== undefined) return trustedHtml(drawn);
    const { file = this.#page.file, line, column } = this.#caller;
    this.#report({
      ...unknownIcon(text, this.#site.config.iconLibrary, file, this.#site.icons),
      line,
      column,
    });
    return emptyHtml;
  }

  codeBlock(block: CodeBlockInput): Html {
    if (!this.languages.has(block.language)) this.languages.set(block.language, block.line);
    return this.#parts.renderCodeBlock(block, this, this.#site.highlighter);
  }

  href(target: string, node?: Place): string {
    return target === READER_ADDRESS ? target : (this.links.href(target, node) ?? '#');
  }

  src(target: string, node?: Place): string {
    return this.links.src(target, node) ?? '';
  }

  need(element: string): void {
    this.elements.add(element);
  }

  addAside(markup: Html): void {
    this.aside += markup.value;
  }

  warn(code: string, message: string, remedy: string, node?: Place): void {
    this.#diagnose('warning', code, message, remedy, node);
  }

  /** Reports links to anchors that the page does not have. Called after everything is rendered. */
  checkAnchors(ids: ReadonlySet<string>): void {
    for (const { id, place } of this.links.anchors) {
      if (hasAnchor(ids, id)) continue;
      this.warn(
        'broken-link',
        `The page has no heading or id "#${id}".`,
        anchorRemedy(ids, id),
        place,
      );
    }
  }

  #diagnose(
    severity: Diagnostic['severity'],
    code: string,
    message: string,
    remedy: string,
    place?: Place,
  ): void {
    const file = place?.file ?? this.#page.file;
    this.#report({
      severity,
      code,
      message,
      remedy,
      file,
      line: place?.line,
      column: place?.column,
    });
  }

  #nodes(nodes: readonly ContentNode[]): string {
    if (this.#depth > MAX_DEPTH) return this.#fault('Content is nested too deeply', false);
    this.#depth++;
    let out = '';
    for (const node of nodes) out += this.#node(node);
    this.#depth--;
    return out;
  }

  #node(node: ContentNode): string {
    switch (node.type) {
      case 'text':
        return escapeHtml(node.value);
      case 'element':
        return this.#element(node);
      case 'code':
        return this.codeBlock({
          language: node.language,
          meta: node.meta,
          code: node.value,
          line: node.line,
        }).value;
      case 'math':
        return this.#formula(node);
      case 'component':
        return this.#component(node);
      case 'fault':
        return this.#fault(node.message, node.inline);
    }
  }

  #formula({ value, display, line }: MathNode): string {
    this.need('katex');
    const formula = this.#parts.renderFormula?.(value, display);
    if (formula?.problem !== undefined) {
      const remedy = 'Correct the LaTeX, or escape a literal dollar sign as \\$.';
      this.warn('bad-formula', `A formula cannot be rendered: ${formula.problem}`, remedy, {
        line,
      });
    }
    return formula?.html ?? `<code>${escapeHtml(value)}</code>`;
  }

  #fault(message: string, inline: boolean): string {
    this.failed = true;
    const tag = inline ? 'span' : 'div';
    return `<${tag} class="d-fault" role="note">${escapeHtml(message)}</${tag}>`;
  }

  /** The table of contents and the right rail have only what everybody sees. */
  #personal(
    { props: { code, link, ...parts }, children }: ComponentNode,
    attribute?: { name: string; forNobody: string },
  ): string {
    const forNobody = attribute ? attribute.forNobody : this.#nodes(children);
    const [{ length }, { aside }] = [this.toc, this];
    const renderPart = (part: unknown) => {
      const { nodes } = part as NodesValue;
      return nodes === children ? forNobody : this.#nodes(nodes);
    };
    const isLink = link instanceof NodesValue;
    const rendered = (isLink ? [link] : Object.values(parts)).map(renderPart);
    if (isLink) rendered.push(forNobody);
    const draft = { code: String(code), parts: rendered, ...(isLink && { isLink }) };
    this.toc.length = length;
    this.aside = aside;
    const slot = attribute ? { ...draft, attribute: attribute.name } : draft;
    return personalMark(this.personal.push(slot) - 1, forNobody);
  }

  #component(node: ComponentNode): string {
    if (node.name === PERSONAL) return this.#personal(node);
    const component = this.#parts.components.get(node.name);
    const link = typeof node.props.href === 'string' ? component?.link : undefined;
    const [depth, caller] = [this.#depth, this.#caller];
    this.#caller = node;
    if (link === 'whole') this.#linkDepth++;
    if (link === 'cover') this.#coverDepth++;
    try {
      return component ? component.html(node, this).value : this.#nodes(node.children);
    } catch (error) {
      this.#depth = depth;
      const message = `<${node.name}> could not be rendered: ${errorMessage(error)}.`;
      this.#diagnose(
        'error',
        'component-failed',
        message,
        'Check its props; if they are correct, report this as a bug.',
        node,
      );
      return this.#fault(`<${node.name}> could not be shown`, component?.inline === true);
    } finally {
      this.#caller = caller;
      if (link === 'whole') this.#linkDepth--;
      if (link === 'cover') this.#coverDepth--;
    }
  }

  #element(node: ElementNode): string {
    const { tag } = node;
    const policy = tagPolicy(tag, node.attributes);
    if (policy === 'unwrap') return this.#nodes(node.children);
    if (policy === 'drop') {
      const remedy = 'Use a built-in component, or a JavaScript file of the site.';
      this.warn('unsafe-html', `<${tag}> is removed from published pages.`, remedy, node);
      return '';
    }
    if (tag === 'style') return this.#attributes.styleSheet(node);
    if (tag === 'iframe') return this.#attributes.iframe(node);
    const heading = HEADING.exec(tag);
    if (heading) return this.#heading(node, Number(heading[1]));
    if (tag === 'p' && node.children.some(isBlockNode)) return this.#blockParagraph(node);
    const open = `<${tag}${node.personal ? this.#personalAttributes(node) : this.#attributes.write(node)}>`;
    if (isVoid(tag)) return open;
    if (tag === 'table' && node.attributes['data-plain'] === undefined)
      return `<div class="d-wide">${open}${this.#nodes(node.children)}</table></div>`;
    if (tag === 'a') return this.#link(node, open);
    const children = tag === 'li' ? withNamedCheckbox(node.children) : node.children;
    return `${open}${this.#nodes(children)}</${tag}>`;
  }

  #personalAttributes({ personal = {}, ...node }: ElementNode): string {
    const rest = Object.entries(node.attributes).filter(([name]) => !Object.hasOwn(personal, name));
    let out = this.#attributes.write({ ...node, attributes: Object.fromEntries(rest) });
    for (const [name, value] of Object.entries(personal)) {
      const { [name]: written } = node.attributes;
      const attributes = written === undefined ? {} : { [name]: written };
      out += this.#personal(value, {
        name,
        forNobody: this.#attributes.write({ ...node, attributes }),
      });
    }
    return out;
  }

  /** Browsers end a link at a nested one, so of nested links only the outer one stays. */
  #link(node: ElementNode, open: string): string {
    if (this.#linkDepth > 0) return `<span>${this.#nodes(node.children)}</span>`;
    this.#linkDepth++;
    const content = this.#nodes(node.children);
    this.#linkDepth--;
    return `${open}${content}</a>`;
  }

  /** A paragraph cannot contain a block: browsers would end it there, so it becomes a `<div>`. */
  #blockParagraph(node: ElementNode): string {
    const classes = ['d-paragraph', node.attributes.class]
      .filter((name) => typeof name === 'string')
      .join(' ');
    const attributes = { ...node.attributes, class: classes };
    return `<div${this.#attributes.write({ ...node, attributes })}>${this.#nodes(node.children)}</div>`;
  }

  #heading(node: ElementNode, level: number): string {
    const { text, own: ownText } = headingTexts(node);
    const { id: explicitId, ...attributes } = node.attributes;
    const content = this.#nodes(node.children);
    const rest = this.#attributes.write({ ...node, attributes });
    const isPart =
      this.#linkDepth + this.#coverDepth > 0 ||
      attributes['data-plain'] !== undefined ||
      text === '';
    if (isPart && explicitId === undefined) return `<h${level}${rest}>${content}</h${level}>`;
    const id = explicitId === undefined ? this.uniqueId(ownText) : String(explicitId);
    this.#ids.add(id);
    if (!this.headingIds.has(node)) this.headingIds.set(node, id);
    // The heading of the footnotes is only for screen readers.
    const isHidden = isPart || /(?:^|\s)sr-only(?:\s|$)/.test(String(attributes.class ?? ''));
    if (level >= 2 && level <= 4 && !isHidden) this.addTocEntry(level, id, text);
    const hasAnchor = !isHidden && !attributes.noanchor && !attributes.noAnchor;
    const anchor = hasAnchor ? anchorLink(id).value : '';
    const others = ownText === text ? [] : [slugOf(text), ...this.#slugs.aliases(text)];
    const aliases = this.#aliases(id, [...this.#slugs.aliases(ownText), ...others]);
    return `<h${level} id="${escapeHtml(id)}"${rest}>${content}${aliases}${anchor}</h${level}>`;
  }

  /**
   * External links often use the slugs of code hosting sites, so a heading supports those too. They
   * stand inside the heading, so that it remains the first child or next sibling of what styles
   * expect.
   */
  #aliases(id: string, aliases: readonly string[]): string {
    let out = '';
    for (const alias of aliases) {
      if (alias === id || this.#ids.has(alias) || this.#headings.has(alias)) continue;
      this.#ids.add(alias);
      out += `<span id="${escapeHtml(alias)}"></span>`;
    }
    return out;
  }
}

/**
 * Returns the text of a heading, and the part that gives it its id: without that of components
 * inside it.
 */
export function headingTexts(node: ElementNode): { text: string; own: string } {
  const text = squeeze(nodeText(node.children));
  return { text, own: squeeze(node.ownText ?? '') || text };
}

const MAX_NAME_LENGTH = 120;

/**
 * Returns the children of a list item; the checkbox of a task, unlabeled in Markdown, is labeled
 * with the item's text.
 */
export function withNamedCheckbox(children: readonly ContentNode[]): readonly ContentNode[] {
  const [first, ...rest] = children;
  if (first?.type === 'text' && first.value.trim() === '' && rest.length > 0) {
    const named = withNamedCheckbox(rest);
    return named === rest ? children : [first, ...named];
  }
  if (first?.type !== 'element') return children;
  // In a loose list, the checkbox is in the first paragraph.
  if (first.tag === 'p') {
    const named = withNamedCheckbox(first.children);
    return named === first.children ? children : [{ ...first, children: [...named] }, ...rest];
  }
  const { attributes } = first;
  if (
    first.tag !== 'input' ||
    attributes.type !== 'checkbox' ||
    attributes['aria-label'] !== undefined
  )
    return children;
  const name = nodeText(rest).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
  return [
    { ...first, attributes: { ...attributes, 'aria-label': name === '' ? 'Task' : name } },
    ...rest,
  ];
}
