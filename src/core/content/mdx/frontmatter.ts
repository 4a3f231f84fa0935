import { type Document, isMap, isScalar, parseDocument } from 'yaml';
import { groupsOf, mentionsGroups } from '../../access/public-page.ts';
import type { Diagnostic } from '../../diagnostics.ts';
import type { Frontmatter } from '../page-content.ts';
import { normalizeText } from './source-text.ts';

export interface FrontmatterResult {
  frontmatter: Frontmatter;
  /** The file without its frontmatter. */
  body: string;
  /** 1-based line of the file where the body starts. */
  bodyLine: number;
  diagnostics: Diagnostic[];
}

const MODES = ['default', 'wide', 'custom', 'frame', 'center', 'assistant'] as const;
type Mode = (typeof MODES)[number];

/** The two parts of a file, and the 1-based line where the second one starts. */
export interface SplitFile {
  /** Text between the two `---` lines; undefined if there are none. */
  yaml: string | undefined;
  /** 1-based line of the file where the YAML starts. */
  yamlLine: number;
  body: string;
  bodyLine: number;
}

/** Removes the frontmatter from a file without parsing it. */
export function splitFrontmatter(text: string): SplitFile {
  const source = normalizeText(text);
  const block = /^\s*---[ \t]*\n([\s\S]*?)(?<=\n)---[ \t]*(?:\n|$)/.exec(source);
  if (!block) return { yaml: undefined, yamlLine: 1, body: source, bodyLine: 1 };
  const yamlLine = lineCount(block[0].slice(0, block[0].indexOf('---'))) + 2;
  return { yaml: block[1] as string, yamlLine, body: source.slice(block[0].length), bodyLine: lineCount(block[0]) + 1 };
}

/**
 * Parses the YAML between the two `---` lines at the top of a page. Invalid YAML causes a warning and keeps what can be read line
 * by line. Values of the wrong type are converted if their meaning is clear, otherwise ignored.
 * @param file path of the page, for the diagnostics
 */
