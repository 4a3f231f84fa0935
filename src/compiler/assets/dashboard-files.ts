import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocentError } from '../../core/errors.ts';
import { mediaTypeOf } from '../source/media-types.ts';

/** A file of the dashboard, ready to serve. */
export interface DashboardFile {
  type: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** The dashboard: the page, which is the same for every address, and its files, whose names hold their hashes. */
export interface Dashboard {
  html: string;
  file: (name: string) => Promise<DashboardFile> | undefined;
}

const dashboardFolder = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url));

/**
 * Loads what `scripts/build-dashboard.ts` made; each file when it is first asked for.
 * @throws DocentError where it was not run
 */
export async function loadDashboard(folder: string = dashboardFolder): Promise<Dashboard> {
  const assets = join(folder, 'assets');
  const [html, names] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), readdir(assets)]).catch((cause) => {
    throw new DocentError('internal_error', 'The dashboard is not built: run "node scripts/build.ts" once.', { cause });
  });
  const known = new Set(names.filter((name) => !/\.(?:br|gz)$/.test(name)));
  const loaded = new Map<string, Promise<DashboardFile>>();
  const file = (name: string) => {
    if (!known.has(name)) return undefined;
    const found = loaded.get(name) ?? load(join(assets, name));
    loaded.set(name, found);
    return found;
  };
  return { html, file };
}

async function load(path: string): Promise<DashboardFile> {
  const [identity, br, gzip] = await Promise.all([readFile(path), readFile(`${path}.br`), readFile(`${path}.gz`)]);
  return { type: mediaTypeOf(path) ?? 'application/octet-stream', identity, br, gzip };
}
