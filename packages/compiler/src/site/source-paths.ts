import type { Frontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { inFolder } from '@docent/format/docs-json/site-sources.ts';
import { joinPath, splitAddress } from '@docent/format/links.ts';

const IMAGES = ['og:image', 'twitter:image'];

/**
 * Moves the paths that the frontmatter of a page has into the folder of its source, where the file
 * or page is there; others are those of the site.
 * @param root folder of the source; empty for the base source, whose paths stay
 */
export function withSourcePaths(
  frontmatter: Frontmatter,
  root: string,
  hasFile: (path: string) => boolean,
): Frontmatter {
  if (root === '') return frontmatter;
  const moved = (address: unknown): unknown => {
    if (typeof address !== 'string' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?])/i.test(address))
      return address;
    const { path, rest } = splitAddress(address);
    const target = inFolder(root, joinPath('', path));
    const isThere = ['', '.mdx', '.md', '/index.mdx', '/index.md'].some((ending) =>
      hasFile(target + ending),
    );
    return isThere ? `/${target}${rest}` : address;
  };
  const { icon, custom } = frontmatter;
  const changes: Record<string, unknown> = {};
  for (const name of IMAGES) if (name in custom) changes[name] = moved(custom[name]);
  if (Array.isArray(custom.related))
    changes.related = custom.related.map((link) => relatedIn(link, moved));
  return {
    ...frontmatter,
    ...(icon !== undefined && { icon: moved(icon) as string }),
    custom: { ...custom, ...changes },
  };
}

function relatedIn(link: unknown, moved: (address: unknown) => unknown): unknown {
  if (typeof link !== 'object' || link === null) return moved(link);
  return Object.fromEntries(
    Object.entries(link).map(([title, address]) => [title, moved(address)]),
  );
}
