import { describe, expect, it } from 'vitest';
import type { BuiltPage } from '../build/site-build.ts';
import type { DocentError } from '../errors.ts';
import { exportedPages, selectPages } from './select-pages.ts';

function page(path: string, more: Partial<BuiltPage> = {}): BuiltPage {
  const content = { sha256: '', sizeBytes: 0, type: '' };
  return {
    path,
    href: path === 'index' ? '/' : `/${path}`,
    file: `${path}.mdx`,
    title: path,
    mode: 'default',
    content,
    ...more,
  };
}

const pages = [
  page('index'),
  page('guides/start', { version: 'v1' }),
  page('guides/next', { version: 'v2' }),
];

function fault(wanted: Parameters<typeof selectPages>[1]): DocentError | undefined {
  try {
    selectPages(pages, wanted);
    return undefined;
  } catch (error) {
    return error as DocentError;
  }
}

describe('the page selection of an export', () => {
  it('includes everything if no paths are set', () => {
    expect(selectPages(pages, {})).toBeNull();
    expect(selectPages(pages, { version: 'v1' })).toBeNull();
  });

  it('accepts pages in any spelling and returns each once', () => {
    expect(
      selectPages(pages, {
        paths: ['/guides/start', 'guides/start/', 'guides/start.html', '/', 'index'],
      }),
    ).toEqual(['guides/start', 'index']);
  });

  it('rejects paths that are not pages and reports each by its index', () => {
    const error = fault({ paths: ['guides/start', 'nope', '../etc/passwd', '__proto__'] });
    expect(error?.code).toBe('invalid_paths');
    expect(error?.errors?.map(({ path }) => path)).toEqual(['/paths/1', '/paths/2', '/paths/3']);
  });

  it('rejects an unknown language and pages of another language', () => {
    const translated = pages.map((one) =>
      one.path === 'index' ? one : { ...one, language: 'en' },
    );
    const ask = (wanted: Parameters<typeof selectPages>[1]) => () =>
      selectPages(translated, wanted);
    expect(ask({ language: 'fr' })).toThrow('no language "fr"; it has en');
    expect(selectPages(translated, { language: 'en', paths: ['index', 'guides/start'] })).toEqual([
      'index',
      'guides/start',
    ]);
    const [first, ...others] = translated;
    const french = [
      first as BuiltPage,
      { ...(others[0] as BuiltPage), language: 'fr' },
      ...others.slice(1),
    ];
    expect(() => selectPages(french, { language: 'en', paths: ['guides/start'] })).toThrow(
      'belongs to the language "fr"',
    );
  });

  it('rejects an unknown version and pages of another version', () => {
    expect(fault({ version: 'v9' })?.errors).toEqual([
      { path: '/version', message: expect.stringContaining('v1, v2') },
    ]);
    expect(fault({ version: 'v1', paths: ['guides/next'] })?.code).toBe('invalid_paths');
  });
});

const bundlePages = [
  page('index'),
  page('v1/start', { version: 'v1', language: 'en' }),
  page('v2/start', { version: 'v2', language: 'en' }),
  page('fr/v2/start', { version: 'v2', language: 'fr' }),
  page('elsewhere', { externalUrl: 'https://example.com' }),
  page('again', { href: '/v1/start', version: 'v1' }),
];
const paths = (options: Parameters<typeof exportedPages>[1]) =>
  exportedPages(bundlePages, options).map(({ path }) => path);

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
