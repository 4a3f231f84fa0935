/**
 * What a configuration may say: which rules count. Not which programs turn other formats into HTML,
 * which servers are asked and which packages are fetched.
 */
const SAFE_KEYS =
  /^(?:MinAlertLevel|Vocab|IgnoredScopes|SkippedScopes|IgnoredClasses|BasedOnStyles|BlockIgnores|TokenIgnores|IgnorePatterns|[A-Za-z][\w-]{0,60}\.[A-Za-z][\w-]{0,60})$/;
const MAX_CHARACTERS = 100_000;
/** Vale reads MDX with another program, unless it is told that it is Markdown. */
const FORMATS = '[formats]\nmdx = md';

/**
 * Returns the part of a `.vale.ini` that chooses rules, and the folder of its styles.
 * @returns a sentence if it cannot be used
 */
export function safeValeConfig(text: string): { text: string; styles: string } | string {
  if (text.length > MAX_CHARACTERS) return 'The .vale.ini is too long.';
  let styles = '';
  let isKept = true;
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/).map((part) => part.trim())) {
    if (line.startsWith('[')) {
      isKept = !/^\[formats\]/i.test(line);
      if (isKept) lines.push(line);
      continue;
    }
    const at = line.indexOf('=');
    if (!isKept || at < 0 || /^[#;]/.test(line)) continue;
    const key = line.slice(0, at).trim();
    const value = line.slice(at + 1).trim();
    if (key === 'StylesPath') styles = value.replace(/^["']|["']$/g, '').replace(/^\.\//, '');
    else if (SAFE_KEYS.test(key)) lines.push(`${key} = ${value}`);
  }
  if (styles === '') return { text: withFormats(lines), styles };
  const parts = styles.replace(/\/$/, '').split('/');
  if (parts.some((part) => part === '' || part === '..' || !/^[\w .-]{1,100}$/.test(part)))
    return 'The StylesPath of .vale.ini must be a folder beside it.';
  const folder = parts.join('/');
  return { text: withFormats([`StylesPath = ${folder}`, ...lines]), styles: folder };
}

/** Settings before the first section are for all files. */
function withFormats(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.startsWith('['));
  const end = first < 0 ? lines.length : first;
  return [...lines.slice(0, end), '', FORMATS, '', ...lines.slice(end), ''].join('\n');
}
