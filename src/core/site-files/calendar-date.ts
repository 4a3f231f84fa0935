/** A calendar day, without a time zone. */
export interface CalendarDate {
  year: number;
  /** 1–12. */
  month: number;
  day: number;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const ISO = /(?:^|\D)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i');
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`, 'i');
const MONTH_ALONE = new RegExp(`\\b${MONTH},?\\s+(\\d{4})\\b`, 'i');

/**
 * Finds a date in changelog notation: `2025-01-15`, `January 15, 2025`, `15 Jan 2025`, `January 2025` (its first day). Returns
 * undefined if there is none; a version such as `v1.2.3` is not a date.
 */
export function findDate(text: string): CalendarDate | undefined {
  const iso = ISO.exec(text);
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const first = MONTH_FIRST.exec(text);
  if (first) return valid(Number(first[3]), monthOf(first[1]), Number(first[2]));
  const second = DAY_FIRST.exec(text);
  if (second) return valid(Number(second[3]), monthOf(second[2]), Number(second[1]));
  const alone = MONTH_ALONE.exec(text);
  return alone ? valid(Number(alone[2]), monthOf(alone[1]), 1) : undefined;
}

/** `2025-01-15` (ISO 8601). */
export function isoDate({ year, month, day }: CalendarDate): string {
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Formats a date for feeds (RFC 822): `Wed, 15 Jan 2025 00:00:00 GMT`. */
export function feedDate(date: CalendarDate): string {
  const { year, month, day } = date;
  const weekday = DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${weekday}, ${twoDigits(day)} ${MONTHS[month - 1]} ${year} 00:00:00 GMT`;
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.toLowerCase() === name?.slice(0, 3).toLowerCase()) + 1;
}

function valid(year: number, month: number, day: number): CalendarDate | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? { year, month, day }
    : undefined;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
