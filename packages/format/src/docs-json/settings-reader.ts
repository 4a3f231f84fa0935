import type { Diagnostic } from '../diagnostics.ts';
import type { JsonObject, JsonValue, Place } from '../json-document.ts';
import { nearestName } from '../nearest-name.ts';
import { formatPath, parseLeniently, type SettingFault } from './parse-leniently.ts';
import type { JsonSchema, Setting } from './settings/annotations.ts';
import { newPlaces } from './upgrade-mint-json.ts';

/** Names that authors use for a setting, too different from its own to be near it. */
const MEANT = new Map([['styles', 'styling']]);

/** Maximum names in a message: a fault can repeat in hundreds of list entries. */
const MAX_NAMED = 4;
/** A longer list of names is useless. */
const MAX_KNOWN = 12;

export interface SettingsReaderOptions {
  /** The settings, already in the form of docs.json. */
  settings: JsonObject;
  file: string;
  diagnostics: Diagnostic[];
  /** Returns the path of a setting as the author wrote it. */
  originalPath(path: readonly PropertyKey[]): PropertyKey[];
  /** Returns the position of the value at a path of the author's file. */
  placeOf(path: readonly PropertyKey[]): Place | undefined;
}

/** Reads settings of the configuration one by one and reports their faults. */
export class SettingsReader {
  readonly #options: SettingsReaderOptions;
  readonly #faults = new Map<string, Diagnostic>();

  constructor(options: SettingsReaderOptions) {
    this.#options = options;
  }

  /** Returns the checked value of each top-level setting. */
  readAll<Settings extends Record<string, Setting<unknown>>>(settings: Settings) {
    const values = Object.entries(settings).map(([key, setting]) => [
      key,
      this.#read(key, setting),
    ]);
    return Object.fromEntries(values) as { [Name in keyof Settings]: Settings[Name]['fallback'] };
  }

