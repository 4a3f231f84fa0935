import type { Frontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { normalizeSpecPath } from '@docent/format/docs-json/settings/schema-parts.ts';
import type { SymbolSource } from '@docent/format/docs-json/site-config.ts';
import { parseSymbolReference } from '@docent/symbol-reference/symbol-document.ts';
import type { SymbolDocuments, SymbolPage } from './symbol-documents.ts';

/** What a page about a symbol shows. */
export type SymbolPlan =
  | { source: SymbolSource; id: string }
  /** Reports on the page what is missing. */
  | { source?: undefined; id?: undefined; missing: string };

interface PlannedPage {
  title?: string;
  frontmatter: Frontmatter;
  symbol: SymbolPlan;
}

/**
 * Plans the page of a symbol without text by its author, or the page that explains why there is
 * none.
 */
export function planSymbolPage({ source, entry }: SymbolPage): PlannedPage & { title: string } {
  const frontmatter: Frontmatter = { custom: {} };
  if (!entry) {
    const title = 'Reference';
    const missing = `This reference is missing: it could not be made from ${source.source || 'its source'} (${source.format || 'no format'}).`;
    return { title, frontmatter: { ...frontmatter, title }, symbol: { missing } };
  }
  frontmatter.title = entry.title;
  if (entry.description !== undefined) frontmatter.description = entry.description;
  if (entry.deprecated) frontmatter.deprecated = true;
  return { title: entry.title, frontmatter, symbol: { source, id: entry.id } };
}

/**
 * Plans a page with `sdk` in its frontmatter: the symbol provides what the author left out.
 * @param library what the page inherits from its position in the navigation
 */
export function planSymbolFile(
  frontmatter: Frontmatter,
  file: string,
  library: SymbolSource | undefined,
  documents: SymbolDocuments,
): { page: PlannedPage; diagnostics: Diagnostic[] } {
  const reference = parseSymbolReference(frontmatter.sdk);
  const source =
    reference?.source === undefined ? library?.source : normalizeSpecPath(reference.source);
  const format = reference?.format ?? library?.format;
  const named = JSON.stringify(frontmatter.sdk)?.slice(0, 200) ?? '';
  const fail = (message: string, remedy: string) => {
    const diagnostic: Diagnostic = {
      severity: 'error',
      code: 'unknown-symbol',
      message,
      remedy,
      file,
    };
    const title = frontmatter.title === undefined ? {} : { title: frontmatter.title };
    return {
      page: { ...title, frontmatter, symbol: { missing: message } },
      diagnostics: [diagnostic],
    };
  };
  if (!reference)
    return fail(
      `The frontmatter "sdk" does not refer to a symbol: ${named}.`,
      'Write "kind name", for example "class Client".',
    );
  if (source === undefined || format === undefined)
    return fail(
      `The frontmatter "sdk" has no file and no format: ${named}.`,
      'Put the page below a tab or group with "sdk", or use an object with "format", "source", "kind" and "name".',
    );
  const full: SymbolSource = {
    format,
    source,
    directory: library?.source === source ? library.directory : '',
  };
  const entry = documents.find(full)?.find(reference);
  if (!entry)
    return fail(
      `${source} has no ${named}.`,
      'Correct the kind and the name; write methods with their class.',
    );
  const completed: Frontmatter = { ...frontmatter, title: frontmatter.title ?? entry.title };
  if (frontmatter.description === undefined && entry.description !== undefined)
    completed.description = entry.description;
  if (entry.deprecated && frontmatter.deprecated === undefined) completed.deprecated = true;
  return {
    page: {
      title: completed.title ?? entry.title,
      frontmatter: completed,
      symbol: { source: full, id: entry.id },
    },
    diagnostics: [],
  };
}
