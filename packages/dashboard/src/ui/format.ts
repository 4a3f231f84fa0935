// English written out: the first `Intl` object makes the browser load the data of a language, which
// blocks a phone for 100 ms.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_SECONDS = 86_400;
const UNITS: [unit: string, seconds: number, last: string, next: string][] = [
  ['year', 365 * DAY_SECONDS, 'last year', 'next year'],
  ['month', 30 * DAY_SECONDS, 'last month', 'next month'],
  ['day', DAY_SECONDS, 'yesterday', 'tomorrow'],
  ['hour', 3600, '1 hour ago', 'in 1 hour'],
  ['minute', 60, '1 minute ago', 'in 1 minute'],
];

/** `3 minutes ago`, `yesterday`, `in 2 days`, `just now`. */
export function relativeTime(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const largestUnit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (!largestUnit) return 'just now';
  const [unit, length, last, next] = largestUnit;
  const times = Math.trunc(Math.abs(seconds) / length);
  if (times === 1) return seconds < 0 ? last : next;
  return seconds < 0 ? `${plural(times, unit)} ago` : `in ${plural(times, unit)}`;
}

/** `Nov 21, 2026, 9:00:00 AM` */
export function exactTime(date: Date): string {
  const [minutes, seconds] = [date.getMinutes(), date.getSeconds()].map((value) =>
    String(value).padStart(2, '0'),
  );
  return `${calendarDay(date)}, ${date.getHours() % 12 || 12}:${minutes}:${seconds} ${halfOfDay(date.getHours())}`;
}

/** `Nov 21, 2026` */
export function calendarDay(date: Date): string {
  return `${dayOf(date)}, ${date.getFullYear()}`;
}

/** `Nov 21` */
export function dayOf(date: Date): string {
  return `${MONTHS[date.getMonth()]} ${date.getDate()}`;
}

/** `Nov 21`, in UTC. */
export function dayInUtc(date: Date): string {
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
}

/** `Nov 21, 9 AM`, in UTC. */
export function hourInUtc(date: Date): string {
  return `${dayInUtc(date)}, ${date.getUTCHours() % 12 || 12} ${halfOfDay(date.getUTCHours())}`;
}

function halfOfDay(hour: number): string {
  return hour < 12 ? 'AM' : 'PM';
}

/** `1,204` */
export function count(value: number): string {
  const whole = Math.round(value);
  if (Math.abs(whole) < 1000) return String(whole);
  return `${count(Math.trunc(whole / 1000))},${String(Math.abs(whole % 1000)).padStart(3, '0')}`;
}

const SPELLINGS: Readonly<Record<string, string>> = {
  api: 'API',
  html: 'HTML',
  mdx: 'MDX',
  npm: 'npm',
};

/** `Unknown operation` for `unknown-operation`, the code of a finding or of an error. */
export function titleOfCode(code: string): string {
  const words = code
    .split(/[-_]/)
    .map((word) => SPELLINGS[word] ?? word)
    .join(' ');
  return words.startsWith('npm') ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 page`, `2 pages` */
export function plural(value: number, singular: string, many = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : many}`;
}

/** `1.2 MB`, in steps of 1,000. */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), units.length - 1);
  const scaled = value / 1000 ** step;
  return `${step === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[step]}`;
}

/** `$1.20`, `$0.0042` */
export function money(dollars: number): string {
  return `$${dollars >= 1 || dollars === 0 ? dollars.toFixed(2) : dollars.toPrecision(2)}`;
}

/** `420 ms`, `5.2 s`, `3 min 20 s` */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Returns lists of synonyms that people type: one list per line, separated by commas. */
export function synonymsOf(text: string): string[][] {
  return text
    .split('\n')
    .map(linesOf)
    .filter((family) => family.length > 0);
}

/** Returns the non-empty lines of a text; commas separate like line breaks. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The key that is pressed with a letter for a shortcut, as keyboards of this system have it. */
export const SHORTCUT_KEY = /^(?:Mac|iPhone|iPad)/.test(navigator.platform) ? '⌘' : 'Ctrl ';
