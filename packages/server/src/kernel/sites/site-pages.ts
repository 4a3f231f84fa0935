import { setImmediate as nextTurn } from 'node:timers/promises';
import { absoluteLinks } from '@docent/assistant/chat/answer-links.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { withoutSlashes } from '@docent/format/links.ts';
import { oncePerObject } from '@docent/format/once.ts';
import type { LiveSite } from '../../ports/live-sites.ts';

/**
 * Returns a page of a site as Markdown, with its absolute address; its links are absolute URLs.
 * @param path as people write it: `guides/start`, `/guides/start`, `guides/start.md`, with an
 *   anchor, or an absolute URL
 * @returns undefined if the site has no such page
 */
export async function readPage(site: LiveSite, path: string) {
  const page = findPage(site, path);
  const content = page && (await site.pageContent(page.path));
  if (!page || !content) return undefined;
  const url = `${site.publicUrl}${page.href}`;
  return {
    path: page.path,
    title: page.title,
    url,
    content: absoluteLinks(content.markdown, site.publicUrl, page.href),
  };
}

/**
 * Resolves a link in an answer.
 * @param address a path as people write it, or an absolute URL
 * @returns the absolute URL of the page or file if the site has it; `address` itself if it belongs
 *   to another site or is an anchor on the current page; undefined for a page that does not exist
 */
