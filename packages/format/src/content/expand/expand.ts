import type { DiagnosticList } from '../../diagnostics.ts';
import { didYouMean } from '../../nearest-name.ts';
import { type Interpreter, isBrowserName } from '../expressions/interpreter.ts';
import { parseExpression } from '../expressions/syntax.ts';
import {
  HostComponent,
  holdsCode,
  ObjectValue,
  type Place,
  Scope,
  type Value,
} from '../expressions/value.ts';
import {
  findSnippetNamed,
  islandModules,
  resolveSnippet,
  type SourceFile,
} from '../mdx/source-file.ts';
import { type ContentNode, type ElementNode, NodesValue, nodeText } from '../nodes/content-node.ts';
import { propertyAttributes } from '../nodes/html-nodes.ts';
import type { IslandModules } from '../nodes/island.ts';
import {
  classNames,
  FAULTS,
  nodesIn,
  type SourceAttribute,
  type SourceNode,
} from '../nodes/source-node.ts';
import type { SiteContext } from '../page/page-content.ts';
import { alertOf, faultNode, placeholder, unknownNodes } from './expand-element.ts';
import {
  asExpressionError,
  ExpandState,
  type LiveAttribute,
  type TagCall,
} from './expand-state.ts';
import { TagExpander } from './expand-tag.ts';
import type { IslandRequest } from './island-list.ts';
import { declaredNames, Modules } from './modules.ts';

/** The file that is being converted. */
interface Frame {
  source: SourceFile;
  scope: Scope;
  /** Props of a snippet, which its code fences can also use as `{name}`. */
  props: ReadonlyMap<string, Value> | undefined;
  parent: Frame | undefined;
}

/** Indentation and list markers before the content of a line. */
const LINE_PREFIX = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/;
const MAX_TREE_DEPTH = 120;
const MAX_SNIPPET_DEPTH = 20;

/** Elements in which white space between children is ignored. */
const BLOCK_PARENTS = new Set('ul ol table thead tbody tfoot tr blockquote section dl'.split(' '));

/**
 * Expands the parsed files of one page to its safe tree: evaluates expressions, inlines snippets
 * and the page's own components.
 */
export class Expander {
  readonly #state: ExpandState;
  readonly #tags: TagExpander;
  readonly #interpreter: Interpreter;
  readonly #modules: Modules;
  readonly #file: string;
  #frame: Frame | undefined;
  #depth = 0;

