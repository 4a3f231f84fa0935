import type { SiteConfig } from '../docs-json/site-config.ts';
import { normalizePath, splitDestination, withQuery } from '../site-files/redirects.ts';
import { HASH_IN_NAME } from './bundle-layout.ts';

/** A configuration file for deploying a bundle to a web server or a hosting service. */
export interface HostingFile {
  path: string;
  text: string;
}

/** Maximum size of a CloudFront function. */
const CLOUDFRONT_LIMIT_BYTES = 10 * 1024;

/** Its presence is enough. Otherwise GitHub Pages leaves out folders that begin with `_`. */
const NO_JEKYLL = 'GitHub Pages publishes these files as they are.\n';

/**
 * Generates the serving rules of a bundle for common servers: URLs without `.html`, the page for
 * unknown paths, caching, redirects.
 * @param basePath base path of the bundle, `''` or `/docs`
 * @param pagePolicy `Content-Security-Policy` of the pages; without double quotes, dollar signs and
 *   backslashes
 */
export function hostingFiles(
  rules: SiteConfig['redirects'],
  basePath: string,
  pagePolicy: string,
): HostingFile[] {
  const redirects = (encode: (path: string) => string) =>
    rules
      .map((rule) => serverRedirect(rule, basePath, encode))
      .filter((rule) => rule !== undefined);
  return [
    { path: '_hosting/nginx.conf', text: nginx(redirects(asWritten), basePath, pagePolicy) },
    { path: '.htaccess', text: apache(redirects(inQuotes), basePath, pagePolicy) },
    { path: '_redirects', text: redirectsFile(rules, basePath) },
    { path: '_hosting/cloudfront-function.js', text: cloudfront(redirects(asWritten), basePath) },
    { path: '.nojekyll', text: NO_JEKYLL },
  ].filter(({ text }) => text !== '');
}

/** As in a request line; contains nothing with a meaning in a configuration file. */
function asWritten(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\w/~.:?#[\]@!&()*+,;=%-]/gu, (char) =>
      encodeURIComponent(char).replace("'", '%27'),
    );
}

/** Rejects characters that could end a line or a quoted string, or that refer to a group. */
function inQuotes(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f"\\$]/g, '');
}

function filled({ destination }: ServerRedirect): string {
  return destination.map((part) => (typeof part === 'number' ? `$${part}` : part)).join('');
}

function nginx(redirects: ServerRedirect[], basePath: string, pagePolicy: string): string {
  // The path as sent: nginx decodes `$uri`, and decoded text must not be in a header.
  const rules = redirects.map((rule) => {
    const pattern = rule.pattern.replace(/\/\?\$$/, '/?(?:[?].*)?$');
    return `if ($request_uri ~ "${pattern}") { return ${rule.status} "${withQuery(filled(rule), '$is_args$args')}"; }`;
  });
  return `# Put the files of the bundle at <root>${basePath}/ and include this file in the server block that has that root.
absolute_redirect off;
add_header X-Content-Type-Options nosniff always;
add_header Content-Security-Policy "${pagePolicy}" always;
add_header Cache-Control no-cache;
error_page 404 ${basePath}/404.html;
${rules.join('\n')}${rules.length > 0 ? '\n' : ''}# Headers of a location stand in place of those around it.
location ^~ ${basePath}/_docent/ {
  add_header X-Content-Type-Options nosniff always;
  add_header Cache-Control no-cache;
  location ~ "${HASH_IN_NAME}" {
    add_header X-Content-Type-Options nosniff always;
    add_header Cache-Control "public, max-age=31536000, immutable";
  }
}
location = ${basePath}/ { try_files ${basePath}/index.html =404; }
location ~ ^(?<docent_page>${basePath.replaceAll('.', '[.]')}/.+?)/?$ { try_files $uri $docent_page.html =404; }
`;
}

