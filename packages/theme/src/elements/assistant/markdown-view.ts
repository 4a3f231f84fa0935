import type { AnswerQuote } from '@docent/assistant/chat/answer-event.ts';
import type { AssistantMessages } from '../../translations/translations.ts';
import { nestHeadings } from '../answer-markdown/nest-headings.ts';
import { type Block, parseMarkdown, type Suggestion } from '../answer-markdown/parse-blocks.ts';
import { type Inline, parseInline } from '../answer-markdown/parse-inline.ts';
import { button, make } from '../dom.ts';
import { markText } from './mark-text.ts';
import { sign } from './signs.ts';

/** The panel context of a view. */
export interface ViewOptions {
  resolve: ResolveAddress;
  /** Whether links to pages open in a new window, as they must on another site. */
  newWindow: boolean;
  texts: AssistantMessages;
  /** Creates a copy button; the panel announces success. */
  copyButton: (text: () => string) => HTMLElement;
}

/** The level of the panel's own heading. */
const TITLE_LEVEL = 2;

type Shown = Exclude<Block, { kind: 'suggestions' }>;

function isShown(block: Block): block is Shown {
  return block.kind !== 'suggestions';
}

export function listOf(items: readonly HTMLElement[]): HTMLElement {
  return make('ul', '', ...items.map((item) => make('li', '', item)));
}

/** Creates a safe link; undefined if the address is invalid. */
export function answerLink(
  address: string,
  options: ViewOptions,
  ...children: (Node | string)[]
): HTMLAnchorElement | undefined {
  const target = options.resolve(address);
  if (!target) return undefined;
  const link = make('a', '', ...children);
  link.href = target.href;
  if (target.isPage) {
    link.dataset.page = '';
    if (options.newWindow) link.target = '_blank';
    return link;
  }
  link.rel = 'noreferrer nofollow ugc';
  link.target = '_blank';
  link.classList.add('out');
  link.append(sign('out'), make('span', 'vh', ` (${options.texts.elsewhere})`));
  return link;
}

/**
 * Renders growing Markdown. Parses it again each time and patches only the differences, so that
 * existing text does not flicker, stays selected, and keeps its position. Creates only text nodes:
 * nothing in an answer becomes markup.
 */