  /** Returns its default if it is absent or invalid. */
  #read<T>(key: string, setting: Setting<T>): T {
    const raw = this.#raw(key);
    if (raw === undefined && !setting.required) return setting.fallback;
    // A missing required setting is checked too, so that the message says what is expected.
    return (
      this.readPart([key], raw === undefined ? null : raw, setting, raw === undefined) ??
      setting.fallback
    );
  }

  /** Returns the checked value of a nested setting, such as the `footer` of a language. */
  readPart<T>(
    path: readonly PropertyKey[],
    raw: unknown,
    setting: Setting<T>,
    isMissing = false,
  ): T | undefined {
    return parseLeniently<T | undefined>(setting.schema, raw, (fault) =>
      this.#reportFault([...path, ...fault.path], isMissing ? { ...fault, got: 'nothing' } : fault),
    );
  }

  /** Warns about unknown names and settings without effect. */
  report(remarks: readonly SettingRemark[]): void {
    const unknown = remarks.filter((remark) => remark.kind === 'unknown');
    for (const [name, group] of Map.groupBy(unknown, (remark) => genericName(remark.path))) {
      this.#reportUnknown(name, group);
    }
    const unused = remarks.filter((remark) => remark.kind === 'no-effect');
    for (const [instead, group] of Map.groupBy(unused, (remark) => remark.instead))
      this.#reportUnused(instead, group);
  }

  /** Says what is no fault. */
  note(code: string, path: PropertyKey[], message: string, remedy: string): void {
    this.#add('info', code, path, message, remedy);
  }

  /** Warns about an unknown top-level name of the older file. */
  reportUnknownName(key: string, settingNames: Iterable<string>): void {
    const meant = nearestName(key, settingNames);
    const remedy = meant ? `Did you mean "${meant}"?` : 'Remove it, or correct its name.';
    this.#warn('unknown-setting', [key], `There is no setting "${key.slice(0, 100)}".`, remedy);
  }

  #raw(key: string): unknown {
    const { settings } = this.#options;
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (key !== 'api') return value;
    // Some files have the descriptions at the root, as in the older format.
    const { openapi, asyncapi } = settings;
    if (openapi === undefined && asyncapi === undefined) return value;
    const rest = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    return {
      ...(openapi === undefined ? {} : { openapi }),
      ...(asyncapi === undefined ? {} : { asyncapi }),
      ...rest,
    };
  }

  #reportFault(path: PropertyKey[], fault: SettingFault): void {
    const original = this.#options.originalPath(path);
    const name = formatPath(original);
    // The same fault in many entries of a list is one fact.
    const key = `${genericName(original)} ${fault.expected}`;
    const first = this.#faults.get(key);
    if (first) {
      const { file, placeOf } = this.#options;
      first.count = (first.count ?? 1) + 1;
      first.places ??= [];
      first.places.push({ file, ...placeOf(original) });
      return;
    }
    const diagnostic = this.#warn(
      'invalid-setting',
      original,
      `"${name}" should be ${fault.expected}, but is ${fault.got}.`,
      `Set "${name}" to ${fault.expected}; until then ${path.length > 1 ? 'it is ignored' : 'the default is used'}.`,
    );
    this.#faults.set(key, diagnostic);
  }

  #reportUnknown(
    generic: string,
    group: readonly Extract<SettingRemark, { kind: 'unknown' }>[],
  ): void {
    const [first] = group;
    if (first === undefined) return;
    const original = this.#options.originalPath(first.path);
    const moved = first.path.length === 1 ? newPlaces.get(String(first.path[0])) : undefined;
    const parent = original.slice(0, -1);
    const remedy = moved
      ? `It belongs to the older mint.json; use "${moved}" instead.`
      : first.nearest
        ? `Did you mean "${formatPath([...parent, first.nearest])}"?`
        : first.path.length > 1
          ? `Remove it, or correct its name.${knownNames(parent, first.known)}`
          : 'Remove it, or correct its name.';
    const name = group.length === 1 ? formatPath(original) : generic;
    const count = group.length === 1 ? '' : `; it is written ${group.length} times`;
    this.#warn(
      'unknown-setting',
      original,
      `There is no setting "${name.slice(0, 200)}"${count}.`,
      remedy,
    );
  }

  #reportUnused(
    instead: string,
    group: readonly Extract<SettingRemark, { kind: 'no-effect' }>[],
  ): void {
    const [first] = group;
    if (first === undefined) return;
    const paths = group.map((remark) => this.#options.originalPath(remark.path));
    const names = [...new Set(paths.map(formatPath))];
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    const listed = `${names
      .slice(0, MAX_NAMED)
      .map((name) => `"${name}"`)
      .join(', ')}${more}`;
    const verb = names.length === 1 ? 'has' : 'have';
    const message = `${listed} ${verb} no effect here: ${instead}.`;
    const remedy = first.remedy ?? 'Nothing needs to be done; remove it to avoid this message.';
    this.#add(
      first.remedy === undefined ? 'info' : 'warning',
      'setting-not-used',
      paths[0] ?? [],
      message,
      remedy,
    );
  }

  #warn(code: string, path: PropertyKey[], message: string, remedy: string): Diagnostic {
    return this.#add('warning', code, path, message, remedy);
  }

  #add(
    severity: 'warning' | 'info',
    code: string,
    path: PropertyKey[],
    message: string,
    remedy: string,
  ): Diagnostic {
    const { file, diagnostics, placeOf } = this.#options;
    const diagnostic: Diagnostic = { severity, code, message, remedy, file, ...placeOf(path) };
    diagnostics.push(diagnostic);
    return diagnostic;
  }
}

function knownNames(parent: readonly PropertyKey[], names: readonly string[]): string {
  if (names.length > MAX_KNOWN) return '';
  return ` "${formatPath(parent)}" has ${names.map((name) => `"${name}"`).join(', ')}.`;
}

/** The path without the numbers of list items: `navigation.groups[].anchor`. */
function genericName(path: readonly PropertyKey[]): string {
  return formatPath(path).replace(/\[\d+\]/g, '[]');
}

/** Something in the configuration that is allowed but has no effect. */
export type SettingRemark =
  | { kind: 'unknown'; path: PropertyKey[]; nearest?: string; known: readonly string[] }
  /** With a remedy if the author can make it work. */
  | { kind: 'no-effect'; path: PropertyKey[]; instead: string; remedy?: string };

