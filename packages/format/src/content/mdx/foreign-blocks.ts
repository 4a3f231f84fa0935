import type { SourceProblem } from '../nodes/source-node.ts';

/** Our component for what other platforms call a container, an admonition or a hint. */
const COMPONENTS = new Map(
  Object.entries({
    Note: 'note notice abstract summary tldr quote cite example seealso default',
    Info: 'info important todo question help faq',
    Tip: 'tip hint',
    Check: 'success check done',
    Warning: 'warning caution attention',
    Danger: 'danger error failure fail missing bug',
    Accordion: 'details collapse spoiler',
    CodeGroup: 'code-group codegroup',
    Tabs: 'tabs',
    Tab: 'tab',
    Steps: 'stepper',
    Step: 'step',
  }).flatMap(([component, names]) => names.split(' ').map((name) => [name, component])),
);

/** Returns the component of a block's name; undefined if there is none. */
export function componentOfBlock(name: string): string | undefined {
  return COMPONENTS.get(name.toLowerCase());
}

/** Most texts have none of these signs. */
const SIGNS = /^[ \t]*(?::::|!!!|\?\?\?|===[!+]? ["']|\{% )/m;

const COLONS = /^([ \t]*)(:{3,})[ \t]*([A-Za-z][\w-]*)?(.*)$/s;
const MARKER =
  /^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*)(?:[ \t]+[\w-]+)*(?:[ \t]+(["'])(.*)\4)?[ \t]*$/;
const TAB = /^([ \t]*)===[!+]?[ \t]+(["'])(.*)\2[ \t]*$/;
/** A tab of VitePress, inside `::: tabs`. */
const INNER_TAB = /^[ \t]*==[ \t]+(\S.*)$/;
const TEMPLATE = /^([ \t]*)\{%[ \t]*(end)?([a-z-]+)(.*)$/s;
const FENCE = /^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})(.*)$/s;
/** The indentation that MkDocs requires of the content of a block. */
const INDENT = 4;
/** Longer lines are no marks, and deeper blocks are text: both bound the work on hostile text. */
const MAX_MARK = 500;
const MAX_DEPTH = 20;

type Sign = 'colons' | 'indent' | 'template' | 'tabs';

interface Block {
  sign: Sign;
  /** As the author wrote it. */
  name: string;
  component: string;
  /** Number of colons. */
  length: number;
  /** Columns before the mark, in the source. */
  indent: number;
  line: number;
}

/** A text whose blocks are components, line for line where possible. */
export interface ConvertedBlocks {
  text: string;
  problems: SourceProblem[];
}

/**
 * Writes the blocks of other platforms as components: containers of Docusaurus and VitePress
 * (`:::tip`), admonitions and tabs of MkDocs (`!!! note`, `=== "Tab"`) and blocks of GitBook
 * (`{% hint %}`). Code stays as it is. Linear in the length of the text.
 * @returns undefined if the text has no such block
 */
export function convertBlocks(source: string): ConvertedBlocks | undefined {
  if (!SIGNS.test(source)) return undefined;
  const converter = new BlockConverter(source.split('\n'));
  return converter.count === 0 ? undefined : converter.result();
}

class BlockConverter {
  /** Number of blocks. */
  count = 0;
  readonly #problems: SourceProblem[] = [];
  readonly #lines: readonly string[];
  readonly #out: string[] = [];
  readonly #open: Block[] = [];
  /** Each container is closed by a line of its own. */
  readonly #isNested: boolean;
  /** The marker of the code block around the line. */
  #fence = '';
  /** The title that `{% code %}` gives the code after it. */
  #codeTitle: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    const count = (mark: RegExp) => lines.filter((line) => mark.test(line)).length;
    this.#isNested = count(/^[ \t]*:{3,}[ \t]*[A-Za-z]/) <= count(/^[ \t]*:{3,}[ \t]*$/);
    for (const [index, line] of lines.entries()) this.#read(line, index);
    while (this.#open.length > 0) this.#close(true);
  }

  result(): ConvertedBlocks {
    return { text: this.#out.join('\n'), problems: this.#problems };
  }

  #read(source: string, index: number) {
    const isBlank = source.trim() === '';
    if (!isBlank) this.#endIndented(source);
    const line = isBlank ? '' : this.#dedent(source);
    if (this.#fence === '' && !isBlank && this.#mark(source, line, index)) return;
    this.#out.push(this.#code(line));
  }

  /** Ends the blocks of MkDocs that the line is not indented enough for. */
  #endIndented(line: string) {
    const indent = indentOf(line);
    for (let top = this.#open.at(-1); top; top = this.#open.at(-1)) {
      const ends =
        top.sign === 'indent'
          ? indent < top.indent + INDENT
          : top.sign === 'tabs' && (indent < top.indent || !TAB.test(line));
      if (!ends || (top.sign === 'tabs' && indent >= top.indent + INDENT)) return;
      this.#fence = '';
      this.#close();
    }
  }

  /** The indentation of a tag in the result, as that of the text around it. */
  #indentBefore(sign: Sign, indent: number): string {
    const depth = this.#open.filter((block) => block.sign === 'indent').length;
    const isInSource = sign === 'indent' || sign === 'tabs';
    return ' '.repeat(isInSource ? Math.max(0, indent - INDENT * depth) : indent);
  }

  /** A line without the indentation of the blocks around it. */
  #dedent(line: string): string {
    const count = this.#open.filter(({ sign }) => sign === 'indent').length;
    if (count === 0) return line;
    const spaces = line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    '));
    return spaces.slice(Math.min(INDENT * count, indentOf(spaces)));
  }

  /** Follows the fences of code, and gives a block its title. */
  #code(line: string): string {
    const match = FENCE.exec(line);
    if (!match) return line;
    const [, fence = '', info = ''] = match;
    if (this.#fence !== '') {
      if (fence.startsWith(this.#fence) && info.trim() === '') this.#fence = '';
      return line;
    }
    this.#fence = fence;
    const title = this.#codeTitle;
    this.#codeTitle = undefined;
    if (title !== undefined) return `${line} title=${quoted(title)}`;
    // ```ts [title] in a group
    const opening = line.trimEnd();
    const name = opening.lastIndexOf('[');
    if (this.#open.at(-1)?.component !== 'CodeGroup' || name < 0 || !opening.endsWith(']'))
      return line;
    return `${opening.slice(0, name).trimEnd()} title=${quoted(opening.slice(name + 1, -1))}`;
  }

  /** Converts the mark of a block. Returns whether the line is one. */
  #mark(source: string, line: string, index: number): boolean {
    if (line.length > MAX_MARK) return false;
    switch (line.trimStart()[0]) {
      case ':':
        return this.#colons(line, index);
      case '!':
      case '?':
        return this.#admonition(source, index);
      case '=':
        return this.#tab(source, line, index);
      case '{':
        return this.#template(line, index);
      default:
        return false;
    }
  }

  #colons(line: string, index: number): boolean {
    const [, indent = '', { length } = '', name, rest = ''] = COLONS.exec(line) ?? [];
    if (length === 0) return false;
    if (name === undefined) return rest.trim() === '' && this.#endColons(length);
    const component = componentOfBlock(name);
    if (component === undefined || this.#isDeep()) return false;
    const text = rest
      .trim()
      .replace(/\{[^{}]*\}$/, '')
      .trim();
    const title = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
    const hasTitle = component !== 'CodeGroup' && component !== 'Tabs';
    const isOpen = rest.trimEnd().endsWith('{open}');
    this.#start(
      { sign: 'colons', name: `:::${name}`, component, length, indent: indent.length, line: index },
      component === 'Accordion' ? title || 'Details' : hasTitle ? title : '',
      isOpen,
    );
    return true;
  }

  /**
   * Ends the container of as many colons, else the innermost with fewer. Of several with as many,
   * Docusaurus ends the innermost, VitePress all: what the author wrote for has as many ends as
   * beginnings only in Docusaurus.
   */
  #endColons(length: number): boolean {
    const ends = (block: Block) => block.sign === 'colons' && block.length === length;
    let at = this.#isNested ? this.#open.findLastIndex(ends) : this.#open.findIndex(ends);
    if (at < 0) at = this.#open.findLastIndex((block) => block.length > 0 && block.length < length);
    if (at < 0) return false;
    const blocks = this.#open.splice(at);
    const tags = blocks.reverse().map(({ component }) => `</${component}>`);
    this.#out.push(' '.repeat(blocks.at(-1)?.indent ?? 0) + tags.join(''));
    return true;
  }

  #admonition(source: string, index: number): boolean {
    const [, indent = '', mark = '', name = '', , title] = MARKER.exec(source) ?? [];
    const component = componentOfBlock(name) ?? 'Note';
    if (
      name === '' ||
      this.#isDeep() ||
      (title === undefined && !this.#hasContent(index, columnsOf(indent)))
    )
      return false;
    const isFolded = mark !== '!!!';
    const kindTitle = name.charAt(0).toUpperCase() + name.slice(1);
    this.#start(
      {
        sign: 'indent',
        name: mark,
        component: isFolded ? 'Accordion' : component,
        length: 0,
        indent: columnsOf(indent),
        line: index,
      },
      title ?? (isFolded ? kindTitle : ''),
      mark === '???+',
    );
    return true;
  }

  #tab(source: string, line: string, index: number): boolean {
    const top = this.#open.at(-1);
    const isInTabs =
      top?.sign === 'colons' && (top.component === 'Tabs' || top.component === 'Tab');
    const inner = isInTabs ? INNER_TAB.exec(line)?.[1] : undefined;
    if (inner !== undefined) {
      const isNext = top?.component === 'Tab';
      if (isNext) this.#open.pop();
      const tab = {
        sign: 'colons',
        name: '==',
        component: 'Tab',
        length: 0,
        indent: 0,
        line: index,
      } as const;
      this.#start(tab, inner.trim(), false, isNext ? '</Tab>' : '');
      return true;
    }
    const [, space = '', , title] = TAB.exec(source) ?? [];
    const indent = columnsOf(space);
    if (title === undefined || this.#isDeep() || !this.#hasContent(index, indent)) return false;
    const isFirst = top?.sign !== 'tabs' || top.indent !== indent;
    const place = { length: 0, indent, line: index, name: '===' };
    if (isFirst) this.#open.push({ ...place, sign: 'tabs', component: 'Tabs' });
    this.#start(
      { ...place, sign: 'indent', component: 'Tab' },
      title,
      false,
      isFirst ? '<Tabs>' : '',
    );
    return true;
  }

  #template(line: string, index: number): boolean {
    const [, indent = '', end, name, rest = ''] = TEMPLATE.exec(line) ?? [];
    if (name === undefined || !rest.trimEnd().endsWith('%}')) return false;
    const value = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(rest)?.[1];
    if (name === 'code' || name === 'content-ref') {
      this.#codeTitle = name === 'code' && end === undefined ? value('title') : undefined;
      this.count++;
      this.#out.push('');
      return true;
    }
    const component = componentOfBlock(name === 'hint' ? (value('style') ?? 'info') : name);
    if (component === undefined || !/^(?:hint|tabs?|stepper|step)$/.test(name)) return false;
    if (end !== undefined) {
      const at = this.#open.findLastIndex((block) => block.name === name);
      if (at < 0) return false;
      while (this.#open.length > at + 1) this.#close();
      this.#out.push(`${indent}</${this.#open.pop()?.component}>`);
      return true;
    }
    if (this.#isDeep()) return false;
    this.#start(
      { sign: 'template', name, component, length: 0, indent: indent.length, line: index },
      value('title') ?? '',
      false,
    );
    return true;
  }

  #start(block: Block, title: string, isOpen: boolean, before = '') {
    this.count++;
    const indent = this.#indentBefore(block.sign, block.indent);
    this.#open.push(block);
    const name = title === '' ? '' : ` title=${quoted(title)}`;
    this.#out.push(`${indent}${before}<${block.component}${name}${isOpen ? ' defaultOpen' : ''}>`);
  }

  /** Closes the innermost block, on the empty line after its content if there is one. */
  #close(isEnd = false) {
    const { sign, component, name, line, indent } = this.#open.pop() as Block;
    if (isEnd && (sign === 'colons' || sign === 'template') && name !== '==')
      this.#problems.push({
        severity: 'warning',
        code: 'mdx-syntax',
        message: `The block "${name}" is not closed; it ends with the page.`,
        remedy:
          sign === 'colons' ? 'Close it with a line of as many colons.' : `Write {% end${name} %}.`,
        line: line + 1,
        column: 1,
      });
    const tag = `${this.#indentBefore(sign, indent)}</${component}>`;
    const last = this.#out.at(-1);
    if (last?.trim() === '') this.#out[this.#out.length - 1] = tag;
    else if (sign === 'tabs' && last?.trim() === '</Tab>')
      this.#out[this.#out.length - 1] = last + tag;
    else this.#out.push(tag);
  }

  #isDeep(): boolean {
    return this.#open.length >= MAX_DEPTH;
  }

  /** Returns whether the line after the mark is indented as content of the block. */
  #hasContent(index: number, indent: number): boolean {
    const next = this.#lines.slice(index + 1, index + 3).find((line) => line.trim() !== '');
    return next !== undefined && indentOf(next) >= indent + INDENT;
  }
}

/** Columns of white space before a line; a tab has four. */
function indentOf(line: string): number {
  return columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '');
}

function columnsOf(space: string): number {
  return space.replaceAll('\t', '    ').length;
}

function quoted(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}
