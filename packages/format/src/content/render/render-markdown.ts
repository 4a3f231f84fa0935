import { visibleTo } from '../components/view.ts';
import type { ContentNode } from '../nodes/content-node.ts';
import type { ContentSection, PageSource, SiteContext } from '../page/page-content.ts';
import { type LinkTarget, PageLinks } from '../page/page-links.ts';
import { joinPieces, MarkdownWriter, type Piece } from './markdown-writer.ts';
import { squeeze } from './node-prose.ts';
import type { HtmlRenderer } from './render-html.ts';

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
  const write = (link: LinkTarget, original: string): string => {
    if (link.kind === 'page' || link.kind === 'asset' || link.kind === 'missing')
      return link.path.replace(/[()\s]/g, encodeURIComponent);
    if (link.kind === 'external') return link.address.replace(/[()\s]/g, encodeURIComponent);
    return link.kind === 'anchor' ? original : '';
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
  const sections = splitSections(
    forHumans === forAgents ? pieces : writer.pieces(forHumans),
    anchorFinder(rendered),
  );
  return {
    markdown: `${parts.join('\n\n')}\n`,
    sections: [...(lead?.sections ?? []), ...sections],
  };
}

/**
 * Finds the ids of headings: by their node, or, if a component created them, by their text in the
 * table of contents.
 */
function anchorFinder(
  rendered: Pick<HtmlRenderer, 'headingIds' | 'toc'>,
): (heading: Piece) => string | undefined {
  const used = new Set<string>();
  return (heading) => {
    if (heading.node && !heading.node.hasOwnAnchor) return rendered.headingIds.get(heading.node);
    const text = squeeze(heading.text);
    const entry = rendered.toc.find(
      (candidate) => candidate.text === text && !used.has(candidate.id),
    );
    if (entry) used.add(entry.id);
    return entry?.id;
  };
}

/** Deepest heading level that starts a section. */
const MAX_LEVEL = 4;

/**
 * Splits a page at its headings.
 * @param anchorOf returns the id of a heading on the page; undefined if it has none
 */
function splitSections(
  pieces: readonly Piece[],
  anchorOf: (heading: Piece) => string | undefined,
): ContentSection[] {
  const sections: ContentSection[] = [];
  let trail: { level: number; text: string }[] = [];
  let anchor = '';
  let sectionPieces: Piece[] = [];
  const close = (): void => {
    const headings = trail.map(({ text }) => text);
    if (sectionPieces.length > 0 || headings.length > 0)
      sections.push(sectionOf(anchor, headings, sectionPieces));
    sectionPieces = [];
  };
  for (const piece of pieces) {
    const isSplit = piece.level > 0 && piece.level <= MAX_LEVEL;
    const id = isSplit ? anchorOf(piece) : undefined;
    if (id === undefined) {
      sectionPieces.push(piece);
      continue;
    }
    close();
    anchor = id;
    trail = [
      ...trail.filter(({ level }) => level < piece.level),
      { level: piece.level, text: squeeze(piece.text) },
    ];
  }
  close();
  return sections;
}

function sectionOf(anchor: string, headings: string[], pieces: readonly Piece[]): ContentSection {
  return {
    anchor,
    headings,
    markdown: joinPieces(pieces),
    text: squeeze(pieces.map((piece) => piece.text).join(' ')),
    code: pieces.flatMap((piece) => piece.code).join('\n'),
  };
}
