const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const whole = new Intl.NumberFormat('en');

/** `3 minutes ago`, `in 2 days`, `just now`. */
export function relativeTime(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit === undefined || size === undefined ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

/** `Nov 21, 2026, 9:00:00 AM` */
export function exactTime(date: Date): string {
  return exact.format(date);
}

/** `Nov 21, 2026` */
export function calendarDay(date: Date): string {
  return day.format(date);
}

/** `1,204` */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 page`, `2 pages` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `1.2 MB`, in steps of 1,000. */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), units.length - 1);
  const scaled = value / 1000 ** step;
  return `${step === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[step]}`;
}

/** `420 ms`, `5.2 s`, `3 min 20 s` */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Returns the non-empty lines of a text; commas separate like line breaks. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
