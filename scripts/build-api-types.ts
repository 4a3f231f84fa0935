import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Writes the types of the dashboard's API client, which are those of docs/openapi.json. They are not committed, and only the type
// check and editors read them; the dashboard is built without.
const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// The generator prints with the compiler's JavaScript edition; the native one has no such interface.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-js' : name, context),
});
const { default: openapiTS, astToString } = await import('openapi-typescript');

const nodes = await openapiTS(readFileSync(file('docs/openapi.json'), 'utf8'), { alphabetize: true });
mkdirSync(file('dist'), { recursive: true });
writeFileSync(file('dist/openapi.d.ts'), astToString(nodes));
