import { expect, it } from 'vitest';
import { redirectsFile } from './hosting-files.ts';

const rule = (source: string, destination: string, permanent = true) => ({ source, destination, permanent });

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
  expect(redirectsFile(rules).split('\n')).toEqual([
    '/old /new 308',
    '/temp /other#part 307',
    '/docs/* /guides/:splat 308',
    '/blog/* https://blog.test/:splat 308',
    '/a/:lang/b /:lang/c 308',
    '',
  ]);
});
