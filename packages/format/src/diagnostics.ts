import type { SourcePlace } from './errors.ts';

/**
 * A message of a build about the author's source. It names the place and the remedy in the author's
 * terms. A `warning` affects one place on a page; an `error` affects the page (or, in the
 * configuration, the build). `info` is not a problem: it is not counted and fails nothing.
 */
export interface Diagnostic extends SourcePlace {
  severity: 'error' | 'warning' | 'info';
  /** Stable machine-readable code in kebab-case, for example `unknown-component`. */
  code: string;
  /** What is wrong, one sentence. */
  message: string;
  /** How to fix it, one sentence. */
  remedy: string;
  /** Number of places if more than one; `file`, `line` and `column` are the first of them. */
  count?: number;
  /** The places after the first: all for an error, up to a limit for a warning. */
  places?: SourcePlace[];
}

const MAX_PLACES = 200;

type Grouped = Omit<Diagnostic, 'severity'> & { severity: string };

/**
 * Groups identical diagnostics into one with all places and their number. Keeps the order of the
 * first ones. Groups stay as they are.
 * @param folders folders of translations and other versions (`fr/`): the same fault about the same
 *   page in several of them is one
 */
export function groupDiagnostics<One extends Grouped>(
  diagnostics: readonly One[],
  folders: readonly string[] = [],
): One[] {
  const groups = new Map<string, One>();
  for (const diagnostic of diagnostics) {
    const message = folders.reduce(
      (text, folder) => text.replace(`"/${folder}`, '"/'),
      diagnostic.message,
    );
    const key = JSON.stringify([diagnostic.severity, diagnostic.code, message, diagnostic.remedy]);
    const first = groups.get(key);
    if (!first) {
      groups.set(key, { ...diagnostic });
      continue;
    }
    const added = placesOf(diagnostic);
    first.count = (first.count ?? 1) + (diagnostic.count ?? 1);
    const room =
      first.severity === 'error' ? added.length : MAX_PLACES - (first.places?.length ?? 0);
    first.places = [...(first.places ?? []), ...added.slice(0, Math.max(room, 0))];
  }
  return [...groups.values()];
}

/** Of all warnings of a report together: 200 KB. */
const MAX_REPORT_PLACES = 2000;

/**
 * Returns diagnostics for a report that is stored in the database and sent whole: the warnings
 * share a limited number of places, and `count` still says how many there are.
 */
export function withFewerPlaces(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const isLimited = ({ severity, places }: Diagnostic) => severity !== 'error' && places;
  const limited = diagnostics.filter(isLimited);
  const total = limited.reduce((sum, { places = [] }) => sum + places.length, 0);
  if (total <= MAX_REPORT_PLACES) return [...diagnostics];
  const share = Math.ceil(MAX_REPORT_PLACES / limited.length);
  return diagnostics.map((diagnostic) =>
    isLimited(diagnostic)
      ? { ...diagnostic, places: diagnostic.places?.slice(0, share) ?? [] }
      : diagnostic,
  );
}

/** Returns every place of a diagnostic, in order. */
export function placesOf({ file, line, column, places = [] }: Grouped): SourcePlace[] {
  return [
    { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) },
    ...places,
  ];
}

const SHOWN_PLACES = 3;

/** `also b.mdx:3, c.mdx:9 and 401 more places`; undefined for a single place. */
export function otherPlacesText({ count = 1, places = [] }: Grouped): string | undefined {
  if (count < 2) return undefined;
  const visiblePlaces = places.slice(0, SHOWN_PLACES).map(placeText);
  const rest = count - 1 - visiblePlaces.length;
  if (rest === 0) return `also ${visiblePlaces.join(', ')}`;
  return `also ${visiblePlaces.join(', ')} and ${rest} more ${rest === 1 ? 'place' : 'places'}`;
}

/** `guides/start.mdx:12:3`, as far as known. */
export function placeText({ file, line, column }: SourcePlace): string {
  return [file, line, column].filter((part) => part !== undefined && part !== '').join(':');
}

/** `3 warnings in 404 places`; the places only if there are more than warnings. */
export function countText(diagnostics: readonly Grouped[], severity: string): string {
  const matches = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
  const places = matches.reduce((sum, { count = 1 }) => sum + count, 0);
  const named = `${matches.length} ${severity}${matches.length === 1 ? '' : 's'}`;
  return places > matches.length ? `${named} in ${places} places` : named;
}

const MAX_DIAGNOSTICS = 200;

/** Collects the diagnostics of one page, without duplicates and up to a limit. */
export class DiagnosticList {
  readonly items: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  report(diagnostic: Diagnostic): void {
    const key = keyOf(diagnostic);
    if (this.#seen.has(key) || this.items.length >= MAX_DIAGNOSTICS) return;
    this.#seen.add(key);
    this.items.push(diagnostic);
  }

  /** Discards reports after the first `count`: they belong to an attempt that was replaced. */
  truncate(count: number): void {
    for (const diagnostic of this.items.splice(count)) this.#seen.delete(keyOf(diagnostic));
  }
}

function keyOf({ code, file, line, message }: Diagnostic): string {
  return `${code}|${file}|${line ?? ''}|${message}`;
}

const RANK: Record<Diagnostic['severity'], number> = { error: 0, warning: 1, info: 2 };

/** Sorts by file and line, then by severity. */
export function sortFindings(findings: readonly Diagnostic[]): Diagnostic[] {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return findings.toSorted(
    (a, b) =>
      order(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      RANK[a.severity] - RANK[b.severity] ||
      order(a.code, b.code) ||
      order(a.message, b.message),
  );
}
