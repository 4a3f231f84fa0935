import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildDatabaseTemplate } from './build-database-template.ts';
import { buildTheme } from './build-theme.ts';

// Makes what lies in `dist/`: the theme's files, and the template of a new embedded database. Both, or those that are named.
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const builds: Record<string, () => Promise<unknown>> = {
  theme: () => buildTheme(`${dist}/theme`),
  database: () => buildDatabaseTemplate(`${dist}/database-template.tar.gz`),
};
await mkdir(dist, { recursive: true });
const named = process.argv.slice(2);
for (const [name, build] of Object.entries(builds)) if (named.length === 0 || named.includes(name)) await build();
