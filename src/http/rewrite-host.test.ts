import { describe, expect, it } from 'vitest';
import { rewriteUrl } from './rewrite-host.ts';

const slugOfHostname = (hostname: string) => (hostname === 'docs.example.com' ? 'docs' : undefined);
const rewrite = (host: string | undefined, url: string) => rewriteUrl({ url, headers: { host } }, slugOfHostname);

describe('addresses by host', () => {
  it.each([
    ['docs.localhost:3000', '/guides/start?x=1', '/sites/docs/guides/start?x=1'],
    ['DOCS.localhost', '/', '/sites/docs/'],
    ['docs.example.com', '/a', '/sites/docs/a'],
    ['Docs.Example.com.:8443', '/v1/keys', '/sites/docs/v1/keys'],
    ['docs.localhost', '/sites/other/', '/sites/docs/sites/other/'],
    ['docs.localhost', '//evil.example/', '/sites/docs//evil.example/'],
  ])('%s%s is inside the site', (host, url, inside) => {
    expect(rewrite(host, url)).toBe(inside);
  });

  it.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'a.b.localhost', 'other.example.com', '../x.localhost', '', undefined])(
    'the host %s is the platform itself',
    (host) => {
      expect(rewrite(host, '/v1/keys')).toBe('/v1/keys');
    },
  );

  it('a request target that is no path stays as it is', () => {
    expect(rewrite('docs.localhost', '*')).toBe('*');
    expect(rewrite('docs.localhost', 'http://x/')).toBe('http://x/');
  });
});
