import { dirname, posix } from 'node:path';
import { markdownToMdast, mdxToMdast } from 'satteri';

/** Kinds of source content that a reader must find on the page. */
export const itemKinds = [
  'heading',
  'code',
  'link',
  'image',
  'list item',
  'table cell',
  'title',
  'text',
  'operation',
] as const;

type ItemKind = (typeof itemKinds)[number];

/** One item in the source of a page. */
export interface SourceItem {
  kind: ItemKind;
  /** Its text, cut at expressions and components, whose text is unknown. */
  pieces: string[];
  /** URL of a link or an image. */
  target?: string;
  file: string;
  line: number;
}

/** Returns letters and digits only, which are independent of the markup. */
export function bareText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .toLowerCase();
}

const FENCE = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})(.*)$/;

/**
 * Finds headings and code fences line by line, without parsing MDX: it finds what a tree may have
 * lost.
 * @param isHidden returns whether a line is in a place that shows nothing (comments, code of
 *   components)
 */
function scanLines(
  text: string,
  file: string,
  offset: number,
  isHidden: (line: number) => boolean,
): SourceItem[] {
  const items: SourceItem[] = [];
  const lines = text.split('\n');
  let fence = '';
  let start = 0;
  let code: string[] = [];
  lines.forEach((line, index) => {
    const number = index + 1;
    const [, , mark, rest = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (mark?.startsWith(fence) && rest.trim() === '') {
        if (!isHidden(start))
          items.push({ kind: 'code', pieces: [code.join('\n')], file, line: start + offset });
        fence = '';
      } else code.push(line);
      return;
    }
    if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      [fence, start, code] = [mark, number, []];
      return;
    }
    const heading = /^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/.exec(line)?.[1];
    if (heading && !isHidden(number))
      items.push({ kind: 'heading', pieces: headingPieces(heading), file, line: number + offset });
  });
  return items;
}

/** Returns the plain words of a heading: no tags, no expressions, no URLs. */
function headingPieces(source: string): string[] {
  return source
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '\u0000')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|\{[^}]*\}|&\w+;|\$[^$]*\$/g, '\u0000')
    .split('\u0000')
    .filter((piece) => piece.trim() !== '');
}

interface Node {
  type: string;
  name?: string | null;
  value?: string;
  url?: string;
  identifier?: string;
  alt?: string | null;
  attributes?: { type: string; name?: string; value?: string | null | { value: string } }[];
  children?: Node[];
  position?: { start: { line: number }; end: { line: number } };
}

/** What reading a source file needs from its tree. */
interface SourceFiles {
  readText(path: string): string | undefined;
  variables: Readonly<Record<string, string>>;
  latex: boolean;
}

const TITLES = new Set(
  'title label name caption description tip headline query path body header cta hint'.split(' '),
);
const BLOCKS = new Set(['paragraph', 'heading', 'tableCell', 'listItem']);
/** Tags whose children are separate blocks of text for a reader. */
const HTML_KINDS = new Map<string, SourceItem['kind']>([
  ['li', 'list item'],
  ['td', 'table cell'],
  ['th', 'table cell'],
]);
const SILENT = new Set('script style noscript object embed'.split(' '));
const MAX_DEPTH = 12;

/** Returns all content of a page's source, including its MDX snippets. */
export function readSourceItems(file: string, files: SourceFiles): SourceItem[] {
  return new SourceReader(files).read(file, []);
}

class SourceReader {
  readonly #files: SourceFiles;
  #items: SourceItem[] = [];
  #definitions = new Map<string, string>();
  #imports = new Map<string, string>();
  #file = '';
  #offset = 0;
  #chain: string[] = [];

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  read(file: string, chain: string[]): SourceItem[] {
    const whole =
      this.#files
        .readText(file)
        ?.replace(/^\ufeff/, '')
        .replace(/\r\n?/g, '\n') ?? '';
    const front = /^---\n[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(whole)?.[0] ?? '';
    const text = whole
      .slice(front.length)
      .replace(/(=?)\{\{[ \t]*([\w.-]+)[ \t]*\}\}/g, (match, equals: string, name: string) =>
        equals === '' && Object.hasOwn(this.#files.variables, name)
          ? String(this.#files.variables[name])
          : match,
      );
    this.#file = file;
    this.#chain = [...chain, file];
    this.#offset = front.split('\n').length - 1;
    const root = this.#parse(text, file);
    const hidden: [number, number][] = [];
    if (root) {
      this.#prepare(root, hidden);
      this.#walk(root);
    }
    const known = new Set(this.#items.map((item) => `${item.kind} ${item.line}`));
    const isHidden = (line: number) => hidden.some(([from, to]) => line >= from && line <= to);
    const scanned = scanLines(text, file, this.#offset, isHidden);
    return [...this.#items, ...scanned.filter((item) => !known.has(`${item.kind} ${item.line}`))];
  }

  #parse(text: string, file: string): Node | undefined {
    const features = {
      headingAttributes: true,
      frontmatter: false,
      gfm: true,
      math: this.#files.latex && text.includes('$'),
    };
    try {
      const isMarkdown = file.endsWith('.md') && !/^(?:import|export)\s|<[A-Z]/m.test(text);
      return (
        isMarkdown ? markdownToMdast(text, { features }) : mdxToMdast(text, { features })
      ) as Node;
    } catch {
      // Not MDX: the line scanner still finds headings and code.
      return undefined;
    }
  }

  #prepare(node: Node, hidden: [number, number][]): void {
    if (node.type === 'definition') this.#definitions.set(node.identifier ?? '', node.url ?? '');
    if (node.type === 'mdxjsEsm') {
      for (const [, name = '', path = ''] of (node.value ?? '').matchAll(
        /^import\s+(\w+)\s+from\s+['"]([^'"]+)['"]/gm,
      )) {
        this.#imports.set(name, path);
      }
    }
    const isAgents = node.name === 'Visibility' && attribute(node, 'for') === 'agents';
    if (
      isAgents ||
      SILENT.has(node.name ?? '') ||
      /^mdxjsEsm$|^mdx\w+Expression$|^html$/.test(node.type)
    ) {
      if (node.position) hidden.push([node.position.start.line, node.position.end.line]);
    }
    for (const child of node.children ?? []) this.#prepare(child, hidden);
  }

  #add(kind: SourceItem['kind'], node: Node, pieces: string[], target?: string): void {
    const kept = pieces.filter((piece) => piece.trim() !== '');
    if (kept.length === 0 && target === undefined) return;
    const line = (node.position?.start.line ?? 1) + this.#offset;
    this.#items.push({
      kind,
      pieces: kept,
      file: this.#file,
      line,
      ...(target === undefined ? {} : { target }),
    });
  }

  #walk(node: Node): void {
    switch (node.type) {
      case 'heading':
        this.#add('heading', node, piecesOf(node));
        break;
      case 'code':
        this.#add(
          'code',
          node,
          this.#chain.length > 1
            ? (node.value ?? '').split(/\{\s*(?:props\.)?\w+\s*\}/)
            : [node.value ?? ''],
        );
        break;
      case 'link':
        this.#add('link', node, piecesOf(node), node.url ?? '');
        break;
      case 'linkReference':
        this.#add('link', node, piecesOf(node), this.#definitions.get(node.identifier ?? '') ?? '');
        break;
      case 'image':
        this.#add('image', node, [node.alt ?? ''], node.url ?? '');
        break;
      case 'paragraph':
        this.#add('text', node, piecesOf(node));
        break;
      case 'listItem':
        this.#add('list item', node, piecesOf(node));
        break;
      case 'tableCell':
        this.#add('table cell', node, piecesOf(node));
        break;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        if (!this.#jsx(node)) return;
    }
    for (const child of node.children ?? []) this.#walk(child);
  }

