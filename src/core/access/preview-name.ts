import { isSlug } from './site-name.ts';

/** Separates the two parts of a preview's name, `<preview>--<identifier>`. */
export const PREVIEW_SEPARATOR = '--';
const MAX_LABEL_CHARACTERS = 63;

/** Returns the maximum length of a preview name of a site, so that both fit into one host name label. */
export function maxPreviewName(slug: string): number {
  return MAX_LABEL_CHARACTERS - PREVIEW_SEPARATOR.length - slug.length;
}

/** Returns the host name label of a preview, `new-start--acme`. */
export function previewLabelOf(name: string, slug: string): string {
  return `${name}${PREVIEW_SEPARATOR}${slug}`;
}

/** Parses the label of a preview. */
export function readPreviewLabel(label: string): { name: string; slug: string } | undefined {
  const at = label.indexOf(PREVIEW_SEPARATOR);
  if (at < 1) return undefined;
  const [name, slug] = [label.slice(0, at), label.slice(at + PREVIEW_SEPARATOR.length)];
  return isSlug(name) && isSlug(slug) ? { name, slug } : undefined;
}

/**
 * Returns the name of a preview for a branch: `feature/New start` → `feature-new-start`.
 * @param maxCharacters at least 1
 * @returns `undefined` if no character of the branch is allowed in a host name
 */
export function previewNameOf(branch: string, maxCharacters: number): string | undefined {
  const words = branch.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, maxCharacters).replace(/-$/, '');
  return name === '' ? undefined : name;
}