  /** @param componentNames the components whose names a message may suggest */
  constructor(
    site: SiteContext,
    pageFile: string,
    diagnostics: DiagnosticList,
    isComponent: (name: string) => boolean,
    componentNames: ReadonlyMap<string, unknown> = new Map(),
  ) {
    this.#file = pageFile;
    this.#state = new ExpandState(site, pageFile, diagnostics, isComponent, componentNames);
    this.#tags = new TagExpander(this.#state, (call) => this.#snippet(call));
    this.#interpreter = this.#tags.interpreter;
    this.#modules = new Modules(
      this.#state,
      this.#interpreter,
      (name, source) =>
        new HostComponent((props, children, place) =>
          this.#renderSnippet(name, source, props, children, place),
        ),
    );
  }

  expandPage(source: SourceFile): ContentNode[] {
    const scope = new Scope(this.#modules.outer, this.#modules.pageBindings(source));
    return this.#inFrame(
      { source, scope, props: undefined, parent: undefined },
      source.root?.children ?? [],
    );
  }

  /** Calls that wait for a component to run; empty if nothing can run them. */
  get islands(): readonly IslandRequest[] {
    return this.#state.islands?.requests ?? [];
  }

  islandModules(page: SourceFile): IslandModules {
    const { site, isComponent } = this.#state;
    const names = declaredNames(page).filter((name) => !isComponent(name));
    return islandModules(page, names, site, isComponent);
  }

  #inFrame(frame: Frame, nodes: readonly SourceNode[]): ContentNode[] {
    const before = this.#frame;
    this.#frame = frame;
    try {
      return this.#children(nodes, frame, true);
    } finally {
      this.#frame = before;
    }
  }

  #children(nodes: readonly SourceNode[], frame: Frame, isBlock: boolean): ContentNode[] {
    const contentNodes: ContentNode[] = [];
    if (this.#depth >= MAX_TREE_DEPTH) {
      const placed = nodes.find((node) => node.position);
      const place = placed ? this.#placeOf(placed, frame) : this.#state.place;
      const message = 'The content is nested too deeply; the inner parts are shown as text.';
      this.#state.warn('page-too-complex', message, 'Reduce the nesting.', place);
      return [{ type: 'text', value: writtenText(nodes) }];
    }
    this.#depth++;
    try {
      for (const [index, node] of nodes.entries()) {
        const isBreak = isBlock && node.type === 'text' && node.value === '\n';
        if (!isBreak || areTags(nodes[index - 1], nodes[index + 1]))
          contentNodes.push(...this.#expand(node, frame));
      }
    } finally {
      this.#depth--;
    }
    return contentNodes;
  }

  #expand(node: SourceNode, frame: Frame): ContentNode[] {
    switch (node.type) {
      case 'text':
        return [{ type: 'text', value: textOf(node, frame) }];
      case 'element':
        return [this.#markdownElement(node, frame)];
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return this.#jsxElement(node, frame);
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        return this.#expressionNodes(node, frame);
      default:
        return [];
    }
  }

  #placeOf(node: SourceNode, frame: Frame): Place {
    const { line, column } = node.position?.start ?? {};
    return { line: line && line + frame.source.lineOffset, column, file: frame.source.file };
  }

  #markdownElement(node: SourceNode, frame: Frame): ContentNode {
    const tag = node.tagName ?? 'div';
    const children = node.children ?? [];
    const code = tag === 'pre' ? children[0] : undefined;
    if (code?.tagName === 'code') return this.#codeBlock(code, node, frame);
    const { line, column, file } = this.#placeOf(node, frame);
    if (tag === 'code' && classNames(node).includes('math-inline')) {
      return { type: 'math', display: false, value: children[0]?.value ?? '', line };
    }
    const attributes = propertyAttributes(node.properties);
    const element: ElementNode = { type: 'element', tag, attributes, children: [], line, column };
    if (file !== this.#file) element.file = file;
    if (HEADING.test(tag) && children.some(isComponentCall))
      this.#headingChildren(children, frame, element);
    else element.children = this.#children(children, frame, BLOCK_PARENTS.has(tag));
    if (HEADING.test(tag) && element.attributes.id === undefined) takeIdInBrackets(element);
    return (tag === 'blockquote' && alertOf(element)) || element;
  }

  /** A component in a heading, such as a version badge, is not part of the heading's id. */
  #headingChildren(children: readonly SourceNode[], frame: Frame, heading: ElementNode): void {
    const ownNodes: ContentNode[] = [];
    for (const child of children) {
      const childNodes = this.#children([child], frame, false);
      heading.children.push(...childNodes);
      if (!isComponentCall(child)) ownNodes.push(...childNodes);
    }
    heading.ownText = nodeText(ownNodes);
  }

  #codeBlock(code: SourceNode, node: SourceNode, frame: Frame): ContentNode {
    const classes = classNames(code);
    const value = code.children?.[0]?.value ?? '';
    const { line } = this.#placeOf(node, frame);
    if (classes.includes('math-display'))
      return { type: 'math', display: true, value: value.trim(), line };
    const text = value.endsWith('\n') ? value.slice(0, -1) : value;
    const displayText = frame.props ? putProps(text, frame.props) : text;
    return {
      type: 'code',
      language: code.data?.lang ?? '',
      meta: code.data?.meta ?? '',
      value: displayText,
      line,
    };
  }

  #jsxElement(node: SourceNode, frame: Frame): ContentNode[] {
    const isFlow = node.type === 'mdxJsxFlowElement';
    if (node.name === 'docent-fault') return syntaxFault(node, !isFlow);
    const before = this.#state.place;
    this.#state.place = this.#placeOf(node, frame);
    const place = this.#state.place;
    try {
      const functionChild = this.#functionChild(node, frame);
      const children =
        functionChild === undefined ? this.#children(node.children ?? [], frame, isFlow) : [];
      if (!node.name) return children;
      const live = new Map<string, LiveAttribute>();
      const props = this.#attributes(node.attributes ?? [], frame, live);
      if (functionChild !== undefined)
        props.set('children', this.#attributeValue(functionChild, 'children', frame, live));
      return this.#tags.expand({
        name: node.name,
        props,
        children,
        scope: frame.scope,
        place,
        inline: !isFlow,
        live,
      });
    } finally {
      this.#state.place = before;
    }
  }

  /** The source of a function that is all that an element contains: the component calls it. */
  #functionChild(node: SourceNode, frame: Frame): string | undefined {
    const [only, ...others] = (node.children ?? []).filter(
      ({ type, value }) => type !== 'text' || value?.trim() !== '',
    );
    if (others.length > 0 || !only?.type.endsWith('Expression')) return undefined;
    const source = this.#expressionSource(only, frame);
    if (!/=>|function/.test(source)) return undefined;
    try {
      return parseExpression(source)?.type.endsWith('FunctionExpression') ? source : undefined;
    } catch {
      // Reported where the expression is expanded.
      return undefined;
    }
  }

  /** @param live receives the attributes that only a browser can use */
  #attributes(
    attributes: readonly SourceAttribute[],
    frame: Frame,
    live: Map<string, LiveAttribute>,
  ): Map<string, Value> {
    const props = new Map<string, Value>();
    for (const attribute of attributes) {
      if (attribute.type === 'mdxJsxExpressionAttribute') {
        const spread = this.#attributeValue(`{${attribute.value}}`, '…', frame, undefined);
        if (spread instanceof ObjectValue)
          for (const [key, value] of spread.fields) props.set(key, value);
      } else if (attribute.value === null || attribute.value === undefined)
        props.set(attribute.name, true);
      else if (typeof attribute.value === 'string') props.set(attribute.name, attribute.value);
      else
        props.set(
          attribute.name,
          this.#attributeValue(attribute.value.value, attribute.name, frame, live),
        );
    }
    return props;
  }

  #attributeValue(
    source: string,
    name: string,
    frame: Frame,
    live: Map<string, LiveAttribute> | undefined,
  ): Value {
    try {
      const value = this.#evaluate(source, frame.scope);
      if (holdsCode(value, this.#state.budget)) live?.set(name, { source });
      return value;
    } catch (error) {
      const failure = asExpressionError(error);
      if (
        live &&
        this.#state.islands &&
        (failure.kind === 'needs-browser' || failure.kind === 'unknown-name')
      ) {
        live.set(name, { source, failure });
        return undefined;
      }
      this.#state.reportFailure(error, `The attribute ${name} is removed`);
      return undefined;
    }
  }

  #evaluate(source: string, scope: Scope): Value {
    const expression = parseExpression(source);
    return expression ? this.#interpreter.evaluate(expression, scope) : undefined;
  }

  #expressionNodes(node: SourceNode, frame: Frame): ContentNode[] {
    const inline = node.type === 'mdxTextExpression';
    const source = this.#expressionSource(node, frame);
    const before = this.#state.place;
    this.#state.place = this.#placeOf(node, frame);
    const giveUp = this.#state.attempt();
    try {
      const nodes = this.#state.toNodes(this.#evaluate(source, frame.scope));
      this.#state.budget.emit(nodes);
      return nodes;
    } catch (error) {
      const { kind } = asExpressionError(error);
      const { islands, place } = this.#state;
      const needsBrowser = kind === 'needs-browser' && !isBrowserName(source);
      if (islands && needsBrowser) {
        giveUp();
        return [islands.add('', `() => <>{${source}\n}</>`, {}, [], place)];
      }
      const isLeftOut = needsBrowser || kind === 'limit';
      this.#state.reportFailure(
        error,
        isLeftOut ? 'The expression is not shown' : 'The expression is shown as written',
      );
      if (needsBrowser) return [placeholder('', inline)];
      if (kind === 'limit') return [faultNode('An expression could not be shown', inline)];
      return [{ type: 'text', value: `{${source}}` }];
    } finally {
      this.#state.place = before;
    }
  }

  /**
   * The parser trims the lines of an expression, but a multi-line template needs their white space.
   */
  #expressionSource(node: SourceNode, frame: Frame): string {
    const value = node.value ?? '';
    const { position } = node;
    if (!position || !value.includes('`') || !value.includes('\n')) return value;
    const { text } = frame.source;
    const original = text.slice(position.start.offset, position.end.offset);
    if (!original.startsWith('{') || !original.endsWith('}')) return value;
    const line = text.slice(
      text.lastIndexOf('\n', position.start.offset - 1) + 1,
      position.start.offset,
    );
    const indent = LINE_PREFIX.exec(line)?.[0].length ?? 0;
    return indent === 0
      ? original.slice(1, -1)
      : original.slice(1, -1).replace(new RegExp(`\\n {1,${indent}}`, 'g'), '\n');
  }

  /**
   * Expands `<Snippet file="…" />`, or a snippet whose import was forgotten; undefined if no
   * snippet has that name.
   */
  #snippet(call: TagCall): ContentNode[] | undefined {
    const { name, props, children, place } = call;
    const at = [place.file ?? this.#file, this.#state.site] as const;
    const isLegacy = name === 'Snippet';
    const file = isLegacy ? props.get('file') : undefined;
    const fileName = typeof file === 'string' ? file : '';
    const path = isLegacy ? resolveSnippet(fileName, ...at) : findSnippetNamed(name, ...at);
    const source = path === undefined ? undefined : this.#state.readSnippet(path);
    if (source && !isLegacy) {
      const message = `<${name}> is not imported; the snippet "${path}" is shown.`;
      this.#state.warn('missing-import', message, `Add: import ${name} from "/${path}";`, place);
    }
    if (source) return this.#renderSnippet(name, source, new ObjectValue(props), children, place);
    if (!isLegacy) return undefined;
    const near = this.#state.site.nearFile?.(`snippets/${fileName.replace(/(?:\.mdx)?$/, '.mdx')}`);
    const remedy = didYouMean(
      near,
      'Put the file into the folder snippets and refer to it in "file".',
    );
    this.#state.warn('missing-import', `There is no snippet "${fileName}".`, remedy, place);
    return unknownNodes(call);
  }

  #renderSnippet(
    name: string,
    source: SourceFile,
    props: ObjectValue,
    children: ContentNode[],
    place: Place,
  ): ContentNode[] {
    const chain = this.#frames();
    if (chain.some((frame) => frame.source === source) || chain.length > MAX_SNIPPET_DEPTH) {
      const files = [...chain.map((frame) => frame.source.file).reverse(), source.file].join(' → ');
      this.#state.warn(
        'snippet-cycle',
        `A snippet contains itself: ${files}.`,
        'Remove one of these imports.',
        place,
      );
      return [faultNode(`<${name}> contains itself`, false)];
    }
    this.#state.budget.spend(20 + (source.text.length >> 5));
    const snippetProps = new Map(props.fields);
    const content = children.length > 0 ? new NodesValue(children) : snippetProps.get('children');
    if (content !== undefined) snippetProps.set('children', content);
    const around = new Scope(
      this.#modules.outer,
      new Map<string, Value>([...snippetProps, ['props', new ObjectValue(snippetProps)]]),
    );
    const scope = new Scope(around, this.#modules.bindings(source));
    const { ownDepth } = this.#state;
    // A snippet is a page of its own: its calls run independently, even if a component renders the
    // snippet.
    this.#state.ownDepth = 0;
    try {
      const nodes = this.#inFrame(
        { source, scope, props: snippetProps, parent: this.#frame },
        source.root?.children ?? [],
      );
      this.#state.budget.emit(nodes);
      return nodes;
    } finally {
      this.#state.ownDepth = ownDepth;
    }
  }

  /** The files being expanded, innermost first. */
  #frames(): Frame[] {
    const frames: Frame[] = [];
    for (let frame = this.#frame; frame; frame = frame.parent) frames.push(frame);
    return frames;
  }
}

