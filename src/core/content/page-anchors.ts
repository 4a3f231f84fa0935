/** A link from a page to an anchor on another one. */
export interface AnchorLink {
  /** Site path of the other page. */
  path: string;
  /** The anchor's id, as the author wrote it. */
  id: string;
  file?: string;
  line?: number;
}

const ID = 'id="';
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Returns the ids in a rendered page: the possible link targets. A search for text is faster than a regular expression in large pages. */
export function idsIn(html: string): Set<string> {
  const ids = new Set<string>();
  for (let at = html.indexOf(ID); at >= 0; at = html.indexOf(ID, at)) {
    const start = at + ID.length;
    const end = html.indexOf('"', start);
    if (end < 0) break;
    const isAttribute = at > 0 && /\s/.test(html[at - 1] as string);
    if (isAttribute) ids.add(decode(html.slice(start, end)));
    at = isAttribute ? end : start;
  }
  return ids;
}

const decode = (id: string) =>
  id.includes('&') ? id.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string) : id;

/** Returns whether one of the ids matches the anchor. */
export function hasAnchor(ids: ReadonlySet<string>, anchor: string): boolean {
  return anchor === '' || anchor === 'top' || ids.has(anchor) || ids.has(decodeAnchor(anchor)) || anchor.startsWith(':~:');
}

/** Returns the id with the same letters and digits: what another platform, which keeps other signs, made of the same heading. */
export function similarAnchor(ids: Iterable<string>, anchor: string): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const wanted = bare(decodeAnchor(anchor));
  return wanted === '' ? undefined : [...ids].find((id) => bare(id) === wanted);
}

/** How to correct a link to an anchor that the page does not have. */
export function anchorRemedy(ids: Iterable<string>, anchor: string): string {
  const similar = similarAnchor(ids, anchor);
  return similar === undefined
    ? 'Correct the link, or add the id to the heading with {#id}.'
    : `Correct it to "#${similar}". Browsers that run JavaScript find the heading anyway.`;
}

function decodeAnchor(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
