import { describe, expect, it } from 'vitest';
import type { BuiltPage } from '../site-build.ts';
import { exportedPages } from './select-pages.ts';

function page(path: string, more: Partial<BuiltPage> = {}): BuiltPage {
  const content = { sha256: '', sizeBytes: 0, type: '' };
  return { path, href: path === 'index' ? '/' : `/${path}`, file: `${path}.mdx`, title: path, mode: 'default', content, ...more };
}

const pages = [
  page('index'),
  page('v1/start', { version: 'v1', language: 'en' }),
  page('v2/start', { version: 'v2', language: 'en' }),
  page('fr/v2/start', { version: 'v2', language: 'fr' }),
  page('elsewhere', { externalUrl: 'https://example.com' }),
  page('again', { href: '/v1/start', version: 'v1' }),
];
const paths = (options: Parameters<typeof exportedPages>[1]) => exportedPages(pages, options).map(({ path }) => path);

describe('the pages of a bundle', () => {
  it('are all pages with their own URL, each URL once', () => {
    expect(paths({})).toEqual(['index', 'v1/start', 'v2/start', 'fr/v2/start']);
  });

  it('are those of the selected version and language and those without any', () => {
    expect(paths({ version: 'v2' })).toEqual(['index', 'v2/start', 'fr/v2/start']);
    expect(paths({ version: 'v2', language: 'fr' })).toEqual(['index', 'fr/v2/start']);
  });

  it('are the selected ones, in any spelling of their paths', () => {
    expect(paths({ paths: ['/', 'index', '/v1/start'] })).toEqual(['index', 'v1/start']);
    expect(paths({ paths: [] })).toEqual([]);
  });
});
