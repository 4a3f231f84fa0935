import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readForms, type ServedFile } from '@docent/compiler/assets/dist-files.ts';
import { DocentError } from '@docent/format/errors.ts';
import { onceForEach } from '@docent/format/once.ts';

const dist = fileURLToPath(new URL('../../../../dist/dashboard', import.meta.url));

/**
 * The dashboard: a document for each page in its state without data, and its files, whose names
 * contain their hashes.
 */
export interface Dashboard {
  /** Returns the document at a path below `/dashboard`, for a browser with or without a session. */
  document: (path: string, origin: string, isSignedIn: boolean) => string;
  file: (name: string) => Promise<ServedFile> | undefined;
}

/**
 * Loads the output of `scripts/build-dashboard.ts`, each file on first request.
 * @throws DocentError if the dashboard was not built
 */
export async function loadDashboard(folder: string = dist): Promise<Dashboard> {
  const assets = join(folder, 'assets');
  const [pages, names] = await Promise.all([
    readFile(join(folder, 'pages.json'), 'utf8'),
    readdir(assets),
  ]).catch((cause) => {
    throw new DocentError(
      'internal_error',
      'The dashboard is not built: run "node scripts/build.ts" once.',
      { cause },
    );
  });
  const assetNames = new Set(names.filter((name) => !/\.(?:br|gz)$/.test(name)));
  const load = onceForEach((name: string) => readForms(join(assets, name)));
  const file = (name: string) => (assetNames.has(name) ? load(name) : undefined);
  return { document: chooseDocument(JSON.parse(pages) as Record<string, string>), file };
}

/** Parts of URLs that are safe in HTML without escaping. */
const PLAIN = /^[\w.-]+$/;

function chooseDocument(pages: Record<string, string>): Dashboard['document'] {
  // Literal parts come before parameters: `/$org/settings/keys` before `/$org/$domain/keys`.
  const addresses = Object.keys(pages).sort((a, b) =>
    a.replaceAll('$', '~') < b.replaceAll('$', '~') ? -1 : 1,
  );
  const routes = addresses.map((address) => ({ address, parts: address.split('/') }));
  return (path, origin, isSignedIn) => {
    const segments = path.split('/');
    const route = routes.find(
      ({ parts }) =>
        parts.length === segments.length &&
        parts.every((part, i) =>
          part.startsWith('$') ? PLAIN.test(segments[i]!) : part === segments[i],
        ),
    );
    const isForAnybody = route !== undefined && !/^\/(?:account|\$org)/.test(route.address);
    if (!route || (!isSignedIn && !isForAnybody)) return pages['/'] as string;
    const values = new Map(route.parts.map((part, i) => [part.slice(1), segments[i]]));
    values.set('origin', origin);
    return (pages[route.address] as string).replaceAll(
      /__(\w+?)__/g,
      (mark, name: string) => values.get(name) ?? mark,
    );
  };
}