/** The text of nodes that are nested too deeply to be rendered. */
function writtenText(nodes: readonly SourceNode[]): string {
  const texts = nodes.flatMap((root) => nodesIn(root).filter(({ type }) => type === 'text'));
  return texts.map(({ value = '' }) => value).join(' ');
}

/** The message in place of a part that was lost. */
function syntaxFault({ attributes = [] }: SourceNode, inline: boolean): ContentNode[] {
  const id = attributes.find(
    (attribute) => attribute.type === 'mdxJsxAttribute' && attribute.name === 'id',
  )?.value;
  const message = Object.entries(FAULTS).find(([name]) => name === id)?.[1];
  return message === undefined ? [] : [faultNode(message, inline)];
}

const HEADING = /^h[1-6]$/;

/**
 * Returns whether the node calls a component, which its name distinguishes from an HTML element.
 */
function isComponentCall({ type, name }: SourceNode): boolean {
  return type === 'mdxJsxTextElement' && /^[^a-z]|\./.test(name ?? 'fragment');
}

/**
 * Returns whether both nodes are tags or expressions, such as two badges, which a space separates.
 */
function areTags(...nodes: (SourceNode | undefined)[]): boolean {
  return nodes.every((node) => /^mdx(Jsx|Flow)/.test(node?.type ?? ''));
}

/**
 * The text of a node; in Markdown files, which have no expressions, `{name}` stands for a snippet's
 * props.
 */
function textOf(node: SourceNode, { source, props }: Frame): string {
  const value = node.value ?? '';
  return props && source.file.endsWith('.md') ? putProps(value, props) : value;
}

/** Replaces `{name}` in a code fence, which has no expressions, by a snippet's props. */
function putProps(code: string, props: ReadonlyMap<string, Value>): string {
  if (props.size === 0 || !code.includes('{')) return code;
  return code.replace(/\{\s*(?:props\.)?([A-Za-z_$][\w$]*)\s*\}/g, (whole, name: string) => {
    const value = props.get(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

/** `## Title [#start]`, which authors bring from other tools, means `## Title {#start}`. */
function takeIdInBrackets(heading: ElementNode): void {
  const last = heading.children.at(-1);
  const [written, id] =
    (last?.type === 'text' && /(?<!\s)\s*\[#([\w.-]+)\]$/.exec(last.value)) || [];
  if (last?.type !== 'text' || written === undefined || id === undefined) return;
  last.value = last.value.slice(0, -written.length);
  heading.attributes.id = id;
}
