import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createRedirects } from '../site-files/redirects.ts';
import { hostingFiles, redirectsFile } from './hosting-files.ts';

const POLICY = "default-src 'self'; script-src 'self' https://cdn.example.com/%7Eacme/";

const rule = (source: string, destination: string, permanent = true) => ({
  source,
  destination,
  permanent,
});
const rules = [
  rule('/old', '/new#part'),
  rule('/blog', 'https://example.com/blog', false),
  rule('/api/:path*', '/ref/:path*'),
  rule('/more/:path+', '/ref/:path+'),
  rule('/a/:x/c/:y', '/:y/:x'),
  rule('/v:major-:minor', '/:major/:minor'),
  rule('/docs/concepts-*', '/guides/concepts-*'),
  rule('/alt', '/über'),
  rule('/any/:rest*', '/:rest*'),
];

type Answer = { statusCode?: number; uri?: string; headers?: { location: { value: string } } };

function files(basePath: string, from = rules) {
  return new Map(hostingFiles(from, basePath, POLICY).map(({ path, text }) => [path, text]));
}

/** Runs the CloudFront function, which shares its patterns with the files for other servers. */
function cloudfront(basePath: string, from = rules): (uri: string) => Answer {
  const world: { handler?: (event: object) => Answer } = {};
  runInNewContext(files(basePath, from).get('_hosting/cloudfront-function.js') ?? '', world);
  return (uri) => (world.handler as (event: object) => Answer)({ request: { uri } });
}

describe('the rules for web servers', () => {
  it('send the content security policy in the syntax of each server', () => {
    const made = files('/docs');
    expect(made.get('_hosting/nginx.conf')).toContain(
      `add_header Content-Security-Policy "${POLICY}" always;`,
    );
    expect(made.get('.htaccess')).toContain(
      `Header set Content-Security-Policy "${POLICY.replace('%', '%%')}"`,
    );
  });

  const redirect = createRedirects(rules);
  it.each([
    '/old',
    '/old/',
    '/older',
    '/blog',
    '/api/a/b',
    '/apis/a',
    '/more',
    '/more/a',
    '/a/1/c/2',
    '/v1-2',
    '/docs/concepts-a/b',
    '/docs/concept',
    '/alt',
    '/new',
  ])('redirect %s like the platform, also below a base path', (path) => {
    const expected = redirect(path);
    for (const base of ['', '/docs-v1.2/x']) {
      const answer = cloudfront(base)(base + path);
      const local = expected?.destination.startsWith('/') ? base : '';
      expect(answer.headers?.location.value).toBe(expected && local + expected.destination);
      expect(answer.statusCode).toBe(expected?.status);
    }
  });

  it.each([
    '/any//evil.example',
    '/any/\\evil.example',
    '/any/%2F%2Fevil.example',
    '/any/%5Cevil.example',
  ])('never redirect to a host chosen by the reader: %s', (path) => {
    const to = cloudfront('')(path).headers?.location.value ?? '/';
    expect(new URL(to, 'https://docs.example.com').origin).toBe('https://docs.example.com');
  });

  it('omit redirects that could run code, change the host, or loop', () => {
    const hostile = [
      rule('/a', 'javascript:alert(1)'),
      rule('/b/:h', 'https://:h.example.com'),
      rule('/c', '//x.test'),
      rule('/d', '/d/'),
    ];
    expect(files('', hostile).get('_hosting/cloudfront-function.js')).toContain(
      'var redirects = [\n\n];',
    );
  });

  it('cannot be escaped from by the text of a redirect', () => {
    const hostile = [rule('/a"; } evil {', '/b"; } $uri\\\n evil'), rule('/x$1', "/y'")];
    const nginx = files('', hostile).get('_hosting/nginx.conf') ?? '';
    const [first, second] = nginx.split('\n').filter((line) => line.startsWith('if'));
    expect(first).toMatch(
      /^if \(\$request_uri ~ "\^[\w/%\\-]+\/\?\(\?:\[\?\]\.\*\)\?\$"\) \{ return 308 "[\w/%.;&]+\$is_args\$args"; \}$/,
    );
    expect(second).toContain('%241');
    const apache = files('', hostile).get('.htaccess') ?? '';
    expect(apache.split('\n').filter((line) => line.startsWith('RedirectMatch'))[0]).toMatch(
      /^RedirectMatch 308 "[^"]+" "[^"$\\]+"$/,
    );
  });
});

describe('a bundle behind CloudFront', () => {
  it.each([
    ['', '/', '/index.html'],
    ['', '/guides/start', '/guides/start.html'],
    ['', '/guides/start/', '/guides/start.html'],
    ['', '/guides/v1.2', '/guides/v1.2.html'],
    ['', '/images/a.png', '/images/a.png'],
    ['/docs', '/docs', '/docs/index.html'],
    ['/docs', '/docs/', '/docs/index.html'],
  ])('with base path "%s" serves %s from the file %s', (base, uri, file) => {
    expect(cloudfront(base)(uri).uri).toBe(file);
  });
});

it('the redirects file contains the supported redirects and omits the others', () => {
  const rules = [
    rule('/old', '/new'),
    rule('temp', 'other#part', false),
    rule('/docs/:slug*', '/guides/:slug*'),
    rule('/blog/*', 'https://blog.test/*'),
    rule('/a/:lang/b', '/:lang/c'),
    rule('/beta-*', '/v2/*'),
    rule('/a/*/b', '/c'),
    rule('/bad name', '/x'),
  ];
  expect(redirectsFile(rules, '').split('\n')).toEqual([
    '/old /new 308',
    '/temp /other#part 307',
    '/docs/* /guides/:splat 308',
    '/blog/* https://blog.test/:splat 308',
    '/a/:lang/b /:lang/c 308',
    '',
  ]);
});
