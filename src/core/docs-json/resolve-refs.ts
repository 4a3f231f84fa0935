import type { Diagnostic } from '../diagnostics.ts';
import {
  type JsonDocument,
  type JsonNote,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonDocument,
} from './json-document.ts';
import { pathParts } from './schema-parts.ts';

/** The source tree as the configuration needs it: returns the text of a file by its path without a leading slash. */
export interface TextSource {
  readText(path: string): string | undefined;
}

/** More is a mistake, or an attempt to expand a small file to a huge tree. */
const MAX_VALUES = 200_000;
const MAX_NESTING = 150;

/**
 * Replaces `{"$ref": "./file.json"}` by the content of other JSON files. Keys beside `$ref` override those of the loaded object;
 * references are relative to their file, or to the root with a leading slash. Drops and reports a broken reference.
 * @param document the parsed configuration file; its `places` receives the positions of the loaded files
 * @returns the same configuration without references
 */
export function resolveRefs(document: JsonDocument, file: string, source: TextSource, diagnostics: Diagnostic[]): JsonValue {
  return new RefResolver(document, source, diagnostics).resolve(document.value, [file], 0) ?? {};
}

class RefResolver {
  readonly #document: JsonDocument;
  readonly #source: TextSource;
  readonly #diagnostics: Diagnostic[];
  readonly #loaded = new Map<string, JsonValue | undefined>();
  #valueCount = 0;

  constructor(document: JsonDocument, source: TextSource, diagnostics: Diagnostic[]) {
    this.#document = document;
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  /** @param files the chain of open files, outermost first */
  resolve(value: JsonValue, files: readonly string[], depth: number): JsonValue | undefined {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_NESTING || ++this.#valueCount > MAX_VALUES) return this.#refuseSize(files);
    if (Array.isArray(value)) return this.#resolveArray(value, files, depth);
    const members = this.#resolveMembers(value, files, depth);
    return typeof value.$ref === 'string' ? this.#follow(value, value.$ref, members, files, depth) : members;
  }

  #resolveArray(array: JsonValue[], files: readonly string[], depth: number): JsonValue[] {
    const out: JsonValue[] = [];
    for (const [index, item] of array.entries()) {
      const resolved = this.resolve(item, files, depth + 1);
      if (resolved === undefined) continue;
      this.#copyPlace(array, index, out, out.length);
      out.push(resolved);
    }
    return out;
  }

  #resolveMembers(object: JsonObject, files: readonly string[], depth: number): JsonObject {
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(object)) {
      if (key === '$ref' && typeof member === 'string') continue;
      const resolved = this.resolve(member, files, depth + 1);
      if (resolved === undefined) continue;
      out[key] = resolved;
      this.#copyPlace(object, key, out, key);
    }
    return out;
  }

  #follow(object: JsonObject, ref: string, siblings: JsonObject, files: readonly string[], depth: number): JsonValue | undefined {
    const orSiblings = Object.keys(siblings).length > 0 ? siblings : undefined;
    const path = resolveRefPath(files.at(-1) ?? '', ref);
    if (path === undefined) {
      this.#warn(object, `"$ref": "${ref}" leads outside the documentation folder.`, 'Move the file into the folder.');
      return orSiblings;
    }
    if (files.includes(path)) {
      const cycle = [...files.slice(files.indexOf(path)), path].join(' → ');
      this.#warn(object, `The references form a cycle: ${cycle}.`, 'Remove one of these "$ref" entries.');
      return orSiblings;
    }
    const loaded = this.#load(path, object);
    if (loaded === undefined) return orSiblings;
    const target = this.resolve(loaded, [...files, path], depth + 1);
    if (typeof target !== 'object' || target === null || Array.isArray(target)) return target;
    for (const key of Object.keys(siblings)) {
      target[key] = siblings[key] as JsonValue;
      this.#copyPlace(object, key, target, key);
    }
    return target;
  }

  #load(path: string, object: JsonObject): JsonValue | undefined {
    if (this.#loaded.has(path)) return this.#loaded.get(path);
    const text = this.#source.readText(path);
    let value: JsonValue | undefined;
    if (text === undefined) {
      this.#warn(object, `"$ref" refers to ${path}, which does not exist.`, 'Correct the path or add the file.');
    } else {
      try {
        const document = parseJsonDocument(text, path, this.#document.places);
        value = document.value;
        this.#document.notes.push(...(document.notes satisfies JsonNote[]));
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        this.#diagnostics.push({
          severity: 'warning',
          code: 'unresolved-ref',
          message: `The file is not valid JSON: ${error.message}.`,
          remedy: 'Correct it; its content is ignored until then.',
          ...error.place,
        });
      }
    }
    this.#loaded.set(path, value);
    return value;
  }

  #refuseSize(files: readonly string[]): undefined {
    if (this.#valueCount <= MAX_VALUES + 1) {
      this.#diagnostics.push({
        severity: 'warning',
        code: 'unresolved-ref',
        message: 'The configuration with all its references is too large or too deeply nested; a part is ignored.',
        remedy: `Use fewer references in ${files.at(-1)}.`,
        file: files.at(-1) ?? '',
      });
    }
    return undefined;
  }

  #warn(object: JsonObject, message: string, remedy: string): void {
    const place = this.#document.places.get(object, '$ref');
    this.#diagnostics.push({ severity: 'warning', code: 'unresolved-ref', message, remedy, ...(place ?? { file: '' }) });
  }

  #copyPlace(from: object, fromKey: string | number, to: object, toKey: string | number): void {
    const place = this.#document.places.get(from, fromKey);
    if (place) this.#document.places.set(to, toKey, place);
  }
}

/** Resolves a reference to a path in the tree, or undefined if it leaves the tree. */
function resolveRefPath(fromFile: string, ref: string): string | undefined {
  const path = ref.startsWith('/') ? ref : `${fromFile}/../${ref}`;
  return pathParts(path.replaceAll('\\', '/'))?.join('/');
}
