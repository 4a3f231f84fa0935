import { type Block, parseMarkdown } from '@docent/theme/elements/answer-markdown/parse-blocks.ts';
import type { Inline } from '@docent/theme/elements/answer-markdown/parse-inline.ts';
import { type ComponentProps, createElement, Fragment, type ReactNode, useMemo } from 'react';
import { cx } from './cx.ts';

/**
 * Renders the Markdown of an answer as its readers see it. The text comes from a model, so none of
 * it becomes HTML.
 * @param base address of the site, for links without an origin
 */
export function Markdown({ text, base }: { text: string; base: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return element(
    'div',
    { className: 'flex flex-col gap-3 break-words' },
    blocks.map((block) => blockOf(block, base)),
  );
}

/** The pages that an answer refers to. */
export function Sources({
  sources,
  className,
}: {
  sources: readonly { url: string; title: string }[];
  className: string;
}) {
  if (sources.length === 0) return null;
  return (
    <ul className={cx('flex flex-col gap-0.5 border-l-2 border-line pl-3', className)}>
      {sources.map(({ url, title }) => (
        <li key={url}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="text-accent-text hover:underline"
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Parts of a text have no ids, so they are children by their position, which need no keys. */
function element<Tag extends keyof React.JSX.IntrinsicElements>(
  tag: Tag,
  props: ComponentProps<Tag>,
  children: readonly ReactNode[],
) {
  return createElement(tag, props, ...children);
}

function blockOf(block: Block, base: string): ReactNode {
  const inline = (children: readonly Inline[]) => children.map((child) => inlineOf(child, base));
  const blocks = (children: readonly Block[]) => children.map((child) => blockOf(child, base));
  switch (block.kind) {
    case 'paragraph':
      return element('p', {}, inline(block.children));
    case 'heading':
      return element('p', { className: 'font-semibold' }, inline(block.children));
    case 'code':
      return (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          className="overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs"
        >
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item) =>
        element('li', { className: 'pl-1' }, [
          element('div', { className: 'flex flex-col gap-2' }, blocks(item)),
        ]),
      );
      return block.start === undefined
        ? element('ul', { className: 'list-disc pl-5' }, items)
        : element('ol', { start: block.start, className: 'list-decimal pl-5' }, items);
    }
    case 'quote':
      return element(
        'blockquote',
        { className: 'border-l-2 border-line-strong pl-3' },
        blocks(block.children),
      );
    case 'table': {
      const cell = (content: readonly Inline[]) =>
        element('td', { className: 'border border-line px-2 py-1' }, inline(content));
      const rows = [block.head, ...block.rows].map((row) => element('tr', {}, row.map(cell)));
      return (
        <div className="overflow-x-auto">
          <table className="text-xs">{element('tbody', {}, rows)}</table>
        </div>
      );
    }
    case 'suggestions': {
      const items = block.pages.map(({ title, address }) =>
        element('li', {}, [linkOf(address, base, [title])]),
      );
      return element('ul', { className: 'flex flex-wrap gap-2' }, items);
    }
    case 'rule':
      return <hr />;
  }
}

const TAGS = { strong: 'strong', emphasis: 'em', deleted: 's' } as const;

function inlineOf(inline: Inline, base: string): ReactNode {
  if (inline.kind === 'text') return inline.text;
  if (inline.kind === 'code')
    return <code className="rounded bg-hover px-1 font-mono text-[0.92em]">{inline.text}</code>;
  if (inline.kind === 'break') return <br />;
  const children = inline.children.map((child) => inlineOf(child, base));
  return inline.kind === 'link'
    ? linkOf(inline.address, base, children)
    : element(TAGS[inline.kind], {}, children);
}

/** Renders a link if its target is a web page. */
function linkOf(address: string, base: string, children: readonly ReactNode[]): ReactNode {
  const target = URL.parse(address, base);
  if (!target || !/^https?:$/.test(target.protocol))
    return createElement(Fragment, null, ...children);
  const className = 'text-accent-text underline underline-offset-2';
  return element(
    'a',
    { href: target.href, target: '_blank', rel: 'noreferrer', className },
    children,
  );
}