/** Shape errors are reported elsewhere; this limit bounds the work for absurd input. */
const DEEPEST = 100;

/** Names that tools may add anywhere: `$schema`, `$ref`, `$comment`, `x-…`. */
const FOREIGN = /^(?:\$|x-)/;

/**
 * Finds unknown names and settings without effect. Ignores values of the wrong type.
 * @param root the schema that contains `#/$defs`
 */
export function examineSettings(value: JsonValue, root: JsonSchema): SettingRemark[] {
  const { $defs = {} } = root;

  function examine(
    value: JsonValue,
    schemas: readonly JsonSchema[],
    path: PropertyKey[],
  ): SettingRemark[] {
    const branches = schemas.flatMap(branchesOf);
    const instead = branches
      .map((branch) => effectOf(branch, value))
      .find((text) => text !== undefined);
    if (instead !== undefined) return [{ kind: 'no-effect', path, instead }];
    if (typeof value !== 'object' || value === null || path.length > DEEPEST) return [];
    return Array.isArray(value)
      ? examineItems(value, branches, path)
      : examineMembers(value, branches, path);
  }

  function examineItems(
    list: JsonValue[],
    branches: readonly JsonSchema[],
    path: PropertyKey[],
  ): SettingRemark[] {
    const items = branches.map((branch) => branch.items).filter((item) => item !== undefined);
    // A reference to several files yields nested lists, which count as one list.
    return list.flatMap((item, index) =>
      examine(item, Array.isArray(item) ? branches : items, [...path, index]),
    );
  }

  function examineMembers(
    object: JsonObject,
    branches: readonly JsonSchema[],
    path: PropertyKey[],
  ): SettingRemark[] {
    const shapes = branches.filter((branch) => branch.properties !== undefined);
    const open = branches
      .map((branch) => branch.additionalProperties)
      .filter((part) => typeof part === 'object');
    if (shapes.length === 0 && open.length === 0) return [];
    const propertyNames = [
      ...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {}))),
    ];
    // Building the navigation reports an entry without its label; the other names of that entry do
    // not matter then.
    const missing = shapes.flatMap(({ required = [] }) =>
      required.filter((name) => !Object.hasOwn(object, name)),
    );
    const isLeftOut = path[0] === 'navigation' && missing.length > 0;
    return Object.entries(object).flatMap(([key, member]) => {
      const parts = shapes
        .map((shape) => propertyOf(shape, key))
        .filter((part) => part !== undefined);
      if (parts.length > 0 || open.length > 0)
        return examine(member, parts.length > 0 ? parts : open, [...path, key]);
      const nearest =
        nearestName(key, propertyNames) ?? propertyNames.find((name) => name === MEANT.get(key));
      const isIgnored =
        FOREIGN.test(key) || (isLeftOut && !missing.some((name) => name === nearest));
      return isIgnored
        ? []
        : [
            {
              kind: 'unknown',
              path: [...path, key],
              known: propertyNames,
              ...(nearest !== undefined && { nearest }),
            },
          ];
    });
  }

  /** Returns the schema itself and its alternatives, references followed. */
  function branchesOf(schema: JsonSchema): JsonSchema[] {
    const name = schema.$ref?.replace('#/$defs/', '');
    const target = name !== undefined && Object.hasOwn($defs, name) ? $defs[name] : undefined;
    const parts = [...(schema.anyOf ?? []), ...(target ? [target] : [])];
    return [schema, ...parts.flatMap(branchesOf)];
  }

  return examine(value, [root], []);
}

function effectOf(schema: JsonSchema, value: JsonValue): string | undefined {
  const effect = schema['x-no-effect'];
  // A disabled setting has no effect anyway.
  if (effect === undefined || value === false || value === null) return undefined;
  if (typeof effect === 'string') return effect;
  return typeof value === 'string' && Object.hasOwn(effect, value) ? effect[value] : undefined;
}

function propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, key)
    ? schema.properties[key]
    : undefined;
}
