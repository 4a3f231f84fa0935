import { visibleTo } from '../components/view.ts';
import type { ContentNode } from '../expand/content-node.ts';
import type { ContentSection } from '../page-content.ts';
import { type LinkTarget, PageLinks } from '../page-links.ts';
import type { HtmlRenderer } from '../render-html.ts';
import { splitSections } from '../sections.ts';
import type { PageSource, SiteContext } from '../site-context.ts';
import { joinPieces, type Piece } from './markdown-piece.ts';
import { MarkdownWriter } from './markdown-writer.ts';
import { squeeze } from './node-prose.ts';

/**
 * Renders the page as Markdown, for programs, and its search sections.
 * @param rendered the rendered HTML of the same nodes, which has the ids of the headings
 */
export function renderMarkdown(
  page: PageSource,
  site: SiteContext,
  nodes: readonly ContentNode[],
  rendered: Pick<HtmlRenderer, 'headingIds' | 'toc'>,
  lead?: { markdown: string; sections: ContentSection[] },
): { markdown: string; sections: ContentSection[] } {
  const links = new PageLinks(page, site, () => {});
  const write = (found: LinkTarget, original: string): string => {
    if (found.kind === 'page' || found.kind === 'asset' || found.kind === 'missing')
      return found.path.replace(/[()\s]/g, encodeURIComponent);
    if (found.kind === 'external') return found.address.replace(/[()\s]/g, encodeURIComponent);
    return found.kind === 'anchor' ? original : '';
  };
  const writer = new MarkdownWriter({
    href: (target) => write(links.resolve(target), target),
    src: (target) => write(links.resolveMedia(target), target),
  });
  const forAgents = visibleTo('agents', nodes);
  const forHumans = visibleTo('humans', nodes);
  const pieces = writer.pieces(forAgents);
  const parts = [`# ${squeeze(page.title)}`];
  const description = squeeze(page.frontmatter.description ?? '');
  if (description !== '') parts.push(`> ${description}`);
  if (lead && lead.markdown.trim() !== '') parts.push(lead.markdown.trim());
  const body = joinPieces(pieces);
  if (body !== '') parts.push(body);
  const sections = splitSections(forHumans === forAgents ? pieces : writer.pieces(forHumans), anchorFinder(rendered));
  return { markdown: `${parts.join('\n\n')}\n`, sections: [...(lead?.sections ?? []), ...sections] };
}

/** Finds the ids of headings: by their node, or, if a component created them, by their text in the table of contents. */
function anchorFinder(rendered: Pick<HtmlRenderer, 'headingIds' | 'toc'>): (heading: Piece) => string | undefined {
  const used = new Set<string>();
  return (heading) => {
    if (heading.node && !heading.node.hasOwnAnchor) return rendered.headingIds.get(heading.node);
    const text = squeeze(heading.text);
    const entry = rendered.toc.find((candidate) => candidate.text === text && !used.has(candidate.id));
    if (entry) used.add(entry.id);
    return entry?.id;
  };
}
