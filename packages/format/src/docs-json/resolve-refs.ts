import type { Diagnostic } from '../diagnostics.ts';
import type { SourcePlace } from '../errors.ts';
import {
  type JsonDocument,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonDocument,
} from '../json-document.ts';
import { pathParts } from './settings/schema-parts.ts';
import { inFolder } from './site-sources.ts';

/**
 * The source tree as the configuration needs it: returns the text of a file by its path without a
 * leading slash.
 */
export interface TextSource {
  readText(path: string): string | undefined;
}

/** More is a mistake, or an attempt to expand a small file to a huge tree. */
const MAX_VALUES = 200_000;
const MAX_NESTING = 150;

/**
 * Replaces `{"$ref": "./file.json"}` by the content of other JSON files. Keys beside `$ref`
 * override those of the loaded object; references are relative to their file, or to the root with a
 * leading slash. Drops and reports a broken reference.
 * @param document the parsed configuration file; its `places` receives the positions of the loaded
 *   files
 * @param folder that no reference leaves: that of the source of a site of several
 * @returns the same configuration without references
 */
export function resolveRefs(
  document: JsonDocument,
  file: string,
  source: TextSource,
  diagnostics: Diagnostic[],
  folder = '',
): JsonValue {
  const loadedFiles = new Map<string, JsonValue | undefined>();
  let valueCount = 0;

  /** @param files the chain of open files, outermost first */
  function resolve(
    value: JsonValue,
    files: readonly string[],
    depth: number,
  ): JsonValue | undefined {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_NESTING || ++valueCount > MAX_VALUES) return refuseSize(files);
    if (Array.isArray(value)) return resolveArray(value, files, depth);
    const members = resolveMembers(value, files, depth);
    return typeof value.$ref === 'string'
      ? follow(value, value.$ref, members, files, depth)
      : members;
  }

  function resolveArray(array: JsonValue[], files: readonly string[], depth: number): JsonValue[] {
    const out: JsonValue[] = [];
    for (const [index, item] of array.entries()) {
      const resolved = resolve(item, files, depth + 1);
      if (resolved === undefined) continue;
      copyPlace(array, index, out, out.length);
      out.push(resolved);
    }
    return out;
  }

  function resolveMembers(object: JsonObject, files: readonly string[], depth: number): JsonObject {
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(object)) {
      if (key === '$ref' && typeof member === 'string') continue;
      const resolved = resolve(member, files, depth + 1);
      if (resolved === undefined) continue;
      out[key] = resolved;
      copyPlace(object, key, out, key);
    }
    return out;
  }

  function follow(
    object: JsonObject,
    ref: string,
    siblings: JsonObject,
    files: readonly string[],
    depth: number,
  ): JsonValue | undefined {
    const orSiblings = Object.keys(siblings).length > 0 ? siblings : undefined;
    const path = resolveRefPath(files.at(-1) ?? '', ref, folder);
    if (path === undefined) {
      warn(
        placeOf(object),
        `"$ref": "${ref}" leads outside the documentation folder.`,
        'Move the file into the folder.',
      );
      return orSiblings;
    }
    if (files.includes(path)) {
      const cycle = [...files.slice(files.indexOf(path)), path].join(' → ');
      warn(
        placeOf(object),
        `The references form a cycle: ${cycle}.`,
        'Remove one of these "$ref" entries.',
      );
      return orSiblings;
    }
    const loaded = load(path, object);
    if (loaded === undefined) return orSiblings;
    const target = resolve(loaded, [...files, path], depth + 1);
    if (typeof target !== 'object' || target === null || Array.isArray(target)) return target;
    for (const key of Object.keys(siblings)) {
      target[key] = siblings[key] as JsonValue;
      copyPlace(object, key, target, key);
    }
    return target;
  }

  function load(path: string, object: JsonObject): JsonValue | undefined {
    if (loadedFiles.has(path)) return loadedFiles.get(path);
    const text = source.readText(path);
    let value: JsonValue | undefined;
    if (text === undefined) {
      warn(
        placeOf(object),
        `"$ref" refers to ${path}, which does not exist.`,
        'Correct the path or add the file.',
      );
    } else {
      try {
        const loaded = parseJsonDocument(text, path, document.places);
        value = loaded.value;
        document.notes.push(...loaded.notes);
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        const remedy = 'Correct it; its content is ignored until then.';
        warn(error.place, `The file is not valid JSON: ${error.message}.`, remedy);
      }
    }
    loadedFiles.set(path, value);
    return value;
  }

  function refuseSize(files: readonly string[]): undefined {
    if (valueCount > MAX_VALUES + 1) return;
    const file = files.at(-1) ?? '';
    const message =
      'The configuration with all its references is too large or too deeply nested; a part is ignored.';
    warn({ file }, message, `Use fewer references in ${file}.`);
  }

  function placeOf(object: JsonObject): SourcePlace {
    return document.places.get(object, '$ref') ?? { file: '' };
  }

  function warn(place: SourcePlace, message: string, remedy: string): void {
    diagnostics.push({ severity: 'warning', code: 'unresolved-ref', message, remedy, ...place });
  }

  function copyPlace(
    from: object,
    fromKey: string | number,
    to: object,
    toKey: string | number,
  ): void {
    const place = document.places.get(from, fromKey);
    if (place) document.places.set(to, toKey, place);
  }

  return resolve(document.value, [file], 0) ?? {};
}

/** Resolves a reference to a path in the tree, or undefined if it leaves the folder. */
function resolveRefPath(fromFile: string, ref: string, folder: string): string | undefined {
  const file = folder === '' ? fromFile : fromFile.slice(folder.length + 1);
  const path = ref.startsWith('/') ? ref : `${file}/../${ref}`;
  const parts = pathParts(path.replaceAll('\\', '/'));
  return parts && inFolder(folder, parts.join('/'));
}
