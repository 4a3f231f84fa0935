import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.ts';
import { buildDatabaseTemplate } from './build-database-template.ts';
import { buildTheme } from './build-theme.ts';
import { buildPackages } from './packages/build-packages.ts';
import { bundleProgram } from './program/bundle-program.ts';

// Builds the content of `dist/`: the files of the theme and of the dashboard, the template of a new
// embedded database, and the bundled program; if they are named, also the published packages, which
// consist of these and the code. All four, or only the named ones.
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const builds: Record<string, () => Promise<unknown>> = {
  theme: () => buildTheme(`${dist}/theme`),
  dashboard: () => buildDashboard(`${dist}/dashboard`),
  database: () => buildDatabaseTemplate(`${dist}/database-template.tar.gz`),
  program: () => bundleProgram(`${dist}/program`),
  packages: () => buildPackages(`${dist}/packages`),
};
await mkdir(dist, { recursive: true });
const named = process.argv.slice(2);
for (const [name, build] of Object.entries(builds))
  if (named.length === 0 ? name !== 'packages' : named.includes(name)) await build();
