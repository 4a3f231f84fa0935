import type { BuiltPage, SiteBuild } from '../build/site-build.ts';
import { type Diagnostic, placesOf } from '../diagnostics.ts';

/** A page of a bundle with a rendering error. */
export interface FailedPage {
  /** As named in docs.json. */
  path: string;
  /** Its file in the bundle. */
  file: string;
  reason: string;
}

/** The problems of an export; included in the bundle's manifest. */
export interface ExportReport {
  pageCount: number;
  failedPages: FailedPage[];
  /** The errors that the build found in the source. */
  errors: Diagnostic[];
  /** What is no fault, and worth knowing of this bundle. */
  notes?: string[];
}

/** Share of failed pages above which an export is useless. */
const MAX_FAILED_SHARE = 0.2;

/**
 * Returns the pages of a bundle that show an error from the build, with the build's diagnostics for
 * their files.
 */
export function pagesBuiltWithErrors(
  pages: readonly BuiltPage[],
  { diagnostics }: Pick<SiteBuild['report'], 'diagnostics'>,
): ReadonlyMap<BuiltPage, string> {
  const reasons = new Map<string, string>();
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const error of errors) {
    for (const { file, line } of placesOf(error)) {
      const place = line === undefined ? file : `${file}:${line}`;
      if (!reasons.has(file)) reasons.set(file, `${place}: ${error.message}`);
    }
  }
  const reasonsByPage = new Map<BuiltPage, string>();
  for (const page of pages) {
    const reason = page.file === '' ? undefined : reasons.get(page.file);
    if (reason !== undefined) reasonsByPage.set(page, reason);
  }
  return reasonsByPage;
}

/**
 * Returns whether an export failed as a whole.
 * @returns why, in a sentence for the caller of the API; undefined if the export is usable
 */
export function exportFailure({
  pageCount,
  failedPages,
}: Pick<ExportReport, 'pageCount' | 'failedPages'>): string | undefined {
  const [first] = failedPages;
  if (!first || failedPages.length <= pageCount * MAX_FAILED_SHARE) return undefined;
  const percent = Math.round(MAX_FAILED_SHARE * 100);
  return `${failedPages.length} of ${pageCount} pages failed, more than the ${percent} % that an export may have; the first is "${first.path}": ${first.reason}`;
}