function apache(redirects: ServerRedirect[], basePath: string, pagePolicy: string): string {
  const rules = redirects.map(
    (rule) => `RedirectMatch ${rule.status} "${rule.pattern}" "${filled(rule)}"`,
  );
  return `# Read by Apache with AllowOverride All, or FileInfo, Indexes and Options=All,MultiViews.
Options -MultiViews -Indexes
DirectoryIndex index.html
DirectorySlash Off
ErrorDocument 404 ${basePath}/404.html
${rules.join('\n')}${rules.length > 0 ? '\n' : ''}<IfModule mod_headers.c>
  Header set X-Content-Type-Options nosniff
  Header set Content-Security-Policy "${pagePolicy.replaceAll('%', '%%')}"
  Header set Cache-Control no-cache
  <If "%{REQUEST_URI} =~ m#/_docent/.*${HASH_IN_NAME}#">
    Header set Cache-Control "public, max-age=31536000, immutable"
  </If>
</IfModule>
RewriteEngine On
RewriteCond %{REQUEST_FILENAME} !-f
RewriteRule ^$ index.html [L]
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{DOCUMENT_ROOT}${basePath}/$1.html -f
RewriteRule ^(.+?)/?$ $1.html [L]
`;
}

function cloudfront(redirects: ServerRedirect[], basePath: string): string {
  const rules = redirects.map(
    (rule) =>
      `  [${JSON.stringify(rule.pattern)}, ${JSON.stringify(rule.destination)}, ${rule.status}],`,
  );
  const code = `// For the viewer requests of a CloudFront distribution (runtime cloudfront-js-2.0). The bundle lies at ${basePath || '/'} of the origin.
var base = ${JSON.stringify(basePath)};
var redirects = [
${rules.join('\n')}
];

function handler(event) {
  var request = event.request;
  var uri = request.uri;
  for (var i = 0; i < redirects.length; i++) {
    var found = new RegExp(redirects[i][0]).exec(uri);
    if (found) return moved(redirects[i], found);
  }
  if (uri === base || uri === base + '/') request.uri = base + '/index.html';
  else if (uri.charAt(uri.length - 1) === '/') request.uri = uri.slice(0, -1) + '.html';
  else if (!/\\.[a-z][a-z0-9]{0,9}$/i.test(uri)) request.uri = uri + '.html';
  return request;
}

function moved(rule, found) {
  var location = '';
  for (var i = 0; i < rule[1].length; i++) {
    var part = rule[1][i];
    location += typeof part === 'number' ? found[part] || '' : part;
  }
  return { statusCode: rule[2], statusDescription: 'Redirect', headers: { location: { value: location } } };
}
`;
  if (code.length <= CLOUDFRONT_LIMIT_BYTES) return code;
  return `// CloudFront takes functions up to 10 KB, and this one is larger: move the redirects to a key value store.\n${code}`;
}

const NAMED_REST = /:([A-Za-z_]\w*)[*+]$/;

/**
 * Returns the redirects of a site as a `_redirects` file, which several static hosts support. Omits
 * rules that the file format cannot express (a wildcard inside a path, or two).
 * @param basePath prefix of every path of the site
 */
export function redirectsFile(rules: SiteConfig['redirects'], basePath: string): string {
  const lines = rules.map((rule) => ruleLine(rule, basePath)).filter((line) => line !== undefined);
  return lines.map((line) => `${line}\n`).join('');
}

function ruleLine(
  { source, destination, permanent }: SiteConfig['redirects'][number],
  base: string,
): string | undefined {
  const from = base + pathOf(source);
  const to = /^https?:\/\//i.test(destination) ? destination : base + pathOf(destination);
  if (/\s/.test(from + to)) return undefined;
  const status = permanent ? 308 : 307;
  const rest = NAMED_REST.exec(from)?.[1];
  const open = rest === undefined ? from : from.replace(NAMED_REST, '*');
  if (!/\*/.test(open)) return /[*]/.test(to) ? undefined : `${from} ${to} ${status}`;
  // A wildcard must be at the end, after a slash.
  if (!/^[^*]*\/\*$/.test(open)) return undefined;
  const filled =
    rest === undefined
      ? to.replace(/\*/, ':splat')
      : to.replace(new RegExp(`:${rest}(?:[*+]|\\b)`), ':splat');
  return /[*]/.test(filled) ? undefined : `${open} ${filled} ${status}`;
}