  /** Whether to read the children too. */
  #jsx(node: Node): boolean {
    const name = node.name ?? '';
    if (SILENT.has(name)) return false;
    if (name === 'Visibility' && attribute(node, 'for') === 'agents') return false;
    if (name === 'Snippet') return this.#snippet(attribute(node, 'file') ?? '', true);
    const imported = this.#imports.get(name);
    if (imported !== undefined && /^[./]/.test(imported)) return this.#snippet(imported, false);
    const kind = HTML_KINDS.get(name) ?? (/^h[1-6]$|^Heading$/.test(name) ? 'heading' : undefined);
    if (kind) this.#add(kind, node, piecesOf(node));
    const href = attribute(node, 'href');
    if (href !== undefined && name === 'a') this.#add('link', node, piecesOf(node), href);
    else if (href !== undefined && /^[A-Z]/.test(name))
      this.#add('link', node, [attribute(node, 'title') ?? attribute(node, 'cta') ?? ''], href);
    const src = attribute(node, 'src') ?? attribute(node, 'img');
    if (src !== undefined && name !== 'Icon')
      this.#add('image', node, [attribute(node, 'alt') ?? ''], src);
    if (/^[A-Z]/.test(name) && name !== 'Icon') this.#titles(node);
    return true;
  }

  #titles(node: Node): void {
    for (const one of node.attributes ?? []) {
      if (one.name === 'label' && attribute(node, 'title') !== undefined) continue;
      if (typeof one.value === 'string' && TITLES.has(one.name ?? '')) {
        // Markdown in a title is rendered, so its URLs do not show.
        this.#add('title', node, [
          one.value.replace(/\]\([^)]*\)/g, '').replace(/<[^>]*>|&\w+;/g, ' '),
        ]);
      }
    }
  }

  #snippet(path: string, isLegacy: boolean): boolean {
    const base = path.startsWith('.')
      ? posix.join(dirname(this.#file), path)
      : path.replace(/^\//, '');
    const places = isLegacy ? [`_snippets/${base}`, `snippets/${base}`, base] : [base];
    const file = places
      .flatMap((place) => [place, `${place}.mdx`, `${place}.md`])
      .find((one) => this.#files.readText(one) !== undefined);
    if (file === undefined || !/\.mdx?$/.test(file)) return true;
    if (!this.#chain.includes(file) && this.#chain.length < MAX_DEPTH) {
      this.#items.push(...new SourceReader(this.#files).read(file, this.#chain));
    }
    return false;
  }
}

function attribute(node: Node, name: string): string | undefined {
  const value = node.attributes?.find((one) => one.name === name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Readers see a callout instead. */
const ALERT_MARKER = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/** Returns the direct texts of a block, cut at content whose text is unknown or not inline. */
function piecesOf(node: Node): string[] {
  const pieces = [''];
  const visit = (one: Node): void => {
    const text = one.type === 'text' ? one.value?.replace(ALERT_MARKER, '') : one.value;
    if (one.type === 'text' || one.type === 'inlineCode')
      pieces.push((pieces.pop() ?? '') + (text ?? ''));
    else if (
      /^mdx|^image|^footnote|^html$|^inlineMath$|^break$/.test(one.type) ||
      BLOCKS.has(one.type)
    )
      pieces.push('');
    else for (const child of one.children ?? []) visit(child);
  };
  const holders =
    node.type === 'listItem'
      ? node.children?.[0]?.type === 'paragraph'
        ? (node.children[0].children ?? [])
        : []
      : (node.children ?? []);
  for (const child of holders) visit(child);
  return pieces.filter((piece) => piece !== '');
}
