import { siteRoot } from '../page-data.ts';
import { readStored, writeStored } from '../storage.ts';

const MAX_CHARACTERS = 400_000;

type Part = 'server' | 'secrets' | 'shared' | 'page';
type Kept = Partial<Record<Part, Record<string, unknown>>>;

/** Sites of one origin share its storage; none gets what was filled in on another. */
function storageKey(): string {
  return `docent.playground ${siteRoot()}`;
}

function all(): Kept {
  try {
    const kept: unknown = JSON.parse(readStored('session', storageKey()) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}

/**
 * What was filled in before, in this tab. `secrets` and `shared` are kept by the origin of the API, so that none is ever offered to
 * another; `page` by the operation.
 */
export function keptValues(part: Part, key: string): Map<string, unknown> {
  const group = all()[part] ?? {};
  const found = Object.hasOwn(group, key) ? group[key] : undefined;
  return new Map(Object.entries(typeof found === 'object' && found !== null ? found : {}));
}

/** Keeps what is filled in until the tab is closed. Files are not kept. */
export function keepValues(part: Part, key: string, values: ReadonlyMap<string, unknown>): void {
  const kept = all();
  const group = new Map(Object.entries(kept[part] ?? {}));
  group.set(key, Object.fromEntries(values));
  const text = JSON.stringify({ ...kept, [part]: Object.fromEntries(group) }, withoutFiles);
  // Too much for the browser's storage: what was filled in last is worth more than all before.
  writeStored(
    'session',
    storageKey(),
    text.length > MAX_CHARACTERS ? JSON.stringify({ [part]: { [key]: Object.fromEntries(values) } }, withoutFiles) : text,
  );
}

function withoutFiles(_key: string, value: unknown): unknown {
  return value instanceof Blob ? undefined : value;
}
