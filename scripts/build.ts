import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildDatabaseTemplate } from './build-database-template.ts';
import { buildTheme } from './build-theme.ts';

// Makes everything in `dist/`: the theme's stylesheet and scripts, and the template of a new embedded database.
const dist = fileURLToPath(new URL('../dist', import.meta.url));
await mkdir(dist, { recursive: true });
await buildTheme(`${dist}/theme`);
await buildDatabaseTemplate(`${dist}/database-template.tar.gz`);
