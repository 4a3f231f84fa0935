import type { SiteConfig } from '../docs-json/site-config.ts';

const NAMED_REST = /:([A-Za-z_]\w*)[*+]$/;

/**
 * Returns the redirects of a site as a `_redirects` file, which several static hosts support. Omits rules that the file format
 * cannot express (a wildcard inside a path, or two).
 * @param basePath prefix of every path of the site
 */
export function redirectsFile(rules: SiteConfig['redirects'], basePath = ''): string {
  let out = '';
  for (const rule of rules) {
    const line = ruleLine(rule, basePath);
    if (line !== undefined) out += `${line}\n`;
  }
  return out;
}

function ruleLine({ source, destination, permanent }: SiteConfig['redirects'][number], base: string): string | undefined {
  const from = base + pathOf(source);
  const to = /^https?:\/\//i.test(destination) ? destination : base + pathOf(destination);
  if (/\s/.test(from + to)) return undefined;
  const status = permanent ? 308 : 307;
  const rest = NAMED_REST.exec(from)?.[1];
  const open = rest === undefined ? from : from.replace(NAMED_REST, '*');
  if (!/\*/.test(open)) return /[*]/.test(to) ? undefined : `${from} ${to} ${status}`;
  // A wildcard must be at the end, after a slash.
  if (!/^[^*]*\/\*$/.test(open)) return undefined;
  const filled = rest === undefined ? to.replace(/\*/, ':splat') : to.replace(new RegExp(`:${rest}(?:[*+]|\\b)`), ':splat');
  return /[*]/.test(filled) ? undefined : `${open} ${filled} ${status}`;
}

function pathOf(address: string): string {
  return address.startsWith('/') ? address : `/${address}`;
}
