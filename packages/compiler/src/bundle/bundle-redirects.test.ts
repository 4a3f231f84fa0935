import { expect, it } from 'vitest';
import { bundleAddresses } from '../site/site-addresses.ts';
import { redirectFiles } from './bundle-redirects.ts';

const HOSTING = [
  '_hosting/nginx.conf',
  '.htaccess',
  '_redirects',
  '_hosting/cloudfront-function.js',
  '.nojekyll',
];
const rule = (source: string, destination: string) => ({ source, destination, permanent: true });
const contents = {
  hasPage: (href: string) => href === '/guides/start',
  hasFile: () => false,
  origin: 'https://docs.acme.test',
  omittedLinks: 'live' as const,
};
const addresses = bundleAddresses(contents);
const isTaken = (path: string) => path === 'guides/start.html';

it('redirects become pages that work from the disk, and never replace a file', () => {
  const rules = [
    rule('/old/page', '/guides/start#x'),
    rule('/gone.html', 'https://elsewhere.test/a'),
    rule('/left-out', '/not/in/bundle'),
    rule('/guides/start', '/x'),
    rule('/guides/start.html/deeper', '/x'),
    rule('/../../etc/passwd', '/guides/start'),
    rule('/a/:slug*', '/guides/:slug*'),
    rule('/', '/guides/start'),
  ];
  const files = new Map(
    [
      ...redirectFiles({
        rules,
        basePath: '/docs',
        pagePolicy: "default-src 'self'",
        addresses,
        isTaken,
      }),
    ].map(({ path, text }) => [path, text]),
  );
  expect([...files.keys()]).toEqual(['old/page.html', 'gone.html', 'left-out.html', ...HOSTING]);
  expect(files.get('old/page.html')).toContain('content="1;url=../guides/start.html#x"');
  expect(files.get('gone.html')).toContain('url=https://elsewhere.test/a');
  expect(files.get('left-out.html')).toContain('url=https://docs.acme.test/not/in/bundle');
  expect(files.get('_redirects')).toContain('/docs/a/* /docs/guides/:splat 308');
});

it('a redirect to a page that a bundle omits as plain text is omitted too', () => {
  const text = bundleAddresses({ ...contents, omittedLinks: 'text' });
  const rules = [rule('/left-out', '/not/in/bundle'), rule('/old', '/guides/start')];
  const files = [
    ...redirectFiles({
      rules,
      basePath: '',
      pagePolicy: "default-src 'self'",
      addresses: text,
      isTaken,
    }),
  ];
  expect(files.map(({ path }) => path)).toEqual(['old.html', ...HOSTING]);
});

it('a file of the repository takes precedence over a generated one', () => {
  const files = [
    ...redirectFiles({
      rules: [],
      basePath: '',
      pagePolicy: "default-src 'self'",
      addresses,
      isTaken: (path) => path === '.htaccess',
    }),
  ];
  expect(files.map(({ path }) => path)).toEqual(
    HOSTING.filter((path) => path !== '.htaccess' && path !== '_redirects'),
  );
});
