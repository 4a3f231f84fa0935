import { type ReactNode, useMemo } from 'react';
import { parseMarkdown } from '../../theme/elements/answer-markdown/parse-blocks.ts';
import type { Block, Inline } from '../../theme/elements/answer-markdown/tree.ts';
import { cx } from './cx.ts';

/**
 * Renders the Markdown of an answer as its readers see it. The text comes from a model, so none of it becomes HTML.
 * @param base address of the site, for links without an origin
 */
export function Markdown({ text, base }: { text: string; base: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div className="flex flex-col gap-3 break-words">{keyed(blocks, (block) => blockOf(block, base))}</div>;
}

/** The pages that an answer refers to. */
export function Sources({ sources, className }: { sources: readonly { url: string; title: string }[]; className: string }) {
  if (sources.length === 0) return null;
  return (
    <ul className={cx('flex flex-col gap-0.5 border-l-2 border-line pl-3', className)}>
      {sources.map(({ url, title }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer" className="text-accent-text hover:underline">
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Parts of a text have no ids, so their index is the key. */
function keyed<Item>(items: readonly Item[], show: (item: Item) => ReactNode): ReactNode[] {
  return items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Piece key={index}>{show(item)}</Piece>
  ));
}

const Piece = ({ children }: { children: ReactNode }) => children;

function blockOf(block: Block, base: string): ReactNode {
  const inline = (children: readonly Inline[]) => keyed(children, (one) => inlineOf(one, base));
  switch (block.kind) {
    case 'paragraph':
      return <p>{inline(block.children)}</p>;
    case 'heading':
      return <p className="font-semibold">{inline(block.children)}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs">
          {block.text}
        </pre>
      );
    case 'list': {
      const items = keyed(block.items, (item) => (
        <li className="pl-1">
          <div className="flex flex-col gap-2">{keyed(item, (one) => blockOf(one, base))}</div>
        </li>
      ));
      return block.start === undefined ? (
        <ul className="list-disc pl-5">{items}</ul>
      ) : (
        <ol start={block.start} className="list-decimal pl-5">
          {items}
        </ol>
      );
    }
    case 'quote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3">
          {keyed(block.children, (one) => blockOf(one, base))}
        </blockquote>
      );
    case 'table':
      return (
        <div className="overflow-x-auto">
          <table className="text-xs">
            <tbody>
              {keyed([block.head, ...block.rows], (row) => (
                <tr>
                  {keyed(row, (cell) => (
                    <td className="border border-line px-2 py-1">{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'suggestions':
      return (
        <ul className="flex flex-wrap gap-2">
          {keyed(block.pages, ({ title, address }) => (
            <li>
              <Away address={address} base={base}>
                {title}
              </Away>
            </li>
          ))}
        </ul>
      );
    case 'rule':
      return <hr />;
  }
}

function inlineOf(inline: Inline, base: string): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code className="rounded bg-hover px-1 font-mono text-[0.92em]">{inline.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return (
        <Away address={inline.address} base={base}>
          {keyed(inline.children, (one) => inlineOf(one, base))}
        </Away>
      );
    default: {
      const Tag = { strong: 'strong', emphasis: 'em', deleted: 's' }[inline.kind] as 'strong' | 'em' | 's';
      return <Tag>{keyed(inline.children, (one) => inlineOf(one, base))}</Tag>;
    }
  }
}

/** Renders a link if its target is a web page. */
function Away({ address, base, children }: { address: string; base: string; children: ReactNode }) {
  const target = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) return children;
  return (
    <a href={target.href} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
      {children}
    </a>
  );
}
