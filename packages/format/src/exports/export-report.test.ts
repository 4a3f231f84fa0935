import { describe, expect, it } from 'vitest';
import type { BuiltPage } from '../build/site-build.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { exportFailure, pagesBuiltWithErrors } from './export-report.ts';

const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `p${index}`,
    file: `p${index}.html`,
    reason: 'it broke',
  }));

describe('exportFailure', () => {
  it('fails an export only above the allowed share of failed pages, with a page and its reason', () => {
    expect(exportFailure({ pageCount: 10, failedPages: failed(2) })).toBeUndefined();
    expect(exportFailure({ pageCount: 10, failedPages: failed(3) })).toMatch(
      /^3 of 10 pages .* 20 % .*"p0": it broke/,
    );
    expect(exportFailure({ pageCount: 1, failedPages: failed(1) })).toContain('1 of 1');
    expect(exportFailure({ pageCount: 0, failedPages: [] })).toBeUndefined();
  });
});

describe('pagesBuiltWithErrors', () => {
  it('returns each page with the first error of its file and ignores warnings and other files', () => {
    const page = (path: string, file: string) => ({ path, file }) as BuiltPage;
    const found = (severity: 'error' | 'warning', file: string, message: string, line?: number) =>
      ({ severity, file, message, code: 'x', remedy: '', ...(line && { line }) }) as Diagnostic;
    const pages = [page('a', 'a.mdx'), page('b', 'b.mdx'), page('made', '')];
    const diagnostics = [
      found('warning', 'b.mdx', 'small'),
      found('error', 'a.mdx', 'first', 3),
      found('error', 'a.mdx', 'second'),
      found('error', '', 'of the site'),
    ];
    expect(
      [...pagesBuiltWithErrors(pages, { diagnostics })].map(([{ path }, reason]) => [path, reason]),
    ).toEqual([['a', 'a.mdx:3: first']]);
  });
});
