import { describe, expect, it } from 'vitest';
import type { DocentError } from '../errors.ts';
import type { BuiltPage } from '../site-build.ts';
import { selectPages } from './select-pages.ts';

function page(path: string, version?: string): BuiltPage {
  const href = path === 'index' ? '/' : `/${path}`;
  return {
    path,
    href,
    file: `${path}.mdx`,
    title: path,
    mode: 'default',
    version,
    content: { sha256: '', sizeBytes: 0, type: '' },
  };
}

const pages = [page('index'), page('guides/start', 'v1'), page('guides/next', 'v2')];

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
    expect(selectPages(pages, { paths: ['/guides/start', 'guides/start/', 'guides/start.html', '/', 'index'] })).toEqual([
      'guides/start',
      'index',
    ]);
  });

  it('rejects paths that are not pages and reports each by its index', () => {
    const error = fault({ paths: ['guides/start', 'nope', '../etc/passwd', '__proto__'] });
    expect(error?.code).toBe('invalid_paths');
    expect(error?.errors?.map(({ path }) => path)).toEqual(['/paths/1', '/paths/2', '/paths/3']);
  });

  it('rejects an unknown language and pages of another language', () => {
    const translated = pages.map((one) => (one.path === 'index' ? one : { ...one, language: 'en' }));
    const ask = (wanted: Parameters<typeof selectPages>[1]) => () => selectPages(translated, wanted);
    expect(ask({ language: 'fr' })).toThrow('no language "fr"; it has en');
    expect(selectPages(translated, { language: 'en', paths: ['index', 'guides/start'] })).toEqual(['index', 'guides/start']);
    const [first, ...others] = translated;
    const french = [first as BuiltPage, { ...(others[0] as BuiltPage), language: 'fr' }, ...others.slice(1)];
    expect(() => selectPages(french, { language: 'en', paths: ['guides/start'] })).toThrow('belongs to the language "fr"');
  });

  it('rejects an unknown version and pages of another version', () => {
    expect(fault({ version: 'v9' })?.errors).toEqual([{ path: '/version', message: expect.stringContaining('v1, v2') }]);
    expect(fault({ version: 'v1', paths: ['guides/next'] })?.code).toBe('invalid_paths');
  });
});
