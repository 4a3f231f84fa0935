import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isUnknownHost, ownerOfHost, rewriteUrl } from './site-hosts.ts';

const names = {
  publicHostname: 'docs.platform.example',
  reservedHostnames: ['docent.corp.example'],
  sitesDomain: 'sites.example.net',
};
// Names of the platform never belong to a site, even if one was stored.
const ownerOf = ownerOfHost(names, {
  slugOf: (hostname) => {
    if (hostname === 'www.acme.example') return 'below';
    return ['docs.example.com', 'docent.corp.example', 'a.default.svc.cluster.local'].includes(
      hostname,
    )
      ? 'docs'
      : undefined;
  },
  basePathOf: (slug) => (slug === 'below' ? '/docs' : ''),
});
const requestTo = (host: string | undefined, url: string) => ({
  url,
  headers: { ...(host !== undefined && { host }) },
});
const rewrite = (host: string | undefined, url: string) =>
  rewriteUrl(requestTo(host, url), ownerOf);
const isRefused = (host: string | undefined, url = '/v1/keys') => {
  const request = requestTo(host, url);
  rewriteUrl(request, ownerOf);
  return isUnknownHost(request as unknown as IncomingMessage);
};

describe('host routing', () => {
  it.each([
    ['docs.localhost:3000', '/guides/start?x=1', '/sites/docs/guides/start?x=1'],
    ['DOCS.localhost', '/', '/sites/docs/'],
    ['docs.example.com', '/a', '/sites/docs/a'],
    ['Docs.Example.com.:8443', '/v1/keys', '/sites/docs/v1/keys'],
    ['docs.sites.example.net:8443', '/a', '/sites/docs/a'],
    ['docs.localhost', '/sites/other/', '/sites/docs/sites/other/'],
    ['docs.localhost', '//evil.example/', '/sites/docs//evil.example/'],
  ])('maps %s%s to the site', (host, url, inside) => {
    expect(rewrite(host, url)).toBe(inside);
    expect(isRefused(host, url)).toBe(false);
  });

  it.each([
    ['www.acme.example', '/docs', '/sites/below/'],
    ['below.localhost:3000', '/docs?x=1', '/sites/below/?x=1'],
    ['below.sites.example.net', '/docs/guides/start?x=1', '/sites/below/guides/start?x=1'],
    ['below.sites.example.net', '/guides/start', '/sites/below/guides/start'],
    ['below.sites.example.net', '/docs/docs/start', '/sites/below/docs/start'],
    ['below.sites.example.net', '/docsearch', '/sites/below/docsearch'],
    ['localhost', 'http://www.acme.example/docs/mcp', '/sites/below/mcp'],
    ['docs.localhost', '/docs/start', '/sites/docs/docs/start'],
  ])('maps %s%s to the site, without its base path if the proxy kept it', (host, url, inside) => {
    expect(rewrite(host, url)).toBe(inside);
  });

  it.each([
    ['localhost', 'http://docs.localhost/metrics', '/sites/docs/metrics'],
    ['docs.localhost', 'http://docs.example.com:3000?x=1', '/sites/docs/?x=1'],
    ['docs.localhost', 'HTTPS://Docs.Example.com/v1/keys', '/sites/docs/v1/keys'],
    ['docs.localhost', 'http://localhost/v1/keys', '/v1/keys'],
  ])('ignores the host %s for the absolute target %s', (host, url, inside) => {
    expect(rewrite(host, url)).toBe(inside);
    expect(isRefused(host, url)).toBe(false);
  });

  it.each([
    'localhost:3000',
    '127.0.0.1',
    '[::1]:3000',
    'docs.platform.example',
    'DOCS.PLATFORM.EXAMPLE:443',
    'docent.corp.example',
    'eu.docent.corp.example',
    'a.default.svc.cluster.local',
    'docent:3000',
    '',
    undefined,
  ])('maps the host %s to the platform', (host) => {
    expect(rewrite(host, '/v1/keys')).toBe('/v1/keys');
    expect(isRefused(host)).toBe(false);
  });

  it.each([
    'a.b.localhost',
    'a.b.sites.example.net',
    'sites.example.net',
    '-a.sites.example.net',
    'other.example.com',
    '../x.localhost',
    'a.docs.platform.example',
    'rebind.attacker.com:3000',
    '1.2.3.4.5',
  ])('rejects the host %s', (host) => {
    expect(isRefused(host)).toBe(true);
  });

  it('rejects an absolute target with an unknown host behind a known Host header', () => {
    expect(isRefused('localhost', 'http://rebind.attacker.com/v1/keys')).toBe(true);
    expect(isRefused('localhost', 'http://a@docs.example.com/v1/keys')).toBe(true);
  });

  it('leaves a request target that is not a path unchanged', () => {
    expect(rewrite('docs.localhost', '*')).toBe('*');
  });
});
