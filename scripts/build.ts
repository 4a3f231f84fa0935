import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.ts';
import { buildDatabaseTemplate } from './build-database-template.ts';
import { buildTheme } from './build-theme.ts';

// Builds the content of `dist/`: the files of the theme and of the dashboard, and the template of a new embedded database. All,
// or only the named ones.
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const builds: Record<string, () => Promise<unknown>> = {
  theme: () => buildTheme(`${dist}/theme`),
  dashboard: () => buildDashboard(`${dist}/dashboard`),
  database: () => buildDatabaseTemplate(`${dist}/database-template.tar.gz`),
};
await mkdir(dist, { recursive: true });
const named = process.argv.slice(2);
for (const [name, build] of Object.entries(builds)) if (named.length === 0 || named.includes(name)) await build();
