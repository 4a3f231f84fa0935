import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { OWN_MODULE, READY } from '../packages/emit-modules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'packages/docent/src/main.ts';
const STACK_TRACES = 'scripts/program/stack-traces.ts';

/** Bundled again when it runs, from its source, for readers' browsers. */
const SOURCE_ONLY = ['packages/compiler/src/islands/first-render/main.ts'];

/**
 * Packages that stay as they are: those with native code, WebAssembly or files that they read, and
 * those with hundreds of modules of which a process loads a few, and those that it does not load.
 */
const SEPARATE: ReadonlySet<string> = new Set([
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@electric-sql/pglite',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger',
  '@huggingface/tokenizers',
  '@jitl/quickjs-wasmfile-release-sync',
  '@shikijs/langs',
  'canvaskit-wasm',
  'esbuild',
  'esbuild-wasm',
  'ioredis',
  'katex',
  'onnxruntime-node',
  'onnxruntime-web',
  'pg-native',
  'pino',
  'tailwindcss',
  'twoslash',
  'typescript',
  'typescript-js',
]);

/** Where these do no harm: in comments, and if they may be absent. */
const HARMLESS = /^\s*(?:\*|\/\/).*$|\btypeof __filename !== 'undefined' \? __filename/gm;
/** What only works in a module that is where its package has it. */
const OWN_PLACE =
  /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename|resolve)\b|\brequire\.resolve\b|\bfactory\(require\b/;

/**
 * Bundles the program for where it is installed: a process or thread then reads a few files in
 * place of hundreds, and Node.js does not compile TypeScript. What processes have in common, and
 * what they load only when they need it, are files of their own. Each bundle has a map, from which
 * `stack-traces.ts` names the sources.
 */
export async function bundleProgram(target: string): Promise<void> {
  const sources = sourcesOf(root);
  const entries = [MAIN, ...new Set(sources.flatMap(ownModulesOf))].filter(
    (file) => !SOURCE_ONLY.includes(file),
  );
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: [],
    define: READY,
    entryPoints: Object.fromEntries(entries.map((file) => [bundleName(file), join(root, file)])),
    chunkNames: '[name]-[hash]',
    outdir: target,
    plugins: [
      keepPlaces(target, new Set(entries)),
      namedBuiltins(),
      deferModules(),
      comparePrefixes(),
      keepSeparate(),
      bundleAround(target),
    ],
    banner: { js: REQUIRE },
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    tsconfigRaw: {},
  });
  refuseMovedFiles(metafile);
  writeFileSync(join(target, 'package.json'), '{ "type": "module" }\n');
  removeFormer(target, new Set(Object.keys(metafile.outputs).map((path) => basename(path))));
}

/** A server that runs from the former bundles loads some of them later. */
const KEPT_MS = 24 * 3600 * 1000;

function removeFormer(target: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(target)) {
    const path = join(target, name);
    if (name === 'package.json' || current.has(name)) continue;
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path);
  }
}

/** Packages written for CommonJS call it. */
const REQUIRE =
  "import{createRequire as docentRequire}from'node:module';const require=docentRequire(import.meta.url);";

/** Name of the bundle of a module that a process or thread starts with, without its ending. */
export const bundleName = (file: string): string =>
  file
    .replace(/^packages\/([\w-]+)\/src\//, '$1-')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-');

function sourcesOf(folder: string): string[] {
  return readdirSync(join(folder, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!dashboard\/)[\w-]+\/src\/.*\.ts$/.test(path))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => `packages/${path}`);
}

function ownModulesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(OWN_MODULE), ([, path = '']) => join(dirname(file), path));
}

const OWN_MODULE_CALL = new RegExp(
  `${OWN_MODULE.source}\\s*,\\s*import\\.meta\\.url,?\\s*\\)`,
  'g',
);

/**
 * Lets a module name other files as if it were where its source is, except those that have a
 * bundle.
 */
