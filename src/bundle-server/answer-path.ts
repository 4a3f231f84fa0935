import { withQuery } from '../core/site-files/redirects.ts';
import type { Bundle, ServedFile } from './bundle.ts';

/** What stands at a path of a bundle. */
export type PathAnswer =
  | { kind: 'file'; status: 200 | 404; file: ServedFile; path: string }
  | { kind: 'redirect'; status: 307 | 308; location: string }
  | { kind: 'nothing' };

export interface PathRequest {
  /** Decoded, inside the base path, with a leading slash. */
  path: string;
  /** As written, with `?`, or empty. */
  query: string;
  /** `''` or `/docs`. */
  basePath: string;
  wantsMarkdown: boolean;
}

/**
 * Decides what a bundle answers to a path: the site's own redirects, a file, a page without `.html`, the index of a folder;
 * other spellings of these lead to them.
 */
export function answerPath(bundle: Bundle, request: PathRequest): PathAnswer {
  const { path, wantsMarkdown } = request;
  const name = path.slice(1);
  if (name.startsWith('_docent/')) return fileAt(bundle, name) ?? { kind: 'nothing' };
  return (
    siteRedirect(bundle, request) ??
    (wantsMarkdown ? fileAt(bundle, `${name === '' ? 'index' : name}.md`) : undefined) ??
    fileAt(bundle, name === '' ? 'index.html' : name) ??
    (name.endsWith('/') ? folderAt(bundle, request) : (fileAt(bundle, `${name}.html`) ?? otherSpelling(bundle, request))) ??
    fileAt(bundle, '404.html', 404) ?? { kind: 'nothing' }
  );
}

function fileAt({ files }: Bundle, path: string, status: 200 | 404 = 200): PathAnswer | undefined {
  const file = files.get(path);
  return file && { kind: 'file', status, file, path };
}

function siteRedirect(bundle: Bundle, { path, query, basePath }: PathRequest): PathAnswer | undefined {
  const rule = bundle.redirect(path) ?? (path.endsWith('.html') ? bundle.redirect(path.slice(0, -'.html'.length)) : undefined);
  if (!rule) return undefined;
  const { destination, status } = rule;
  const place = destination.startsWith('/') ? placeOf(bundle, destination, basePath) : '';
  return { kind: 'redirect', status, location: place + withQuery(destination, query) };
}

/** Pages that were left out of the bundle are at the live site, where links are to lead there. */
function placeOf(bundle: Bundle, destination: string, basePath: string): string {
  const { origin, options } = bundle.manifest;
  return origin === '' || options.omittedLinks === 'text' || isHere(bundle, destination) ? basePath : origin;
}

function isHere({ files, redirect }: Bundle, destination: string): boolean {
  const name = decoded(destination.split(/[?#]/)[0] as string).replace(/^\/|\/$/g, '');
  return (
    [name, `${name}.html`, `${name}/index.html`, ...(name === '' ? ['index.html'] : [])].some((path) => files.has(path)) ||
    redirect(`/${name}`) !== undefined
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function folderAt(bundle: Bundle, request: PathRequest): PathAnswer | undefined {
  const name = request.path.slice(1, -1);
  if (bundle.files.has(`${name}.html`)) return moved(request, `/${name}`);
  return fileAt(bundle, `${name}/index.html`);
}

function otherSpelling(bundle: Bundle, request: PathRequest): PathAnswer | undefined {
  const name = request.path.slice(1);
  if (bundle.files.has(`${name}/index.html`)) return moved(request, `/${name}/`);
  if (name.endsWith('.mdx') && bundle.files.has(`${name.slice(0, -4)}.html`)) return moved(request, `/${name.slice(0, -4)}`);
  return undefined;
}

function moved({ basePath, query }: PathRequest, path: string): PathAnswer {
  return { kind: 'redirect', status: 308, location: `${basePath}${path.split('/').map(encodeURIComponent).join('/')}${query}` };
}
