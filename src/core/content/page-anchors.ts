/** A link of one page to a place on another one. */
export interface AnchorLink {
  /** Site path of the other page. */
  path: string;
  /** Id of the place, as the author wrote it. */
  id: string;
  file?: string;
  line?: number;
}

const ID = /\sid="([^"]*)"/g;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The ids in a page of ours: where links may lead. */
export function idsIn(html: string): Set<string> {
  const ids = new Set<string>();
  for (const [, id = ''] of html.matchAll(ID)) {
    ids.add(id.includes('&') ? id.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string) : id);
  }
  return ids;
}

/** Whether one of the ids is what the anchor means. */
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