function keepPlaces(target: string, entries: ReadonlySet<string>): Plugin {
  const url = (file: string) =>
    entries.has(file) ? `./${bundleName(file)}.js` : relative(target, join(root, file));
  return {
    name: 'keep places',
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/[\w-]+\/src\/.*\.tsx?$/ }, ({ path }) => {
        const file = relative(root, path);
        const text = readFileSync(path, 'utf8');
        const begin = entries.has(file)
          ? `import ${JSON.stringify(join(root, STACK_TRACES))};`
          : '';
        const contents = text
          .replaceAll(OWN_MODULE_CALL, (_, module: string) =>
            ownUrl(url(join(dirname(file), module))),
          )
          .replaceAll(/\bimport\.meta\.url\b/g, `${ownUrl(relative(target, path))}.href`)
          .replaceAll(PLACE, 'import.meta.url');
        return { contents: `${begin}${contents}`, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/** Stands for the URL of the bundle, while that of the source is replaced. */
const PLACE = '#URL of the bundle#';
const ownUrl = (path: string): string => `new URL(${JSON.stringify(path)}, ${PLACE})`;

/**
 * Takes from the modules of Node.js only what the program uses: an `import` reads each of their
 * exports, and so loads what those load when they are first used. `WebSocket` of `node:http` alone is
 * a client of 11 MB.
 */
function namedBuiltins(): Plugin {
  return {
    name: 'named builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
        kind === 'import-statement' && isBuiltin(path)
          ? { path, namespace: 'builtin', sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
        contents: builtinSource(path),
      }));
    },
  };
}

/** A module whose exports are read one by one; esbuild leaves out those that nobody imports. */
function builtinSource(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter(
    (name) => name !== 'default' && /^[\w$]+$/.test(name),
  );
  return [
    `const module = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'const of = (name) => module[name];',
    'export default module;',
    ...names.map(
      (name) => `const $${name} = /* @__PURE__ */ of('${name}'); export { $${name} as ${name} };`,
    ),
  ].join('\n');
}

/**
 * Loads when it is used what libraries require for every server, and ours do not need: Fastify HTTP/2
 * (10 to 16 ms of a start), and `prom-client` the API of OpenTelemetry, for exemplars (2026-12-01).
 */
function deferModules(): Plugin {
  return {
    name: 'defer modules',
    setup({ onResolve, onLoad }) {
      onResolve(
        { filter: /^(?:(?:node:)?http2|@opentelemetry\/api)$/ },
        ({ path, kind, namespace }) => {
          if (kind !== 'require-call') return undefined;
          return namespace === 'deferred'
            ? { path, external: true }
            : { path, namespace: 'deferred' };
        },
      );
      onLoad({ filter: /^/, namespace: 'deferred' }, ({ path }) => ({
        contents: `module.exports = new Proxy({}, { get: (_, name) => require(${JSON.stringify(path)})[name] })`,
      }));
    },
  };
}

/** A router's node with a prefix of at least this length needs no function compiled for it. */
const COMPILED_PREFIXES = 'const LONG_PREFIX_MIN_LENGTH = 16';

/**
 * Lets the router of Fastify compare prefixes without a function that it compiles for each: for the
 * 166 paths of the API these take 26 ms of a start, and find a route no faster (2026-12-01).
 */
function comparePrefixes(): Plugin {
  return {
    name: 'compare prefixes',
    setup({ onLoad }) {
      onLoad({ filter: /\/find-my-way\/lib\/node\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes(COMPILED_PREFIXES))
          throw new Error(`${path} has changed: see whether it still compiles functions.`);
        return { contents: text.replace(COMPILED_PREFIXES, COMPILED_PREFIXES.replace('16', '2')) };
      });
    },
  };
}

/** Leaves packages to Node.js that are in `SEPARATE`, and those that are imported on demand. */
function keepSeparate(): Plugin {
  return {
    name: 'keep separate',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@docent/')) return undefined;
        // The names that Node.js finds in a CommonJS module are not in a bundled one.
        const isSeparate = kind === 'dynamic-import' || SEPARATE.has(packageOf(path));
        return isSeparate ? { path, external: true } : undefined;
      });
    },
  };
}

/**
 * Of the parser, only the module that finds its native code stays as it is: an import of another
 * file takes up to a millisecond of every build. Of `jsonc-parser`, takes the modules that can be
 * bundled.
 */
function bundleAround(target: string): Plugin {
  const satteri = join(root, 'node_modules/satteri/index.js');
  return {
    name: 'bundle around native code',
    setup({ onResolve }) {
      onResolve({ filter: /\/index\.js$/ }, ({ path, resolveDir }) =>
        join(resolveDir, path) === satteri
          ? { path: relative(target, satteri), external: true }
          : undefined,
      );
      onResolve({ filter: /^jsonc-parser$/ }, () => ({
        path: join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
      }));
    },
  };
}

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** @throws Error if a package looks for files beside its modules, which are elsewhere now */
function refuseMovedFiles({ outputs }: Metafile): void {
  const bundled = new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const moved = [...bundled].filter(
    (file) =>
      file.startsWith('node_modules/') &&
      OWN_PLACE.test(readFileSync(join(root, file), 'utf8').replaceAll(HARMLESS, '')),
  );
  if (moved.length > 0)
    throw new Error(
      `These modules look for files beside them; add their packages to SEPARATE: ${moved.join(', ')}`,
    );
}
