import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type BundleService,
  SERVICES_FILE,
  servicesText,
} from '@docent/format/exports/bundle-services.ts';
import { decodeAddress } from '@docent/format/links.ts';
import { withQuery } from '@docent/format/site-files/redirects.ts';
import type {
  SiteAnswer,
  SiteBody,
  SiteContent,
  SiteRedirect,
  SiteRequest,
} from '../ports/site-content.ts';
import { pageLinks, siteHeaders } from '../serving/site-headers.ts';
import type { Bundle, BundleStore } from './bundle-store.ts';

const rules = { scriptSources: [], frameAncestors: "'self'" };
/** Cached, since there are only as many types as kinds of files. */
const headersByType = new Map<string | undefined, Record<string, string>>();

/** A bundle, and the path where it is served. */
interface Place {
  bundle: Bundle;
  store: Pick<BundleStore, 'filePath'>;
  /** `''` or `/docs`. */
  basePath: string;
  services?: readonly BundleService[];
}

/**
 * Returns the content of an unpacked bundle: the site's own redirects, a file, a page without
 * `.html`, the index of a folder; other spellings redirect to these.
 * @param previous the previous bundle, whose scripts and styles open pages still request
 */
export function bundleContent(place: Place, previous: Bundle | undefined): SiteContent {
  const { bundle, basePath } = place;
  return {
    find: (request) =>
      findIn(place, request) ?? (previous && findIn({ ...place, bundle: previous }, request)),
    headersOf(answer) {
      const { page, type } = answer.kind === 'body' ? answer : {};
      const headers = headersByType.get(type) ?? siteHeaders(type, rules);
      headersByType.set(type, headers);
      const { 'content-security-policy': defaultPolicy, ...others } = headers;
      // The inline scripts of a page depend on the Docent version that built it; old bundles do not
      // list them.
      const policy = type?.startsWith('text/html')
        ? bundle.manifest.contentSecurityPolicy
        : defaultPolicy;
      return {
        ...others,
        ...(policy !== undefined && { 'content-security-policy': policy }),
        ...(page !== undefined && pageLinks(basePath, { page, hasMcp: false })),
      };
    },
  };
}

function findIn(place: Place, request: SiteRequest): SiteAnswer | undefined {
  const { path, wantsMarkdown } = request;
  const name = path.slice(1);
  if (name === SERVICES_FILE) return serviceList(place);
  if (name.startsWith('_docent/')) return fileAt(place, name);
  return (
    siteRedirect(place, request) ??
    (wantsMarkdown ? fileAt(place, `${name === '' ? 'index' : name}.md`) : undefined) ??
    fileAt(place, name === '' ? 'index.html' : name) ??
    (name.endsWith('/')
      ? folderAt(place, request)
      : (fileAt(place, `${name}.html`) ?? otherSpelling(place, request))) ??
    fileAt(place, '404.html', 404)
  );
}

function fileAt(
  { bundle, store }: Place,
  path: string,
  status: 200 | 404 = 200,
): SiteBody | undefined {
  const file = bundle.files.get(path);
  if (!file) return undefined;
  const { sha256, type, sizeBytes, immutable } = file;
  const page = status === 200 ? bundle.pageOfFile.get(path) : undefined;
  return {
    kind: 'body',
    status,
    type,
    version: sha256.slice(0, 16),
    immutable,
    ...(page !== undefined && { page }),
    sizeBytes,
    read: () => readFile(store.filePath(sha256)),
    async readEncoded(encoding) {
      if (encoding === 'identity') return undefined;
      return readFile(store.filePath(sha256, encoding)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return undefined;
      });
    },
    open: async (range = { start: 0, end: sizeBytes - 1 }) =>
      createReadStream(store.filePath(sha256), range),
  };
}

/** The pages of the bundle show what this server has; bundles of an older Docent do not ask. */
function serviceList({ services = [] }: Place): SiteBody {
  return {
    kind: 'body',
    status: 200,
    type: 'application/json',
    immutable: false,
    read: async () => servicesText(services),
  };
}

function siteRedirect(
  { bundle, basePath }: Place,
  { path, query }: SiteRequest,
): SiteRedirect | undefined {
  const rule =
    bundle.redirect(path) ??
    (path.endsWith('.html') ? bundle.redirect(path.slice(0, -'.html'.length)) : undefined);
  if (!rule) return undefined;
  const { destination, status } = rule;
  const origin = destination.startsWith('/') ? originOf(bundle, destination, basePath) : '';
  return { kind: 'redirect', status, location: origin + withQuery(destination, query) };
}

/** Pages that the bundle omits are on the live site, if links should lead there. */
function originOf(bundle: Bundle, destination: string, basePath: string): string {
  const { origin, options } = bundle.manifest;
  return origin === '' || options.omittedLinks === 'text' || isHere(bundle, destination)
    ? basePath
    : origin;
}

function isHere({ files, redirect }: Bundle, destination: string): boolean {
  const name = decodeAddress(destination.split(/[?#]/)[0] as string).replace(/^\/|\/$/g, '');
  return (
    [name, `${name}.html`, `${name}/index.html`, ...(name === '' ? ['index.html'] : [])].some(
      (path) => files.has(path),
    ) || redirect(`/${name}`) !== undefined
  );
}

function folderAt(place: Place, request: SiteRequest): SiteAnswer | undefined {
  const name = request.path.slice(1, -1);
  if (place.bundle.files.has(`${name}.html`)) return moved(place, request, `/${name}`);
  return fileAt(place, `${name}/index.html`);
}

function otherSpelling(place: Place, request: SiteRequest): SiteRedirect | undefined {
  const { files } = place.bundle;
  const name = request.path.slice(1);
  if (files.has(`${name}/index.html`)) return moved(place, request, `/${name}/`);
  if (name.endsWith('.mdx') && files.has(`${name.slice(0, -4)}.html`))
    return moved(place, request, `/${name.slice(0, -4)}`);
  return undefined;
}

function moved({ basePath }: Place, { query }: SiteRequest, path: string): SiteRedirect {
  return {
    kind: 'redirect',
    status: 308,
    location: `${basePath}${path.split('/').map(encodeURIComponent).join('/')}${query}`,
  };
}
