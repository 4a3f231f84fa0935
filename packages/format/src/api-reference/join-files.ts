import type { Diagnostic } from '../diagnostics.ts';
import type { JsonObject } from '../json-value.ts';
import { decodeAddress } from '../links.ts';
import { resolvePointer } from './schemas/references.ts';

/**
 * Returns the tree of another file that a description refers to; undefined if it is missing or
 * unreadable.
 */
export type ReadTree = (path: string) => unknown;

/** Where the trees of other files are placed in the description's own tree. */
export const FILES_KEY = 'x-docent-files';
const MAX_FILES = 500;
const MAX_REPORTED = 20;
/** Keywords that contain API data, in which `$ref` has no special meaning. */
export const DATA_KEYS = new Set(['example', 'value', 'dataValue', 'default', 'const', 'enum']);
/** Objects whose keys are names that the author chose. */
export const NAME_MAPS =
  /^(?:properties|patternProperties|\$defs|definitions|schemas|parameters|responses|headers|requestBodies|mediaTypes|examples|paths|pathItems|callbacks|links|securitySchemes|channels|messages|operations)$/;

interface Place {
  value: unknown;
  key: string;
  parent: Place | undefined;
}

interface Reference {
  holder: Record<string, unknown>;
  key: string;
  /** As the author wrote it. */
  written: string;
  file: string;
  place: Place;
  /** Absent if the referenced file does not exist. */
  pointer: string | undefined;
}

/**
 * Merges the files that a description refers to into its tree and rewrites every reference to an
 * internal one. Chains and cycles of files are allowed. Modifies `root`.
 * @param file the description's path or address, the base of relative references
 * @returns a warning for each reference that leads nowhere
 */
export function joinFiles(root: JsonObject, file: string, readTree: ReadTree): Diagnostic[] {
  /** File → the pointer to its tree; undefined if it cannot be read. */
  const pointers = new Map<string, string | undefined>([[file, '#']]);
  const trees: Record<string, unknown> = Object.create(null);
  const queue: { file: string; tree: unknown }[] = [{ file, tree: root }];
  const references: Reference[] = [];
  const seen = new Set<object>();
  for (let next = queue.shift(); next; next = queue.shift()) collect(next.file, next.tree);
  if (Object.keys(trees).length > 0) (root as Record<string, unknown>)[FILES_KEY] = trees;
  const broken = references.filter((reference) => !settle(reference));
  const byFile = Map.groupBy(broken, (reference) => reference.file);
  return [...byFile].flatMap(([from, broken]) => {
    // One missing target is one problem, however many operations refer to it.
    const targets = [...Map.groupBy(broken, (reference) => reference.written).values()];
    const diagnostics = targets.slice(0, MAX_REPORTED).map((same) => brokenReference(from, same));
    const more = targets.slice(MAX_REPORTED).reduce((sum, same) => sum + same.length, 0);
    return more > 0
      ? [...diagnostics, warning(from, `${more} further references cannot be resolved.`)]
      : diagnostics;
  });

  /**
   * Collects every reference of a tree and reads the files they name. Iterative, because files can
   * nest very deeply.
   */
  function collect(file: string, tree: unknown): void {
    const open: Place[] = [{ value: tree, key: '', parent: undefined }];
    for (let place = open.pop(); place; place = open.pop()) {
      const { value } = place;
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      const isNames = NAME_MAPS.test(place.key);
      const holder = value as Record<string, unknown>;
      for (const key of Object.keys(holder)) {
        const inner = holder[key];
        if (typeof inner === 'string') {
          if (key === '$ref' || (place.key === 'mapping' && /[#/]|\.(?:json|ya?ml)$/i.test(inner)))
            references.push({
              holder,
              key,
              written: inner,
              file,
              place,
              pointer: pointerTo(inner, file),
            });
        } else if (isNames || !DATA_KEYS.has(key)) open.push({ value: inner, key, parent: place });
      }
    }
  }

  function pointerTo(reference: string, from: string): string | undefined {
    const hash = reference.indexOf('#');
    const name = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? '' : reference.slice(hash + 1);
    const file = name === '' ? from : resolveFile(name, from);
    const start = file === undefined ? undefined : load(file);
    return start === undefined ? undefined : start + (fragment === '/' ? '' : fragment);
  }

  function load(file: string): string | undefined {
    if (pointers.has(file)) return pointers.get(file);
    const tree = pointers.size < MAX_FILES ? readTree(file) : undefined;
    let pointer: string | undefined;
    if (tree !== undefined) {
      const key = freeKey(file);
      trees[key] = tree;
      pointer = `#/${FILES_KEY}/${encodeURIComponent(key)}`;
      queue.push({ file, tree });
    }
    pointers.set(file, pointer);
    return pointer;
  }

  /** The name of a whole file on a page: without folder and extension. */
  function freeKey(file: string): string {
    const stem =
      file
        .slice(file.lastIndexOf('/') + 1)
        .replace(/[~?].*$/s, '')
        .replace(/\.(?:json|ya?ml)$/i, '') || 'file';
    let key = stem;
    for (let number = 2; Object.hasOwn(trees, key); number++) key = `${stem}-${number}`;
    return key;
  }

  /** Replaces the reference by the pointer. @returns whether the target exists */
  function settle({ holder, key, written, file: from, pointer }: Reference): boolean {
    // The name of a schema in a mapping.
    if (key !== '$ref' && pointer === undefined) return true;
    const validPointer =
      pointer !== undefined && resolvePointer(root, pointer) !== undefined ? pointer : undefined;
    // Parts of a split description often mean the whole description by "#".
    const targetPointer =
      validPointer ??
      (from !== file && written.startsWith('#') && resolvePointer(root, written)
        ? written
        : undefined);
    if (targetPointer !== undefined && targetPointer !== written) holder[key] = targetPointer;
    return targetPointer !== undefined || key !== '$ref';
  }
}

/** Resolves the path or address of a name in a file; undefined if it is outside the source. */
export function resolveFile(name: string, from: string): string | undefined {
  if (/^https?:/i.test(name)) return name;
  if (/^[a-z][a-z\d+.-]*:/i.test(name)) return undefined;
  const origin = /^https?:\/\/[^/?#]*/i.exec(from)?.[0] ?? '';
  const folder = from
    .slice(origin.length)
    .replace(/[?#][\s\S]*/, '')
    .split('/')
    .slice(0, -1);
  const parts = name.startsWith('/') ? [] : folder.filter((part) => part !== '');
  for (const part of decodeAddress(name).split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return origin === '' ? parts.join('/') : `${origin}/${parts.join('/')}`;
}

function brokenReference(file: string, [first, ...others]: readonly Reference[]): Diagnostic {
  const { written, place } = first as Reference;
  const parts: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent)
    parts.unshift(at.key.replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = ['#', ...parts].join('/').slice(0, 300);
  const more =
    others.length === 0
      ? ''
      : ` and in ${others.length} more ${others.length === 1 ? 'place' : 'places'}`;
  return warning(
    file,
    `The reference "${written.slice(0, 300)}" at ${pointer}${more} cannot be resolved.`,
  );
}

function warning(file: string, message: string): Diagnostic {
  const remedy =
    'Correct the reference, or add its target; files outside the documentation folder are not read.';
  return { severity: 'warning', code: 'broken-reference', message, remedy, file };
}
