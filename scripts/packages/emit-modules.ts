import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsSchema } from '@docent/format/docs-json/json-schema.ts';
import { build, type Plugin } from 'esbuild';

/**
 * A module of ours as JavaScript, and what it needs at run time. All paths are relative to the
 * repository.
 */
export interface EmittedModule {
  text: string;
  /** Modules and data of ours: imports, threads, and files that it reads. */
  files: Set<string>;
  /** Those of the modules that are imported only when they are needed. */
  lazy: Set<string>;
  /** Names of packages. */
  packages: Set<string>;
  /** Files of packages of which nothing else is used, by their path in `node_modules`. */
  data: Set<string>;
}

/** Which modules to emit. */
export interface EmitOptions {
  /** In no package, or in another one. */
  leftOut: readonly string[];
  /** Modules that another package of ours has, and its name: they are imported from there. */
  base?: { name: string; files: ReadonlySet<string> } | undefined;
  /** Packages that become part of ours, because what they ask of others does not fit. */
  inlined: readonly string[];
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = join(root, 'node_modules');

/** Modules that run in a thread or a process of their own. */
export const OWN_MODULE = /\bmoduleUrl\(\s*'([^']+\.ts)'/g;
/** Files that are read; a folder means all of it. */
const READ_FILE = /\bnew URL\(\s*["'](\.{1,2}\/[^"'`]+)["'],\s*import\.meta\.url/g;
/** Packages that are not imported by a statement. */
const READ_PACKAGE =
  /\b(?:import\.meta\.resolve|createRequire\(import\.meta\.url\))\(\s*["'`]([^"'`]+)["'`]/g;
/** Files of packages of which we use nothing else. */
const PACKAGED_FILE = /\bpackagedFile\(\s*[`']([^`']+)[`']/g;

/** An import of another package of the repository, as its `exports` name it. */
const OURS = /^@docent\/([\w-]+)\/(.+)$/;

const packageOf = (specifier: string) =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const inlinedFile = (specifier: string) => `inlined/${specifier}.ts`;
const isCode = (file: string) => /\.tsx?$/.test(file);

/**
 * Compiles modules one by one, as Node.js runs them, and follows what they need. @param entry
 * relative to the repository
 */
export async function emitModules(
  entry: string,
  options: EmitOptions,
): Promise<Map<string, EmittedModule>> {
  const modules = new Map<string, EmittedModule>();
  let next = [entry];
  while (next.length > 0) {
    for (const [file, module] of await emit(next, options)) modules.set(file, module);
    const needed = new Set([...modules.values()].flatMap(({ files }) => [...files]));
    next = [...needed].filter(
      (file) => isCode(file) && !modules.has(file) && !options.leftOut.includes(file),
    );
  }
  return modules;
}

async function emit(
  files: readonly string[],
  options: EmitOptions,
): Promise<Map<string, EmittedModule>> {
  const own = files.filter((file) => !file.startsWith('inlined/'));
  const modules = new Map(files.map((file) => [file, emptyModule()]));
  const { outputFiles } = await build({
    ...ESM,
    entryPoints: own.map((file) => join(root, file)),
    outbase: root,
    outdir: root,
    plugins: [recordImports(modules, options)],
  });
  for (const { path, text } of outputFiles) {
    const file = relative(root, path).replace(/\.js$/, '.ts');
    const module = modules.get(file) as EmittedModule;
    module.text = text;
    addReferences(module, file);
  }
  for (const specifier of options.inlined)
    if (modules.has(inlinedFile(specifier)))
      modules.set(inlinedFile(specifier), await inline(specifier));
  return modules;
}

const emptyModule = (): EmittedModule => ({
  text: '',
  files: new Set(),
  lazy: new Set(),
  packages: new Set(),
  data: new Set(),
});

/** What code that is built finds ready. */
export const READY = {
  BUILT_DOCS_SCHEMA: JSON.stringify(JSON.stringify(docsSchema())),
};

const ESM = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  define: READY,
  legalComments: 'none',
  tsconfigRaw: {},
  logLevel: 'error',
} as const;

/** Leaves every import as it is, but names ours as they are called in the package. */
function recordImports(
  modules: ReadonlyMap<string, EmittedModule>,
  { base, inlined }: EmitOptions,
): Plugin {
  return {
    name: 'record imports',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return undefined;
        const from = relative(root, importer);
        const module = modules.get(from) as EmittedModule;
        const ours = OURS.exec(path);
        if (!path.startsWith('.') && !ours) {
          if (inlined.includes(path)) {
            module.files.add(inlinedFile(path));
            return {
              path: `${'../'.repeat(from.split('/').length - 1)}inlined/${path}.js`,
              external: true,
            };
          }
          if (!path.startsWith('node:')) module.packages.add(packageOf(path));
          return { path, external: true };
        }
        const file = ours
          ? `packages/${ours[1]}/src/${ours[2]}`
          : relative(root, resolve(dirname(importer), path));
        if (base?.files.has(file)) {
          module.packages.add(base.name);
          return { path: `${base.name}/${asJavaScript(file)}`, external: true };
        }
        module.files.add(file);
        if (kind === 'dynamic-import') module.lazy.add(file);
        const place = relative(dirname(from), file);
        return { path: asJavaScript(place.startsWith('.') ? place : `./${place}`), external: true };
      });
    },
  };
}

export const asJavaScript = (path: string): string => path.replace(/\.tsx?$/, '.js');

/** Adds what a module names other than by an import. */
function addReferences(module: EmittedModule, file: string): void {
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path = ''] of source.matchAll(OWN_MODULE))
    module.files.add(join(dirname(file), path));
  for (const [, path = ''] of source.matchAll(READ_FILE)) {
    const target = join(dirname(file), path);
    if (target.startsWith('packages/') && existsSync(join(root, target))) module.files.add(target);
  }
  for (const [, specifier = ''] of source.matchAll(READ_PACKAGE))
    module.packages.add(packageOf(specifier));
  for (const [, pattern = ''] of source.matchAll(PACKAGED_FILE))
    for (const path of filesLike(pattern)) module.data.add(path);
}

/** Returns a package as one module, which imports the packages that it needs. */
async function inline(specifier: string): Promise<EmittedModule> {
  const module = emptyModule();
  const others: Plugin = {
    name: 'other packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        if (!path.startsWith('node:')) module.packages.add(packageOf(path));
        return { path, external: true };
      });
    },
  };
  const entry = fileURLToPath(import.meta.resolve(specifier));
  const { outputFiles } = await build({
    ...ESM,
    entryPoints: [entry],
    outdir: root,
    plugins: [others],
  });
  module.text = outputFiles[0]?.text ?? '';
  for (const license of readdirSync(join(installed, specifier)).filter((name) =>
    /^licen[cs]e/i.test(name),
  ))
    module.data.add(`${specifier}/${license}`);
  return module;
}

/**
 * Returns the files of installed packages that a pattern such as `@iconify-json/${name}/icons.json`
 * matches.
 */
function filesLike(pattern: string): string[] {
  const parts = pattern.split(/\$\{[^}]*\}/);
  const like = new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.+()]/g, '\\$&')).join('[^/]+')}$`,
  );
  const [first = ''] = parts;
  const folder = join(installed, first.slice(0, first.lastIndexOf('/')));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .map((file) => relative(installed, join(folder, file)))
    .filter((file) => like.test(file));
}
