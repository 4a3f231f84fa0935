import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Generates the types of the API for the commands and the dashboard from docs/openapi.json. They
// are not committed: only the type check and editors read them, no build and no process.
const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// The generator prints with the JavaScript edition of the compiler; the native one has no such API.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-js' : name, context),
});
const { default: openapiTS, astToString } = await import('openapi-typescript');

const nodes = await openapiTS(readFileSync(file('docs/openapi.json'), 'utf8'), {
  alphabetize: true,
});
mkdirSync(file('dist'), { recursive: true });
writeFileSync(file('dist/openapi.d.ts'), astToString(nodes));
