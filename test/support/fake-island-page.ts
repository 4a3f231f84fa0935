import { compilePage } from '@docent/format/content/compile-page.ts';
import { readFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import type { IslandSource } from '@docent/format/content/nodes/island.ts';
import type { CompiledPage } from '@docent/format/content/page/page-content.ts';
import { fakeContext, fakeParts } from './fake-site.ts';

/** Compiles a page in memory whose components actually run. */
export function compileIslandPage(
  islands: IslandSource,
  text: string,
  files: Record<string, string> = {},
): Promise<CompiledPage> {
  const { frontmatter } = readFrontmatter(text, 'page.mdx');
  const page = { path: 'page', href: '/page', file: 'page.mdx', text, frontmatter, title: 'Page' };
  return compilePage(page, { ...fakeContext({ files }), islands }, undefined, fakeParts);
}

/** Returns the HTML without the wrappers of islands. */
export function innerHtml({ content }: CompiledPage): string {
  return content.html.replace(/<\/?docent-(?:island|part)[^<>]*>/g, '');
}
