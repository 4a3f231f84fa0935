/** A link from a page to an anchor on another one. */
export interface AnchorLink {
  /** Site path of the other page. */
  path: string;
  /** The anchor's id, as the author wrote it. */
  id: string;
  file?: string;
  line?: number;
}

const ID = /\sid="([^"]*)"/g;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Returns the ids in a rendered page: the possible link targets. */
export function idsIn(html: string): Set<string> {
  const ids = new Set<string>();
  for (const [, id = ''] of html.matchAll(ID)) {
    ids.add(id.includes('&') ? id.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string) : id);
  }
  return ids;
}

/** Returns whether one of the ids matches the anchor. */
export function hasAnchor(ids: ReadonlySet<string>, anchor: string): boolean {
  return anchor === '' || anchor === 'top' || ids.has(anchor) || ids.has(decodeAnchor(anchor)) || anchor.startsWith(':~:');
}

function decodeAnchor(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
