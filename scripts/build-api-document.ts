import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import type { Deps } from '../packages/server/src/kernel/deps.ts';
import { buildApp } from '../packages/server/src/start/http-app.ts';

// Generates the API description for our documentation from the routes; with --check, only reports
// whether it is up to date.
const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

/**
 * Stands in for every dependency of the routes: they use them only in requests, and there are none
 * here.
 */
const nothing = new Proxy(
  {},
  { get: (_target, name) => (name === 'then' ? undefined : () => nothing) },
);
const deps = new Proxy(
  { config: loadConfig({}) },
  { get: (known, name) => Reflect.get(known, name) ?? nothing },
);
const app = await buildApp(deps as unknown as Deps);
const text = `${JSON.stringify(await app.describeRoutes(), undefined, 2)}\n`;
await app.close();

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stdout.write(
    'docs/openapi.json does not match the routes; run node scripts/build-api-document.ts\n',
  );
  process.exitCode = 1;
}
