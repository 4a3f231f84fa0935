import { isSlug } from './site-name.ts';

/** Stands in the name of a preview, `<preview>--<identifier>`, between the two. */
export const PREVIEW_SEPARATOR = '--';
const MAX_LABEL_CHARACTERS = 63;

/** How long the name of a preview of a site may be, so that both fit into one label of a host name. */
export function maxPreviewName(slug: string): number {
  return MAX_LABEL_CHARACTERS - PREVIEW_SEPARATOR.length - slug.length;
}

/** The label of a host name that a preview has, `new-start--acme`. */
export function previewLabelOf(name: string, slug: string): string {
  return `${name}${PREVIEW_SEPARATOR}${slug}`;
}

/** What a label means where it is that of a preview. */
export function readPreviewLabel(label: string): { name: string; slug: string } | undefined {
  const at = label.indexOf(PREVIEW_SEPARATOR);
  if (at < 1) return undefined;
  const [name, slug] = [label.slice(0, at), label.slice(at + PREVIEW_SEPARATOR.length)];
  return isSlug(name) && isSlug(slug) ? { name, slug } : undefined;
}

/**
 * The name of a preview for a branch: `feature/New start` → `feature-new-start`.
 * @param maxCharacters at least 1
 * @returns `undefined` where nothing of the branch can stand in a host name
 */
export function previewNameOf(branch: string, maxCharacters: number): string | undefined {
  const words = branch.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, maxCharacters).replace(/-$/, '');
  return name === '' ? undefined : name;
}