function pathOf(address: string): string {
  return address.startsWith('/') ? address : `/${address}`;
}

/** A redirect of docs.json in a form that web servers support. */
export interface ServerRedirect {
  /**
   * Regular expression for the whole path: the common subset of PCRE and JavaScript, in printable
   * ASCII.
   */
  pattern: string;
  /** The destination; `number` refers to a group of the pattern, from 1. */
  destination: (string | number)[];
  status: 307 | 308;
}

const REST = /^(?::([A-Za-z_]\w*)([*+])|\*)$/;
const TRAILING_STAR = /^([^:*]+)\*$/;
const PARAMETER = /(:[A-Za-z_]\w*|\*)/;
const REFERENCE = /(:[A-Za-z_]\w*[*+?]?|\*)/;

// A path must never begin with two slashes, or what browsers treat as such: it would name another
// host.
const TAIL = '(?:[^/?\\x5c][^?]*)?';
const SOME_TAIL = '[^/?\\x5c][^?]*';
const WORD = '[^/?\\x5c]+';

/**
 * Translates a redirect.
 * @param encode whether the server compares paths encoded, as in the URL, or decoded
 * @param basePath prefix of every path of the site, without a trailing slash
 * @returns undefined for a rule without a usable target, or that redirects to itself or to a host
 *   that a reader could choose
 */
export function serverRedirect(
  { source, destination, permanent }: SiteConfig['redirects'][number],
  basePath: string,
  encode: (path: string) => string,
): ServerRedirect | undefined {
  const target = destination.startsWith('//') ? undefined : splitDestination(destination);
  if (target === undefined) return undefined;
  const { origin } = target;
  const from = normalizePath(source);
  const rest = origin === '' ? `/${destination.replace(/^\/+/, '')}` : target.rest;
  if (origin === '' && normalizePath(rest) === from) return undefined;
  const { pattern, groups } = patternOf(from, encode);
  const start = origin === '' ? basePath : origin;
  return {
    pattern: `^${literal(encode(basePath))}${pattern}/?$`,
    destination: destinationOf(encode(start), rest, groups, encode),
    status: permanent ? 308 : 307,
  };
}

function literal(text: string): string {
  return text.replace(
    /[^\w/~%=\u0080-\uffff-]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

function patternOf(
  source: string,
  encode: (path: string) => string,
): { pattern: string; groups: string[] } {
  const groups: string[] = [];
  const group = (name: string, inside: string): string => {
    groups.push(name);
    return `(${inside})`;
  };
  const words = source.split('/').slice(1);
  const written = words.map((word, index) => {
    const rest = REST.exec(word);
    if (rest?.[2] === '+') return `/${group(rest[1] ?? '*', SOME_TAIL)}`;
    if (rest) return `(?:/${group(rest[1] ?? '*', TAIL)})?`;
    const prefix = index === words.length - 1 ? TRAILING_STAR.exec(word)?.[1] : undefined;
    if (prefix !== undefined) return `/${literal(encode(prefix))}${group('*', TAIL)}`;
    const parts = word.split(PARAMETER);
    const wordOf = (part: string, at: number) =>
      at % 2 === 0
        ? literal(encode(part))
        : group(part.replace(':', ''), at === parts.length - 2 ? WORD : `${WORD}?`);
    return `/${parts.map(wordOf).join('')}`;
  });
  return { pattern: source === '/' ? '' : written.join(''), groups };
}

function destinationOf(
  start: string,
  rest: string,
  groups: string[],
  encode: (path: string) => string,
): (string | number)[] {
  const out: (string | number)[] = [start];
  for (const [at, part] of rest.split(REFERENCE).entries()) {
    const group =
      at % 2 === 0
        ? 0
        : groups.lastIndexOf(part === '*' ? '*' : part.slice(1).replace(/[*+?]$/, '')) + 1;
    if (group > 0) out.push(group);
    else if (part !== '') out.push(encode(part));
  }
  return out;
}
