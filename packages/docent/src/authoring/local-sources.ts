import { statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { hasConfig, type SourcePart } from '@docent/compiler/source/folder-files.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { readGitFacts } from '@docent/format/docs-json/settings/repository.ts';
import { pathInSource, sourceOf } from '@docent/format/docs-json/site-sources.ts';
import type { SourcePlace } from '@docent/format/errors.ts';
import { DocentError } from '@docent/format/errors.ts';
import { gitFactsOf } from '@docent/server/start/git-facts.ts';

/** The flag of the commands that read a folder: further folders by their URL paths. */
export interface SourceFlag {
  source?: Record<string, string>;
}

/**
 * Returns the further sources of a site from local folders. Each is named by its repository, as
 * `sourceRef` does, or by its folder if it has none.
 * @param root folder of the site, which a flag may name too: then its own pages are below a path
 * @throws DocentError `invalid_setting` for a folder that does not exist or has no docs.json
 */
export async function openLocalSources(
  { source = {} }: SourceFlag,
  root: string,
): Promise<SourcePart[]> {
  return Promise.all(
    Object.entries(source).map(async ([path, written]): Promise<SourcePart> => {
      const folder = resolve(written);
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        throw new DocentError(
          'invalid_setting',
          `There is no folder ${written} (--source ${path}).`,
        );
      if (!hasConfig(folder))
        throw new DocentError(
          'invalid_setting',
          `There is no docs.json in ${written} (--source ${path}). Specify the folder that contains it.`,
        );
      const gitFacts = await gitFactsOf(folder);
      const name = nameOf(gitFacts) ?? basename(folder);
      return { path, folder, gitFacts, name, ...(folder === resolve(root) && { isBase: true }) };
    }),
  );
}

/** `owner/repository`. */
function nameOf(gitFacts: string | undefined): string | undefined {
  const { repository } = readGitFacts(gitFacts);
  return repository && new URL(repository.address).pathname.slice(1);
}

/** Names the files of further sources by where they are, seen from the folder of the site. */
export function withLocalPlaces(
  findings: readonly Diagnostic[],
  root: string,
  parts: readonly SourcePart[],
): Diagnostic[] {
  const located = <Place extends SourcePlace>(place: Place): Place => {
    const part = sourceOf(parts, place.file);
    return part
      ? { ...place, file: relative(root, join(part.folder, pathInSource(parts, place.file))) }
      : place;
  };
  return findings.map((finding) => ({
    ...located(finding),
    ...(finding.places && { places: finding.places.map(located) }),
  }));
}
