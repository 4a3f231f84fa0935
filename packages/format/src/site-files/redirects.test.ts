import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { createRedirectEnds, createRedirects } from './redirects.ts';

function redirects(...pairs: [source: string, destination: string][]) {
  const find = createRedirects(
    pairs.map(([source, destination]) => ({ source, destination, permanent: true })),
  );
  return (path: string) => find(path)?.destination;
}

describe('createRedirects', () => {
  it.each([
    ['/old', '/new', '/old', '/new'],
    ['/old', '/new', '/old/', '/new'],
    ['/old/', '/new#part', '/old', '/new#part'],
    ['/old', '/new', '/older', undefined],
    ['/old', '/new?x=1#y', '/old', '/new?x=1#y'],
    ['/blog', 'https://example.com/blog', '/blog', 'https://example.com/blog'],
    ['/api/:path*', '/api-reference', '/api/a/b', '/api-reference'],
    ['/api/:path*', '/ref/:path*', '/api/a/b', '/ref/a/b'],
    ['/api/:path*', '/ref/:path*', '/api', '/ref'],
    ['/api/:path+', '/ref/:path+', '/api', undefined],
    ['/api/:path*', '/ref/:path*', '/apis/a', undefined],
    ['/api/*', '/ref/*', '/api/a/b', '/ref/a/b'],
    ['/a/:x/c/:y', '/:y/:x', '/a/1/c/2', '/2/1'],
    ['/a/:x', '/b/:x', '/a/1/2', undefined],
    ['/a/:x', '/b/:x', '/a', undefined],
    ['/v:major-:minor', '/:major/:minor', '/v1-2', '/1/2'],
    ['/docs/concepts-*', '/guides/concepts-*', '/docs/concepts-a/b', '/guides/concepts-a/b'],
    ['/docs/concepts-*', '/guides/concepts-*', '/docs/concept', undefined],
    ['/:lang/old-*', '/:lang/new-*', '/fr/old-x', '/fr/new-x'],
    ['/:a*/end/:b*', '/:b*/:a*', '/x/y/end/z', '/z/x/y'],
    [
      '/a/:s*',
      'https://example.com:8080/x/:s*?from=:s',
      '/a/1/2',
      'https://example.com:8080/x/1/2?from=1/2',
    ],
    ['/a b', '/c d', '/a%20b', '/c%20d'],
    ['/alt', '/über', '/alt', '/%C3%BCber'],
    ['/:x', '/t?q=:x', '/a%26b%3Dc', '/t?q=a%26b%3Dc'],
  ])('with %s → %s maps %s to %s', (source, destination, path, expected) => {
    expect(redirects([source, destination])(path)).toBe(expected);
  });

  it('applies the first matching rule, with or without parameters', () => {
    const find = redirects(
      ['/api/special', '/first'],
      ['/api/:rest*', '/second'],
      ['/api/late', '/never'],
    );
    expect(find('/api/special')).toBe('/first');
    expect(find('/api/late')).toBe('/second');
  });

  it('uses 308 for permanent rules and 307 for others', () => {
    const find = createRedirects([
      { source: '/a', destination: '/b', permanent: true },
      { source: '/c', destination: '/d', permanent: false },
    ]);
    expect([find('/a')?.status, find('/c')?.status]).toEqual([308, 307]);
  });

  it('ignores a rule that redirects to the same path', () => {
    const find = redirects(['/:page', '/:page'], ['/docs/:rest*', '/docs/:rest*/']);
    expect(find('/a')).toBeUndefined();
    expect(find('/docs/a')).toBeUndefined();
  });

  it.each([
    '//evil.example/x',
    '/\\evil.example',
    '/%5Cevil.example',
    '/%2F%2Fevil.example',
    '/x/..//evil.example',
    '/\t/evil.example',
  ])('never redirects to a host chosen by the reader: %j', (path) => {
    const find = redirects(['/old/:rest*', '/:rest*'], ['/:rest*', '/new/:rest*']);
    for (const destination of [find(`/old${path}`), find(path)]) {
      expect(new URL(destination ?? '/', 'https://docs.example.com').origin).toBe(
        'https://docs.example.com',
      );
      expect(destination).toMatch(/^\/[\x21-\x7e]*$/);
    }
  });

  it('rejects destinations with an unsafe scheme or a parameter in the host', () => {
    const find = redirects(
      ['/a', 'javascript:alert(1)'],
      ['/b/:host', 'https://:host/x'],
      ['/c/:h', 'https://:h.example.com'],
    );
    expect([find('/a'), find('/b/evil.example'), find('/c/evil')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stays fast for patterns and paths designed to be slow', () => {
    const stars = Array.from({ length: 30 }, (_, index) => `:p${index}*/a`).join('/');
    const find = redirects([`/${stars}/end`, '/x'], [`/${':a-'.repeat(40)}end`, '/y']);
    const startedAt = cpuMs();
    expect(find(`/${'a/'.repeat(1000)}b`)).toBeUndefined();
    expect(find(`/${'x-'.repeat(1000)}b`)).toBeUndefined();
    expect(find(`/${'a/'.repeat(1_000_000)}`)).toBeUndefined();
    expect(cpuMs() - startedAt).toBeLessThan(500);
  });
});

describe('createRedirectEnds', () => {
  const pairs = [
    ['/a', '/b#part'],
    ['/b', '/c'],
    ['/c', '/d'],
    ['/out', '/away'],
    ['/away', 'https://example.com/x'],
    ['/x', '/y'],
    ['/y', '/x'],
  ] as const;
  const find = createRedirectEnds(
    pairs.map(([source, destination]) => ({ source, destination, permanent: true })),
  );

  it.each([
    ['/a', '/d#part'],
    ['/c', '/d'],
    ['/out', 'https://example.com/x'],
    ['/d', undefined],
    ['/x', undefined],
  ])('follows %s to %s', (path, expected) => {
    expect(find(path)?.destination).toBe(expected);
  });
});
