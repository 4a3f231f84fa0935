const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`;
const ISO = /(?:^|\D)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i');
const DAY_FIRST = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`,
  'i',
);
const MONTH_ALONE = new RegExp(`\\b${MONTH},?\\s+(\\d{4})\\b`, 'i');

/**
 * Finds a date in changelog notation: `2025-01-15`, `January 15, 2025`, `15 Jan 2025`, `January
 * 2025` (its first day). Returns it as
 * `2025-01-15` (ISO 8601), or undefined if there is none; a version such as `v1.2.3` is not a date.
 */
export function findDate(text: string): string | undefined {
  const iso = ISO.exec(text);
  if (iso) return isoDate(iso[1], Number(iso[2]), iso[3]);
  const first = MONTH_FIRST.exec(text);
  if (first) return isoDate(first[3], monthOf(first[1]), first[2]);
  const second = DAY_FIRST.exec(text);
  if (second) return isoDate(second[3], monthOf(second[2]), second[1]);
  const alone = MONTH_ALONE.exec(text);
  return alone ? isoDate(alone[2], monthOf(alone[1]), 1) : undefined;
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function isoDate(year: unknown, month: number, day: unknown): string | undefined {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  const isValid =
    Number(year) >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isValid ? date.toISOString().slice(0, 10) : undefined;
}
