import { expect, it } from 'vitest';
import { redirectFiles } from './bundle-redirects.ts';
import { bundleAddresses } from './site-addresses.ts';

const rule = (source: string, destination: string) => ({ source, destination, permanent: true });
const addresses = bundleAddresses((href) => href === '/guides/start', 'https://docs.acme.test');

it('redirects become pages of a bundle that lead on from the disk, and never take the place of a file', () => {
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
  const isTaken = (path: string) => path === 'guides/start.html';
  const files = new Map([...redirectFiles({ rules, addresses, isTaken })].map(({ path, text }) => [path, text]));
  expect([...files.keys()]).toEqual(['old/page.html', 'gone.html', 'left-out.html', '_redirects']);
  expect(files.get('old/page.html')).toContain('content="1;url=../guides/start.html#x"');
  expect(files.get('gone.html')).toContain('url=https://elsewhere.test/a');
  expect(files.get('left-out.html')).toContain('url=https://docs.acme.test/not/in/bundle');
  expect(files.get('_redirects')).toContain('/a/* /guides/:splat 308');
});
