import { siteRoot } from '../page-data.ts';
import { readStoredJson, writeStored } from '../storage.ts';

const MAX_CHARACTERS = 400_000;

type Part = 'server' | 'secrets' | 'shared' | 'page';
type Kept = Partial<Record<Part, Record<string, unknown>>>;

/** Sites of one origin share its storage; this keeps their input separate. */
function storageKey(): string {
  return `docent.playground ${siteRoot()}`;
}

function all(): Kept {
  const kept = readStoredJson('session', storageKey());
  return typeof kept === 'object' && kept !== null ? kept : {};
}

/**
 * The input stored in this tab. `secrets` and `shared` are stored by the origin of the API, so that
 * they are never offered to another; `page` by the operation.
 */
export function keptValues(part: Part, key: string): Map<string, unknown> {
  const group = all()[part] ?? {};
  const storedValues = Object.hasOwn(group, key) ? group[key] : undefined;
  return new Map(
    Object.entries(typeof storedValues === 'object' && storedValues !== null ? storedValues : {}),
  );
}

/** Stores the input until the tab is closed. Files are not stored. */
export function keepValues(part: Part, key: string, values: ReadonlyMap<string, unknown>): void {
  const kept = all();
  const group = new Map(Object.entries(kept[part] ?? {}));
  group.set(key, Object.fromEntries(values));
  const text = JSON.stringify({ ...kept, [part]: Object.fromEntries(group) }, withoutFiles);
  // Exceeds the browser's storage: the latest input is worth more than all earlier.
  writeStored(
    'session',
    storageKey(),
    text.length > MAX_CHARACTERS
      ? JSON.stringify({ [part]: { [key]: Object.fromEntries(values) } }, withoutFiles)
      : text,
  );
}

function withoutFiles(_key: string, value: unknown): unknown {
  return value instanceof Blob ? undefined : value;
}
