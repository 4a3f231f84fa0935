import { createHash, hash } from 'node:crypto';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { writtenOptions } from '@docent/format/exports/bundle-layout.ts';
import type { BundledThemeFile } from '../assets/dist-files.ts';
import type { ManifestSource } from './bundle-manifest.ts';

interface ShellInput extends Pick<ManifestSource, 'origin' | 'options' | 'security'> {
  build: SiteBuild;
  /** By logical name. */
  theme: ReadonlyMap<string, BundledThemeFile>;
}

/**
 * Names everything that the document of a page may depend on besides the page itself. This is the
 * only place that decides what that is: what is not in the key, or the page, changes no document.
 * It is also what pages of the same bundle have in common for a browser that goes from one to
 * another without loading the shell again.
 * @param pages those of the bundle
 */
export function shellKey(
  { build, origin, options, theme, security }: ShellInput,
  pages: readonly BuiltPage[],
  searchRulesPath: string | undefined,
): string {
  const { id: _, report: __, searchIndex: ___, pages: all, ...site } = build;
  const key = createHash('sha256').update(JSON.stringify({ ...site, restricted: undefined }));
  for (const page of all) key.update(JSON.stringify(asOthersSee(page)));
  const included = pages.map(({ href }) => href);
  const files = Array.from(theme, ([name, file]) => [name, file.name, file.feature]);
  return key
    .update(
      JSON.stringify([included, origin, writtenOptions(options), security, files, searchRulesPath]),
    )
    .digest('hex');
}

/** What the documents of other pages may say of a page. */
function asOthersSee(page: BuiltPage): Partial<BuiltPage> {
  return { ...page, content: undefined, lastUpdated: undefined } as Partial<BuiltPage>;
}

/** Names everything that the document of a page may depend on. */
export function pageKey(shell: string, page: BuiltPage): string {
  return hash('sha256', `${shell}\n${JSON.stringify(page)}`);
}