export class MarkdownView {
  readonly element = make('div', 'md');
  /** The suggested pages, which the panel places. */
  readonly next = make('div', 'next');
  readonly #options: ViewOptions;
  #shown: string[] = [];

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** @param open whether more will come */
  show(markdown: string, open: boolean): void {
    const tree = nestHeadings(parseMarkdown(markdown, open), TITLE_LEVEL);
    const blocks = tree.filter(isShown);
    this.#showNext(tree.flatMap((block) => (block.kind === 'suggestions' ? block.pages : [])));
    const next = blocks.map((block) => JSON.stringify(block));
    blocks.forEach((block, index) => {
      if (next[index] === this.#shown[index]) return;
      const blockElement = this.#block(block);
      const old = this.element.children[index];
      if (!old) this.element.append(blockElement);
      else if (!grow(old, blockElement, block)) old.replaceWith(blockElement);
    });
    while (this.element.children.length > blocks.length) this.element.lastElementChild?.remove();
    this.#shown = next;
  }

  /**
   * Marks what answers in the block quotes of a finished answer, and lets readers open the sections
   * that they are from.
   */
  markQuotes(quotes: readonly AnswerQuote[]): void {
    const boxes = [...this.element.children].filter((child): child is HTMLElement =>
      child.matches('blockquote'),
    );
    for (const [index, box] of boxes.entries()) {
      const quote = quotes[index];
      if (!quote || box.classList.contains('quote')) continue;
      box.classList.add('quote');
      const sentence = this.#runs(parseInline(quote.highlight)).map(textOf).join('');
      // A quote of one sentence needs no mark.
      if (sentence.length < (box.textContent ?? '').length * MAX_MARKED) markText(box, sentence);
      if (quote.section !== undefined)
        box.append(this.#sectionButton(box, quote.section, sentence));
    }
  }

  /**
   * Replaces the quote by its whole section, and back. The section is rendered when it is first
   * opened.
   */
  #sectionButton(box: HTMLElement, section: string, sentence: string): HTMLElement {
    const { showSection, hideSection } = this.#options.texts;
    const excerpt = [...box.children] as HTMLElement[];
    let whole: HTMLElement | undefined;
    const toggle = button(
      'plain more',
      () => {
        if (!whole) {
          const view = new MarkdownView(this.#options);
          view.show(section, false);
          whole = view.element;
          markText(whole, sentence);
          whole.hidden = true;
          toggle.before(whole);
        }
        const isOpen = whole.hidden;
        whole.hidden = !isOpen;
        for (const part of excerpt) part.hidden = isOpen;
        toggle.textContent = isOpen ? hideSection : showSection;
        toggle.setAttribute('aria-expanded', String(isOpen));
        if (!isOpen) box.scrollIntoView({ block: 'nearest' });
      },
      showSection,
    );
    toggle.setAttribute('aria-expanded', 'false');
    return toggle;
  }

  #block(block: Shown): HTMLElement {
    switch (block.kind) {
      case 'paragraph':
        return make('p', '', ...this.#runs(block.children));
      case 'heading':
        return make(`h${block.level}` as 'h3', '', ...this.#runs(block.children));
      case 'code':
        return this.#code(block.language, block.text);
      case 'list':
        return this.#list(block);
      case 'quote':
        return make(
          'blockquote',
          '',
          ...block.children.filter(isShown).map((child) => this.#block(child)),
        );
      case 'table':
        return this.#table(block);
      default:
        return make('hr');
    }
  }

  #code(language: string, text: string): HTMLElement {
    const code = make('code', '', text);
    const pre = make('pre', '', code);
    pre.tabIndex = 0;
    const copy = this.#options.copyButton(() => code.textContent ?? '');
    return make('div', 'code', make('div', 'code-head', make('span', '', language), copy), pre);
  }

  #list({ start, items }: Extract<Block, { kind: 'list' }>): HTMLElement {
    const list = make(start === undefined ? 'ul' : 'ol');
    if (start !== undefined && start !== 1) list.setAttribute('start', String(start));
    for (const blocks of items) {
      const [first] = blocks;
      const isTight =
        blocks.length > 0 &&
        blocks.filter(({ kind }) => kind === 'paragraph').length <= 1 &&
        first?.kind === 'paragraph';
      const rest = blocks
        .slice(isTight ? 1 : 0)
        .filter(isShown)
        .map((block) => this.#block(block));
      list.append(make('li', '', ...(isTight ? this.#runs(first.children) : []), ...rest));
    }
    return list;
  }

  #table({ align, head, rows }: Extract<Block, { kind: 'table' }>): HTMLElement {
    const row = (tag: 'th' | 'td', cells: Inline[][]): HTMLElement => {
      const tableRow = make('tr');
      cells.forEach((cell, column) => {
        const box = make(tag, '', ...this.#runs(cell));
        box.style.textAlign = align[column] ?? 'start';
        if (tag === 'th') box.setAttribute('scope', 'col');
        tableRow.append(box);
      });
      return tableRow;
    };
    const body = make('tbody', '', ...rows.map((cells) => row('td', cells)));
    const box = make('div', 'table', make('table', '', make('thead', '', row('th', head)), body));
    box.tabIndex = 0;
    return box;
  }

  #showNext(pages: readonly Suggestion[]): void {
    const links = pages
      .map(({ title, address }) =>
        answerLink(address, this.#options, sign('page'), make('span', '', title)),
      )
      .filter((link) => link !== undefined);
    this.next.hidden = links.length === 0;
    this.next.replaceChildren(make('p', 'label', this.#options.texts.readNext), listOf(links));
  }

  #runs(runs: readonly Inline[]): (Node | string)[] {
    return runs.flatMap((run): (Node | string)[] => {
      switch (run.kind) {
        case 'text':
          return [run.text];
        case 'code':
          return [make('code', '', run.text)];
        case 'break':
          return [make('br')];
        case 'link': {
          const link = answerLink(run.address, this.#options, ...this.#runs(run.children));
          return link ? [link] : this.#runs(run.children);
        }
        default:
          return [
            make(
              ({ strong: 'strong', emphasis: 'em', deleted: 'del' } as const)[run.kind],
              '',
              ...this.#runs(run.children),
            ),
          ];
      }
    });
  }
}

/** Share of a quote that its mark may have. */
const MAX_MARKED = 0.8;

function textOf(node: Node | string): string {
  return typeof node === 'string' ? node : (node.textContent ?? '');
}

/**
 * Growing code only gets its new end appended: a long block is not recreated for each line, nor
 * scrolled back.
 */
function grow(old: Element, replacement: Element, block: Block): boolean {
  const code = block.kind === 'code' && old.matches('.code') ? old.querySelector('code') : null;
  const text = code?.firstChild;
  if (block.kind !== 'code' || !(text instanceof Text) || !block.text.startsWith(text.data))
    return false;
  if (
    old.querySelector('.code-head span')?.textContent !==
    replacement.querySelector('.code-head span')?.textContent
  )
    return false;
  text.appendData(block.text.slice(text.data.length));
  return true;
}

/** The target of a safe link in an answer. */
interface AnswerLink {
  /** Absolute URL to write. */
  href: string;
  /** Whether it is a page of this documentation. */
  isPage: boolean;
  /** Its path in the site: `guides/keys`; empty for other sites. */
  path: string;
}

/** Resolves an address written by a model; undefined for one that is invalid or could run code. */
export type ResolveAddress = (address: string) => AnswerLink | undefined;

const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Of the pages of a bundle that is read from the disk. */
const PAGES = new Set(['http:', 'https:', 'file:']);

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`;
}

/**
 * Creates the link resolver. A site has one public URL, which answers cite, and may be read at
 * another: links to the first are mapped to the second, so that readers stay where they are.
 * @param publicUrl the site's URL in answers
 * @param readAt the absolute URL where its pages are read
 * @param addressOf returns the absolute URL of a page there, by its path and what follows it
 */
export function addressReader(
  publicUrl: string,
  readAt: string,
  addressOf = (path: string): string => `${withSlash(readAt)}${path}`,
): ResolveAddress {
  const root = new URL(withSlash(publicUrl));
  const here = new URL(withSlash(readAt));
  return (address) => {
    const isPath = /^\/(?![/\\])/.test(address);
    const whole = isPath ? address.slice(1) : address;
    if (!URL.canParse(whole, root.href)) return undefined;
    const url = new URL(whole, root);
    const base = [root, here].find(
      ({ protocol, host, pathname }) =>
        PAGES.has(protocol) &&
        url.protocol === protocol &&
        url.host === host &&
        withSlash(url.pathname).startsWith(pathname),
    );
    if (!base)
      return ALLOWED.has(url.protocol) ? { href: url.href, isPage: false, path: '' } : undefined;
    const path =
      withSlash(url.pathname).length === base.pathname.length
        ? ''
        : url.pathname.slice(base.pathname.length);
    return { href: addressOf(`${path}${url.search}${url.hash}`), isPage: true, path };
  };
}