export function answerLink(site: LiveSite, address: string): string | undefined {
  const { build, publicUrl } = site;
  const isInside =
    address === publicUrl ||
    address.startsWith(`${publicUrl}/`) ||
    address.startsWith(`${publicUrl}#`);
  if (!isInside && /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)) return address;
  const path = isInside ? address.slice(publicUrl.length) : address;
  const page = findPage(site, path);
  const rest = /[?#].*$/s.exec(path)?.[0] ?? '';
  if (page) return `${publicUrl}${page.href}${rest}`;
  const file = path.replace(/^\/+|[?#].*$/gs, '');
  return Object.hasOwn(build.files, file) ? `${publicUrl}/${file}${rest}` : undefined;
}

function findPage({ build, publicUrl }: LiveSite, path: string): BuiltPage | undefined {
  const inside = path.startsWith(`${publicUrl}/`) ? path.slice(publicUrl.length) : path;
  const plain = withoutSlashes(inside.replace(/[?#][\s\S]*/, '')).replace(/\.(?:mdx?|html)$/, '');
  const href = plain === '' || plain === 'index' ? '/' : `/${plain}`;
  return build.pages.find(
    (page) => !page.externalUrl && (page.path === plain || page.href === href),
  );
}

/**
 * Returns the pages of a build by site path, without those that only link to other sites. Of
 * several at one path, the first.
 */
export const pagesByHref = oncePerObject(({ pages }: SiteBuild): ReadonlyMap<string, BuiltPage> => {
  const sitePages = pages.filter(({ externalUrl }) => !externalUrl);
  return new Map(sitePages.toReversed().map((page) => [page.href, page]));
});

const MAX_OUTPUT_CHARACTERS = 30_000;
const MAX_LINE_CHARACTERS = 400;
const MAX_MATCHES = 200;
const GREP_BUDGET_MS = 5000;
const READ_AT_ONCE = 8;

/** Pages that search excludes are not listed either, but can be read by path. */
const isListed = (page: BuiltPage) =>
  !page.hidden && !page.noindex && page.externalUrl === undefined;
const fileOf = (page: BuiltPage) => `${page.path}.md`;

/** Normalizes `/guides/` and `guides/start.md` to path prefixes: `guides/`, `guides/start`. */
function plainPath(path: string): string {
  return path.replace(/^[./]+/, '').replace(/\.mdx?$/, '');
}

/** Returns the pages that everyone may find, in menu order. */
export function listedPages({ build }: LiveSite): BuiltPage[] {
  return build.pages.filter(isListed);
}

function pagesBelow(site: LiveSite, path: string): BuiltPage[] {
  const folder = plainPath(path).replace(/(?<!\/)\/+$/, '');
  return listedPages(site).filter(
    (page) => folder === '' || page.path === folder || page.path.startsWith(`${folder}/`),
  );
}

/**
 * Lists the Markdown files of a site below a folder, each with its title. Folders deeper than
 * `depth` are one line with their count.
 * @returns text of at most 30,000 characters, which says where it was truncated
 */
export function listFiles(site: LiveSite, path: string, depth: number): string {
  const start = plainPath(path).replace(/(?<!\/)\/+$/, '');
  const base = start === '' ? 0 : start.split('/').length;
  const lines: string[] = [];
  const folders = new Map<string, number>();
  for (const page of pagesBelow(site, path)) {
    const parts = page.path.split('/');
    if (parts.length - base <= depth) {
      lines.push(`${fileOf(page)}  ${page.title}`);
    } else {
      const folder = parts.slice(0, base + depth).join('/');
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  for (const [folder, count] of folders)
    lines.push(`${folder}/  ${count} ${count === 1 ? 'file' : 'files'}`);
  if (lines.length === 0) return `There is nothing at ${path || '/'}.`;
  return cut(lines, 'List a folder for the others.');
}

/**
 * Returns lines of a file of the site, with their numbers.
 * @param from first line, counted from 1
 * @returns undefined if there is no such file
 */
export async function readLines(
  site: LiveSite,
  path: string,
  from: number,
  count: number,
): Promise<string | undefined> {
  const name = plainPath(path);
  const page = site.build.pages.find(
    (candidate) => candidate.externalUrl === undefined && candidate.path === name,
  );
  const content = page && (await site.pageContent(page.path));
  if (!content) return undefined;
  const lines = content.markdown.split('\n');
  const selectedLines = lines.slice(from - 1, from - 1 + count);
  const numbered = selectedLines.map((line, index) => `${from + index}\t${line}`);
  if (numbered.length === 0) return `The file has ${lines.length} lines.`;
  const end = from - 1 + selectedLines.length;
  if (end < lines.length) numbered.push(`[${lines.length - end} more lines: read from ${end + 1}]`);
  return cut(numbered, 'Read fewer lines at a time.', MAX_OUTPUT_CHARACTERS);
}

/**
 * Returns the lines of the site's files that contain a text, as `file:line: text`. The text is not
 * a pattern, so the time grows only with the size of the site; a search that takes more than five
 * seconds is stopped and says so.
 */
export async function grepFiles(
  site: LiveSite,
  { text, path, ignoreCase }: { text: string; path: string; ignoreCase: boolean },
): Promise<string> {
  const fold = (line: string) => (ignoreCase ? line.toLowerCase() : line);
  const needle = fold(text);
  const pages = pagesBelow(site, path);
  const matches: string[] = [];
  const endsAt = performance.now() + GREP_BUDGET_MS;
  for (let at = 0; at < pages.length; at += READ_AT_ONCE) {
    const group = pages.slice(at, at + READ_AT_ONCE);
    const contents = await Promise.all(group.map((page) => site.pageContent(page.path)));
    for (const [index, content] of contents.entries()) {
      const file = fileOf(group[index] as BuiltPage);
      for (const [number, line] of (content?.markdown ?? '').split('\n').entries()) {
        if (matches.length < MAX_MATCHES && fold(line).includes(needle))
          matches.push(`${file}:${number + 1}: ${shorten(line.trim())}`);
      }
    }
    const searched = Math.min(at + READ_AT_ONCE, pages.length);
    if (matches.length === MAX_MATCHES || (performance.now() > endsAt && searched < pages.length)) {
      matches.push(
        `[${searched} of ${pages.length} files were searched; specify a folder to narrow the search]`,
      );
      break;
    }
    // A site of thousands of pages must not delay other requests.
    await nextTurn();
  }
  return matches.length === 0
    ? `No line contains ${JSON.stringify(text)}.`
    : cut(matches, 'Specify a folder to narrow the search.');
}

function shorten(line: string): string {
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}

function cut(
  lines: readonly string[],
  remedy: string,
  longestLine = MAX_LINE_CHARACTERS * 3,
): string {
  let length = 0;
  const kept: string[] = [];
  for (const line of lines) {
    length += Math.min(line.length, longestLine) + 1;
    if (length > MAX_OUTPUT_CHARACTERS) break;
    kept.push(line.slice(0, longestLine));
  }
  const left = lines.length - kept.length;
  return left === 0
    ? kept.join('\n')
    : `${kept.join('\n')}\n[${left} more lines were omitted. ${remedy}]`;
}
