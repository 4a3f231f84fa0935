import { groupsOf, mentionsGroups } from '../../access/public-page.ts';
import type { Diagnostic } from '../../diagnostics.ts';
import { didYouMean, nearestName } from '../../nearest-name.ts';
import { literalPattern } from '../../patterns.ts';
import { parseYaml, YamlFault } from '../../yaml-document.ts';
import { lineCount, normalizeText } from './source-text.ts';

const MODES = ['default', 'wide', 'custom', 'frame', 'center', 'assistant'] as const;

/**
 * The keys of the format, each with its reader. Two more need more than their value: `mode` and
 * `openapi-schema`.
 */
const KEYS = {
  title: asText,
  description: asText,
  sidebarTitle: asText,
  icon: asText,
  iconType: asText,
  tag: asText,
  /** `METHOD path` of a hand-written API page. */
  api: asText,
  /** `[file] METHOD /path` or `[file] webhook name`. */
  openapi: asText,
  asyncapi: asText,
  /** The documented symbol of a library, as written. */
  sdk: (value: unknown): unknown =>
    typeof value === 'string' || typeof value === 'object' ? (value ?? undefined) : undefined,
  authMethod: asText,
  url: asText,
  canonical: asText,
  version: asText,
  keywords: asTexts,
  boost: asBoost,
  hidden: asFlag,
  noindex: asFlag,
  searchable: asFlag,
  deprecated: asFlag,
  hideFooterPagination: asFlag,
  rss: asFlag,
};

/** Parsed frontmatter; unknown keys are kept in `custom`. */
export type Frontmatter = { [Key in keyof typeof KEYS]?: ReturnType<(typeof KEYS)[Key]> } & {
  openapiSchema?: string;
  mode?: (typeof MODES)[number];
  custom: Record<string, unknown>;
};

/**
 * Splits a file without parsing it: into the text between the two `---` lines, undefined if there
 * are none, and the rest, each with the 1-based line where it starts.
 */
export function splitFrontmatter(text: string) {
  const source = normalizeText(text);
  const block = /^\s*---[ \t]*\n([\s\S]*?)(?<=\n)---[ \t]*(?:\n|$)/.exec(source);
  if (!block) return { yaml: undefined, yamlLine: 1, body: source, bodyLine: 1 };
  const yamlLine = lineCount(block[0].slice(0, block[0].indexOf('---'))) + 2;
  return {
    yaml: block[1] as string,
    yamlLine,
    body: source.slice(block[0].length),
    bodyLine: lineCount(block[0]) + 1,
  };
}

/**
 * Parses the YAML between the two `---` lines at the top of a page. Invalid YAML causes a warning
 * and keeps what can be read line by line. Values of the wrong type are converted if their meaning
 * is clear, otherwise ignored.
 * @param file path of the page, for the diagnostics
 */
export function readFrontmatter(
  text: string,
  file: string,
): { frontmatter: Frontmatter; diagnostics: Diagnostic[] } {
  const { yaml, yamlLine, body } = splitFrontmatter(text);
  const diagnostics: Diagnostic[] = [];
  if (yaml === undefined) {
    const fault = beginningFault(body);
    if (fault) diagnostics.push({ severity: 'warning', file, ...fault });
    return { frontmatter: { custom: isUnclosed(body) ? { groups: true } : {} }, diagnostics };
  }
  const values = readYaml(yaml, file, yamlLine - 1, diagnostics);
  for (const key of values.keys()) {
    const meant = meantKey(key);
    if (meant === undefined) continue;
    const message = `The frontmatter has "${key}", which has no effect.`;
    const line =
      yamlLine + yaml.slice(0, Math.max(yaml.search(linePattern(key)), 0)).split('\n').length - 1;
    diagnostics.push({
      severity: 'warning',
      code: 'unknown-frontmatter',
      message,
      remedy: didYouMean(meant, ''),
      file,
      line,
    });
  }
  return { frontmatter: toFrontmatter(values, file, diagnostics), diagnostics };
}

function linePattern(key: string): RegExp {
  return new RegExp(`^["']?${literalPattern(key)}["']?[ \\t]*:`, 'm');
}

