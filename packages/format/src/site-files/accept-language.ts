/** Codes that sites use for a language that browsers call by another. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  cn: 'zh',
  jp: 'ja',
  iw: 'he',
  nb: 'no',
  nn: 'no',
};
const MAX_RANGES = 20;
const MAX_HEADER_LENGTH = 500;
const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4})(?:;q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/i;

/**
 * Returns the language of a site that a reader prefers (RFC 9110 §12.5.4, lookup by RFC 4647 §3.4).
 * @param header value of `Accept-Language`
 * @param languages codes as in the site's configuration
 * @returns one of `languages`; undefined if the reader accepts none of them
 */
export function preferredLanguage(
  header: string | undefined,
  languages: readonly string[],
): string | undefined {
  const ranges = (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .split(',', MAX_RANGES)
    .map((part) => RANGE.exec(part.replaceAll(/\s/g, '')))
    .filter((match) => match !== null)
    .map(([, range, quality]) => ({
      range: canonical(range as string),
      quality: Number(quality ?? 1),
    }))
    .filter(({ quality }) => quality > 0)
    // Sorting is stable, so ties keep the order of the header.
    .sort((a, b) => b.quality - a.quality);
  for (const { range } of ranges) {
    const language = matching(range, languages);
    if (language !== undefined) return language;
  }
  return undefined;
}

function matching(range: string, languages: readonly string[]): string | undefined {
  const codes = languages.map((language) => ({ language, code: canonical(language) }));
  const base = baseOf(range);
  const match =
    codes.find(({ code }) => code === range) ??
    codes.find(({ code }) => code === base) ??
    codes.find(({ code }) => baseOf(code) === base);
  return match?.language;
}

function canonical(code: string): string {
  const lower = code.toLowerCase();
  if (/^zh-(?:tw|hk|mo)$/.test(lower)) return 'zh-hant';
  return OTHER_CODES[lower] ?? lower;
}

function baseOf(code: string): string {
  const base = code.split('-')[0] as string;
  return OTHER_CODES[base] ?? base;
}
