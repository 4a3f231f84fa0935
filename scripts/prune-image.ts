import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Removes from node_modules what only the builds of the theme and the dashboard needed, and source
// maps. For images only: a checkout needs it.
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The libraries of diagrams and the chart are now part of the theme and the dashboard, as are the
 * dashboard's other libraries; the native compiler is for development only.
 */
const BUILD_ONLY =
  /^(?:mermaid|d3-.*|react|react-dom|react-hook-form|openapi-fetch|uqr|fflate|@base-ui\/react|@tanstack\/react-.*|@typescript\/typescript-.*)$/;
const isBuildOnly = (name: string): boolean => BUILD_ONLY.test(name);

interface LockedPackage {
  /** A package of the workspace; `resolved` is its folder. */
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Returns where Node.js finds a package that another one requires. */
function placeOf(name: string, asker: string): string | undefined {
  for (
    let folder = asker;
    ;
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
  ) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, place)) return place;
    if (folder === '') return undefined;
  }
}

/** The command, from which everything that runs is reached. */
const ENTRY = 'packages/docent';
const needed = new Set([ENTRY]);
function need(place: string): void {
  const {
    link,
    resolved = '',
    dependencies,
    optionalDependencies,
    peerDependencies,
    peerDependenciesMeta,
  } = packages[place] ?? {};
  if (link) reach(resolved);
  // Optional peers are present if we depend on them ourselves.
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  for (const name of [...peers, ...Object.keys({ ...optionalDependencies, ...dependencies })]) {
    const next = isBuildOnly(name) ? undefined : placeOf(name, place);
    if (next !== undefined) reach(next);
  }
}

function reach(place: string): void {
  if (needed.has(place)) return;
  needed.add(place);
  need(place);
}
need(ENTRY);

const isKept = (place: string): boolean =>
  needed.has(place) || [...needed].some((one) => one.startsWith(`${place}/`));
for (const place of Object.keys(packages))
  if (place !== '' && !isKept(place)) rmSync(join(root, place), { recursive: true, force: true });
for (const entry of readdirSync(join(root, 'node_modules'), {
  recursive: true,
  withFileTypes: true,
}))
  if (entry.isFile() && entry.name.endsWith('.map')) rmSync(join(entry.parentPath, entry.name));