/** What begins like frontmatter, but is text of the page. */
function beginningFault(
  body: string,
): Pick<Diagnostic, 'code' | 'message' | 'remedy' | 'line'> | undefined {
  const start = /^\s*(?:---[ \t]*\n(?=[A-Za-z][\w-]*[ \t]*:)|\+\+\+[ \t]*\n)/.exec(body)?.[0];
  if (start === undefined) return undefined;
  const line = lineCount(start);
  if (start.includes('+')) {
    const message = 'Frontmatter between "+++" lines is markup of Hugo; it is shown as text.';
    return {
      code: 'foreign-syntax',
      message,
      remedy: 'Write it as YAML between two lines of three hyphens (---).',
      line,
    };
  }
  const message = 'The frontmatter is not closed, so its lines are shown as text.';
  return {
    code: 'frontmatter-syntax',
    message,
    remedy: 'Add a line of three hyphens (---) after its last line.',
    line,
  };
}

/** Keys without a reader in `KEYS`. */
const OTHER_KEYS = [
  'mode',
  'openapi-schema',
  'openapiSchema',
  'groups',
  'public',
  'playground',
  'contextual',
  'related',
  'lastUpdatedDate',
  'timestamp',
];

/** Every key of frontmatter that has an effect. Others are an author's own data. */
export const FRONTMATTER_KEYS: readonly string[] = [...Object.keys(KEYS), ...OTHER_KEYS];

/** Keys of other tools that look like one of ours. */
const COMMON_KEYS = new Set(['tags', 'node', 'code', 'model', 'type']);
/** Among shorter names, every other word is close. */
const MIN_KEY_LENGTH = 5;

/**
 * Returns the key that an unknown one probably means; undefined for known keys and an author's own.
 */
function meantKey(key: string): string | undefined {
  // `og:title` and the like are metadata for other programs.
  if (FRONTMATTER_KEYS.includes(key) || COMMON_KEYS.has(key) || key.includes(':')) return undefined;
  const plain = key.replace(/[-_]/g, '');
  const meant = nearestName(plain, FRONTMATTER_KEYS);
  if (meant === undefined) return undefined;
  const isSpelling = plain.toLowerCase() === meant.toLowerCase();
  return isSpelling || meant.length >= MIN_KEY_LENGTH || meant[0] === key[0] ? meant : undefined;
}

/** Returns whether a text starts with unclosed frontmatter that seems to restrict the page. */
function isUnclosed(body: string): boolean {
  const lines = body.trimStart().split('\n', 100);
  if (!/^(?:---|\+\+\+)/.test(lines[0] as string)) return false;
  const end = lines.findIndex((line) => line.trim() === '');
  return mentionsGroups(lines.slice(1, end < 0 ? undefined : end).join('\n'));
}

function readYaml(
  yaml: string,
  file: string,
  firstLine: number,
  diagnostics: Diagnostic[],
): Map<string, unknown> {
  let fault: YamlFault | undefined;
  try {
    const { value, entries } = parseYaml(yaml, { maxAliases: 20 });
    if (value === null || value === undefined) return new Map();
    if (typeof value === 'object' && !Array.isArray(value)) {
      const values = new Map(Object.entries(value));
      // The last of repeated keys counts; but a page that an earlier one restricts stays
      // restricted.
      if (groupsOf(entries) !== undefined) values.set('groups', groupsOf(values) ?? true);
      return values;
    }
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    fault = error;
  }
  const open = fault && openQuote(yaml);
  const reason = fault?.message ?? 'it is not a mapping of names to values';
  diagnostics.push({
    severity: 'warning',
    code: 'frontmatter-syntax',
    ...(open
      ? openQuoteFault(open)
      : {
          message: `The frontmatter is not valid YAML: ${reason}.`,
          remedy:
            'Put values that contain a colon or start with a special character in double quotes.',
        }),
    file,
    line: firstLine + (open?.line ?? fault?.line ?? 1),
  });
  const lines = readLines(yaml);
  if (mentionsGroups(yaml)) lines.set('groups', true);
  return lines;
}

interface OpenQuote {
  key: string;
  quote: string;
  line: number;
  /** Whether a later line, before the next key, closes it. */
  isClosedLater: boolean;
}

function openQuoteFault({
  key,
  quote,
  isClosedLater,
}: OpenQuote): Pick<Diagnostic, 'message' | 'remedy'> {
  if (!isClosedLater)
    return {
      message: `The value of "${key}" has no closing quote.`,
      remedy: `Add ${quote} at the end of the line.`,
    };
  const message = `The value of "${key}" continues on a line that is not indented.`;
  return { message, remedy: 'Put the value on one line, or indent the line.' };
}

