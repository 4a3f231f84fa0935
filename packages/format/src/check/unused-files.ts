import type { Diagnostic } from '../diagnostics.ts';
import { decodeAddress } from '../links.ts';

/** Matches a word that may be a file name, with or without a path. */
const NAME = /(?<![^\s"'`()<>{}[\],;=|\\/?#])[^\s"'`()<>{}[\],;=|\\/?#]+\.[A-Za-z0-9]{2,5}\b/g;

/** Files that are used by other things than pages. */
const ASKED_FOR =
  /(?:^|\/)(?:favicon[^/]*|robots\.txt|sitemap\.xml|llms(?:-full)?\.txt|[^/]*\.(?:css|js|woff2?|ttf|otf|eot))$/i;

/**
 * Finds files that no other file names: images and the like, and snippets. Compares names without
 * their folders, so a file counts as unused only if no file refers to that name anywhere.
 * @param texts every text of the source by its path
 */
export function unusedFiles(
  assets: readonly string[],
  snippets: readonly string[],
  texts: ReadonlyMap<string, string>,
): Diagnostic[] {
  const users = namesIn(texts);
  const isUsed = (file: string): boolean => {
    const names = users.get(nameOf(file).toLowerCase());
    return names !== undefined && (names.size > 1 || !names.has(file));
  };
  const finding = (file: string, what: string): Diagnostic => ({
    severity: 'info',
    code: 'unused-file',
    message: `No page or setting uses this ${what}.`,
    remedy: 'Remove it, or list it in .docentignore.',
    file,
  });
  return [
    ...assets
      .filter((file) => !ASKED_FOR.test(file) && !isUsed(file))
      .map((file) => finding(file, 'file')),
    ...snippets.filter((file) => !isUsed(file)).map((file) => finding(file, 'snippet')),
  ];
}

/** Maps file names to the files that mention them. */
function namesIn(texts: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    for (const [written] of text.matchAll(NAME)) {
      const name = decodeAddress(written).toLowerCase();
      const files = users.get(name);
      if (files) files.add(file);
      else users.set(name, new Set([file]));
    }
  }
  return users;
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
