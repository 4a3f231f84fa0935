import type { SymbolName } from './symbol-document.ts';

/** Frontmatter `sdk`: the documented symbol, and its reference if that is not inherited. */
export interface SymbolReference extends SymbolName {
  format?: string;
  source?: string;
}

const KINDS = new Set([
  'class',
  'interface',
  'enum',
  'function',
  'type',
  'variable',
  'method',
  'property',
  'namespace',
  'module',
]);

/**
 * Parses `"[source] kind name"` or an object with `kind`, `name` and more.
 * @returns undefined if it names no symbol
 */
export function parseSymbolReference(value: unknown): SymbolReference | undefined {
  if (typeof value === 'string') return parseText(value.slice(0, 2_000).trim());
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): string | undefined => {
    const found: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined;
  };
  const kind = field('kind')?.toLowerCase();
  const name = field('name');
  if (kind === undefined || name === undefined || !KINDS.has(kind)) return undefined;
  const [parent, format, source] = [field('parent'), field('format')?.toLowerCase(), field('source')];
  return {
    kind,
    name,
    ...(parent === undefined ? {} : { parent }),
    ...(format === undefined ? {} : { format }),
    ...(source === undefined ? {} : { source }),
  };
}

function parseText(text: string): SymbolReference | undefined {
  const words = text.split(/\s+/);
  for (const [index, word] of words.slice(0, 2).entries()) {
    const kind = word.toLowerCase();
    const name = words.slice(index + 1).join(' ');
    if (KINDS.has(kind) && name !== '') return index === 0 ? { kind, name } : { kind, name, source: words[0] as string };
  }
  return undefined;
}
