import { mayRead, type Reader } from '../access/may-read.ts';
import type { CanRead } from '../build/visible-build.ts';
import type { ExportAudience } from './export-options.ts';

/**
 * Returns what an export has, by the same rule as for readers.
 * @param site whether it asks its readers to sign in: then only what is public to all of them is in
 *   an export without an audience
 */
export function canExport(
  audience: ExportAudience = 'public',
  site: { isPrivate: boolean },
): CanRead {
  if (audience === 'all') return () => true;
  const reader = audience === 'public' ? undefined : readerWith(audience.groups);
  return (page) => mayRead(reader, page, site);
}

/** Returns a reader of whom nothing but groups is known. */
export function readerWith(groups: readonly string[]): Reader {
  return {
    id: 'groups',
    groups,
    content: {},
    apiPlaygroundInputs: {},
    expiresAt: new Date(8.64e15),
  };
}

/**
 * Reads the audience of a command: `public`, `all`, or names of groups with commas between them.
 */
export function readExportAudience(text: string): ExportAudience {
  const name = text.trim();
  if (name === 'public' || name === 'all') return name;
  return {
    groups: name
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean),
  };
}