/**
 * Returns the first value whose quote is not closed on its line; the parser notices it only later.
 */
function openQuote(yaml: string): OpenQuote | undefined {
  const lines = yaml.split('\n');
  for (const [index, text] of lines.entries()) {
    const match = /^[ \t]*(?:- )?(["']?)([\w-]+)\1[ \t]*:[ \t]+(["'])/.exec(text);
    const [start = '', , key = '', quote = ''] = match ?? [];
    const value = text.slice(start.length);
    const isOpen =
      quote === '"'
        ? !/^(?:[^"\\]|\\.)*"/.test(value)
        : quote !== '' && !/^(?:[^']|'')*'/.test(value);
    if (!isOpen) continue;
    const rest = lines.slice(index + 1);
    const next = rest.findIndex((line) => /^[A-Za-z][\w-]*[ \t]*:/.test(line));
    const isClosedLater = rest
      .slice(0, next < 0 ? undefined : next)
      .some((line) => line.trimEnd().endsWith(quote));
    return { key, quote, line: index + 1, isClosedLater };
  }
  return undefined;
}

/** Every `key: value` line by itself: what can be recovered from broken YAML. */
function readLines(yaml: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const line of yaml.split('\n')) {
    const match = /^(["']?)([A-Za-z][\w:.-]*?)\1[ \t]*:(?:[ \t]+([^ \t][\s\S]*)?)?$/.exec(line);
    const text = match?.[3]?.trim();
    if (!match || !text) continue;
    values.set(match[2] as string, plainValue(text));
  }
  return values;
}

function plainValue(text: string): unknown {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(text);
  if (quoted) return quoted[2];
  if (text === 'true' || text === 'false') return text === 'true';
  const list = /^\[(.*)\]$/.exec(text);
  if (!list) return text;
  return (list[1] as string).split(',').map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

/**
 * Reads the keys of the format; keeps others in `custom`. A value of the wrong type causes a
 * warning.
 */
export function toFrontmatter(
  values: ReadonlyMap<string, unknown>,
  file: string,
  diagnostics: Diagnostic[],
): Frontmatter {
  const read = Object.entries(KEYS).map(([key, reader]) => [key, reader(values.get(key))] as const);
  const frontmatter: Frontmatter = {
    ...Object.fromEntries(read.filter(([, value]) => value !== undefined)),
    custom: Object.create(null),
  };
  const schema = asText(values.get('openapi-schema') ?? values.get('openapiSchema'));
  if (schema !== undefined) frontmatter.openapiSchema = schema;
  // The name of Docusaurus.
  const label = frontmatter.sidebarTitle ?? asText(values.get('sidebar_label'));
  if (label !== undefined) frontmatter.sidebarTitle = label;
  const mode = readMode(values.get('mode'), file, diagnostics);
  if (mode) frontmatter.mode = mode;
  for (const [key, value] of values) {
    const isKnown =
      Object.hasOwn(KEYS, key) ||
      key === 'openapi-schema' ||
      key === 'openapiSchema' ||
      key === 'mode';
    if (!isKnown && key !== '__proto__') frontmatter.custom[key] = value;
  }
  const groups = groupsOf(values);
  if (groups !== undefined) frontmatter.custom.groups = groups;
  return frontmatter;
}

function readMode(value: unknown, file: string, diagnostics: Diagnostic[]): Frontmatter['mode'] {
  if (value === undefined || value === null || value === '') return undefined;
  const mode = MODES.find((name) => name === asText(value)?.toLowerCase());
  if (!mode) {
    const message = `There is no page mode "${asText(value) ?? ''}".`;
    const remedy = `Use one of ${MODES.join(', ')}.`;
    diagnostics.push({ severity: 'warning', code: 'frontmatter-value', message, remedy, file });
  }
  return mode;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date && Number.isFinite(value.getTime()))
    return value.toISOString().slice(0, 10);
  return undefined;
}

function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on)$/i.test(value)) return true;
  return /^(?:false|no|off)$/i.test(value) ? false : undefined;
}

function asTexts(value: unknown): string[] | undefined {
  const items: unknown[] | undefined =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : undefined;
  return items?.map(asText).filter((item) => item !== undefined);
}

function asBoost(value: unknown): number | undefined {
  const boost = Number(value ?? Number.NaN);
  return Number.isFinite(boost) && boost > 0 ? boost : undefined;
}