export function readFrontmatter(text: string, file: string): FrontmatterResult {
  const { yaml, yamlLine, body, bodyLine } = splitFrontmatter(text);
  if (yaml === undefined)
    return { frontmatter: { custom: isUnclosed(body) ? { groups: true } : {} }, body, bodyLine, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const values = readYaml(yaml, file, yamlLine - 1, diagnostics);
  return { frontmatter: toFrontmatter(values, file, diagnostics), body, bodyLine, diagnostics };
}

/** Returns whether a text starts with unclosed frontmatter that seems to restrict the page. */
function isUnclosed(body: string): boolean {
  const lines = body.trimStart().split('\n', 100);
  if (!/^(?:---|\+\+\+)/.test(lines[0] as string)) return false;
  const end = lines.findIndex((line) => line.trim() === '');
  return mentionsGroups(lines.slice(1, end < 0 ? undefined : end).join('\n'));
}

function lineCount(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function readYaml(yaml: string, file: string, firstLine: number, diagnostics: Diagnostic[]): Map<string, unknown> {
  // Aliases can expand a small text to a huge tree, so only a few are resolved.
  const document = parseDocument(yaml, { uniqueKeys: false, merge: true, logLevel: 'silent' });
  const error = document.errors[0];
  if (!error) {
    try {
      const data: unknown = document.toJS({ maxAliasCount: 20 });
      if (data === null || data === undefined) return new Map();
      if (typeof data === 'object' && !Array.isArray(data)) {
        const values = new Map(Object.entries(data));
        // The last of repeated keys counts; but a page that an earlier one restricts stays restricted.
        if (repeatedGroups(document)) values.set('groups', groupsOf(values) ?? true);
        return values;
      }
    } catch {
      // Reported below, like any other frontmatter that is not a mapping.
    }
  }
  const reason = error
    ? error.message.split('\n')[0]?.replace(/ at line \d+[\s\S]*/, '')
    : 'it is not a mapping of names to values';
  diagnostics.push({
    severity: 'warning',
    code: 'frontmatter-syntax',
    message: `The frontmatter is not valid YAML: ${reason}.`,
    remedy: 'Put values that contain a colon or start with a special character in double quotes.',
    file,
    line: firstLine + (error?.linePos?.[0].line ?? 1),
  });
  const lines = readLines(yaml);
  if (mentionsGroups(yaml)) lines.set('groups', true);
  return lines;
}

function repeatedGroups({ contents }: Document): boolean {
  if (!isMap(contents)) return false;
  const entries = contents.items.map(({ key, value }) => [String(key), isScalar(value) ? value.value : value] as const);
  return groupsOf(entries) !== undefined;
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

const TEXT_KEYS = [
  'title',
  'description',
  'sidebarTitle',
  'icon',
  'iconType',
  'tag',
  'api',
  'openapi',
  'asyncapi',
  'authMethod',
  'url',
  'canonical',
  'version',
] as const;
const FLAG_KEYS = ['hidden', 'noindex', 'searchable', 'deprecated', 'hideFooterPagination', 'rss'] as const;
const OTHER_KEYS = ['openapi-schema', 'openapiSchema', 'sdk', 'mode', 'keywords', 'boost'];
const KNOWN_KEYS: ReadonlySet<string> = new Set([...TEXT_KEYS, ...FLAG_KEYS, ...OTHER_KEYS]);

/** Reads the keys of the format; keeps others in `custom`. A value of the wrong type causes a warning. */
export function toFrontmatter(values: ReadonlyMap<string, unknown>, file: string, diagnostics: Diagnostic[]): Frontmatter {
  const frontmatter: Frontmatter = { custom: Object.create(null) };
  for (const key of TEXT_KEYS) {
    const text = asText(values.get(key));
    if (text !== undefined) frontmatter[key] = text;
  }
  for (const key of FLAG_KEYS) {
    const flag = asFlag(values.get(key));
    if (flag !== undefined) frontmatter[key] = flag;
  }
  const schema = asText(values.get('openapi-schema') ?? values.get('openapiSchema'));
  if (schema !== undefined) frontmatter.openapiSchema = schema;
  const sdk = values.get('sdk');
  if (typeof sdk === 'string' || (typeof sdk === 'object' && sdk !== null)) frontmatter.sdk = sdk;
  const keywords = asTexts(values.get('keywords'));
  if (keywords) frontmatter.keywords = keywords;
  const boost = Number(values.get('boost') ?? Number.NaN);
  if (Number.isFinite(boost) && boost > 0) frontmatter.boost = boost;
  const mode = readMode(values.get('mode'), file, diagnostics);
  if (mode) frontmatter.mode = mode;
  for (const [key, value] of values) if (!KNOWN_KEYS.has(key) && key !== '__proto__') frontmatter.custom[key] = value;
  const groups = groupsOf(values);
  if (groups !== undefined) frontmatter.custom.groups = groups;
  return frontmatter;
}

function readMode(value: unknown, file: string, diagnostics: Diagnostic[]): Mode | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const mode = MODES.find((name) => name === asText(value)?.toLowerCase());
  if (!mode) {
    const message = `There is no page mode "${asText(value) ?? ''}".`;
    diagnostics.push({
      severity: 'warning',
      code: 'frontmatter-value',
      message,
      remedy: `Use one of ${MODES.join(', ')}.`,
      file,
    });
  }
  return mode;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date && Number.isFinite(value.getTime())) return value.toISOString().slice(0, 10);
  return undefined;
}

function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:true|yes|on)$/i.test(value)) return true;
  return /^(?:false|no|off)$/i.test(value) ? false : undefined;
}

function asTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  if (!Array.isArray(value)) return undefined;
  return value.map(asText).filter((item) => item !== undefined);
}
