import type { Diagnostic } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import type { JsonNote, JsonObject, Place } from './json-document.ts';
import { formatPath, parseLeniently, type SettingFault } from './parse-leniently.ts';
import type { Setting } from './settings/setting.ts';
import { mintJsonKeys } from './upgrade-mint-json.ts';

/** Read, but with no effect on the site. */
const UNUSED = ['contextual', 'thumbnails', 'interaction', 'metadata', 'variations', 'feedback'];
const KNOWN = new Set(
  (
    '$schema theme name description colors logo favicon appearance fonts icons background styling navigation navbar footer ' +
    'banner redirects variables errors api openapi asyncapi markdown seo search integrations'
  )
    .split(' ')
    .concat(UNUSED),
);

/** Where settings of the older file went, for those who mix the two. */
const MOVED = new Map([
  ['topbarLinks', 'navbar.links'],
  ['topbarCtaButton', 'navbar.primary'],
  ['footerSocials', 'footer.socials'],
  ['modeToggle', 'appearance'],
  ['font', 'fonts'],
  ['codeBlock', 'styling.codeblocks'],
  ['backgroundImage', 'background.image'],
  ['tabs', 'navigation.tabs'],
  ['anchors', 'navigation.anchors'],
  ['versions', 'navigation.versions'],
  ['analytics', 'integrations'],
]);

export interface SettingsReaderOptions {
  /** The settings, already in the form of docs.json. */
  settings: JsonObject;
  file: string;
  diagnostics: Diagnostic[];
  /** The path of a setting as the author wrote it. */
  originalPath(path: readonly PropertyKey[]): PropertyKey[];
  /** Where the value at a path of the author's file stands. */
  placeOf(path: readonly PropertyKey[]): Place | undefined;
}

/** Takes settings out of the configuration one by one and reports what is wrong with them. */
export class SettingsReader {
  readonly #options: SettingsReaderOptions;
  constructor(options: SettingsReaderOptions) {
    this.#options = options;
  }

  /** The checked value of a top-level setting; its default where it is absent or cannot be used. */
  read<T>(key: string, setting: Setting<T>): T {
    const raw = this.#raw(key);
    if (raw === undefined && !setting.required) return setting.fallback;
    // A required setting that is absent goes through the checks too: they say what belongs there.
    const result = parseLeniently<T | undefined>(setting.schema, raw === undefined ? null : raw, (fault) =>
      this.#reportFault([key, ...fault.path], raw === undefined ? { ...fault, got: 'nothing' } : fault),
    );
    return result ?? setting.fallback;
  }

  /** Warns of settings that do not exist or do nothing. */
  reportUnknown(root: JsonObject, isOldFile: boolean): void {
    const unused: string[] = [];
    for (const key of Object.keys(root)) {
      if (isOldFile ? !mintJsonKeys.has(key) : !KNOWN.has(key)) this.#reportUnknownKey(key, isOldFile);
      else if (!isOldFile && UNUSED.includes(key)) unused.push(key);
    }
    const { integrations } = this.#options.settings;
    if (typeof integrations === 'object' && integrations !== null && Object.keys(integrations).length > 0) {
      const key = root.integrations === undefined ? 'analytics' : 'integrations';
      this.#warn('setting-not-used', [key], `The scripts that "${key}" names are not loaded.`, 'Nothing needs to be done.');
    }
    const [first] = unused;
    if (first === undefined) return;
    const names = unused.map((key) => `"${key}"`).join(', ');
    this.#warn('setting-not-used', [first], `These settings have no effect on this site: ${names}.`, 'Nothing needs to be done.');
  }

  #raw(key: string): unknown {
    const { settings } = this.#options;
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (key !== 'api') return value;
    // Some files keep the descriptions at the root, where the older format had them.
    const { openapi, asyncapi } = settings;
    if (openapi === undefined && asyncapi === undefined) return value;
    const rest = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    return { ...(openapi === undefined ? {} : { openapi }), ...(asyncapi === undefined ? {} : { asyncapi }), ...rest };
  }

  #reportFault(path: PropertyKey[], fault: SettingFault): void {
    const original = this.#options.originalPath(path);
    const name = formatPath(original);
    this.#warn(
      'invalid-setting',
      original,
      `"${name}" should be ${fault.expected}, but is ${fault.got}.`,
      `Set "${name}" to ${fault.expected}; until then ${path.length > 1 ? 'it is left out' : 'the default is used'}.`,
    );
  }

  #reportUnknownKey(key: string, isOldFile: boolean): void {
    const moved = isOldFile ? undefined : MOVED.get(key);
    const meant = nearestName(key, isOldFile ? mintJsonKeys : KNOWN);
    const remedy = moved
      ? `It belongs to the older mint.json; write "${moved}" instead.`
      : meant
        ? `Did you mean "${meant}"?`
        : 'Remove it, or correct its name.';
    this.#warn('unknown-setting', [key], `There is no setting "${key.slice(0, 100)}".`, remedy);
  }

  #warn(code: string, path: PropertyKey[], message: string, remedy: string): void {
    const { file, diagnostics, placeOf } = this.#options;
    diagnostics.push({ severity: 'warning', code, message, remedy, file, ...placeOf(path) });
  }
}

/** Turns what the tolerant reader let pass into warnings, one for each kind and file. */
export function reportJsonNotes(notes: readonly JsonNote[], diagnostics: Diagnostic[]): void {
  const seen = new Set<string>();
  for (const { kind, key, place } of notes) {
    const isSyntax = kind === 'comment' || kind === 'trailing-comma';
    const seenKey = `${kind} ${place.file}`;
    if (isSyntax && seen.has(seenKey)) continue;
    seen.add(seenKey);
    const [message, remedy] = isSyntax
      ? [
          `The file has ${kind === 'comment' ? 'comments' : 'commas before a closing bracket'}, which strict JSON forbids.`,
          'Remove them, so that every tool can read the file.',
        ]
      : kind === 'duplicate-key'
        ? [`"${key}" is given twice in the same object; only the last one counts.`, 'Remove one of them.']
        : [`The name "${key}" is not allowed; it is left out.`, 'Remove it.'];
    diagnostics.push({ severity: 'warning', code: isSyntax ? 'lenient-json' : `${kind}`, message, remedy, ...place });
  }
}
