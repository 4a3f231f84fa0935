import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  asJavaScript,
  type EmitOptions,
  type EmittedModule,
  emitModules,
  root,
} from './emit-modules.ts';
import { type PublishedPackage, publishedPackages } from './packages.ts';

const ENTRY = 'packages/docent/src/main.ts';
const README = 'scripts/packages/README.md';

interface Manifest {
  version: string;
  license: string;
  engines: object;
}

const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string; name?: string }>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/**
 * Writes the published packages, ready for `npm pack`, from the sources and the built parts in
 * `dist/`. Dependencies are what the modules import, in the versions of the lockfile.
 * @returns the folder of each package, by its name
 */
export async function buildPackages(target: string): Promise<Map<string, string>> {
  rmSync(target, { recursive: true, force: true });
  const folders = new Map<string, string>();
  for (const definition of publishedPackages) {
    const folder = join(target, definition.name.replace('@docent/', ''));
    await buildPackage(definition, folder);
    folders.set(definition.name, folder);
  }
  return folders;
}

async function buildPackage(definition: PublishedPackage, folder: string): Promise<void> {
  const { leftOut, folders, bin } = definition;
  const modules = await modulesOf(definition);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const copy = (path: string, to = path) =>
    cpSync(join(root, path), join(folder, to), { recursive: true });
  for (const [file, { text }] of modules) write(asJavaScript(file), text);
  for (const file of leftOut) write(asJavaScript(file), refusal(file));
  const all = [...modules.values()];
  for (const [file, { files, lazy }] of modules)
    for (const absent of leftOut)
      if (files.has(absent) && !lazy.has(absent))
        throw new Error(
          `${file} imports ${absent}, which is not in the package ${definition.name}.`,
        );
  for (const file of new Set(all.flatMap(({ files }) => [...files])))
    if (!/\.tsx?$/.test(file) && file !== 'package.json') copy(file);
  for (const file of new Set(all.flatMap(({ data }) => [...data]))) copyData(file, folder);
  for (const path of folders) copy(path);
  if (bin) {
    copy('scripts/package-bin.mjs', 'bin.mjs');
    copy('scripts/launch.mjs', 'launch.mjs');
  }
  copy('LICENSE');
  copy(README, 'README.md');
  write('package.json', `${JSON.stringify(manifestOf(definition, all), null, 2)}\n`);
}

async function modulesOf({
  leftOut,
  base,
  inlined = [],
}: PublishedPackage): Promise<Map<string, EmittedModule>> {
  const options: EmitOptions = { leftOut, inlined };
  if (!base) return emitModules(ENTRY, options);
  const baseModules = await emitModules(ENTRY, {
    leftOut: base.leftOut,
    inlined: base.inlined ?? [],
  });
  const files = new Set(
    [...baseModules.keys()].filter((file) => !reaches(file, base.leftOut, baseModules)),
  );
  return emitModules(ENTRY, { ...options, base: { name: base.name, files } });
}

/** Whether a module imports one of `targets`, by way of others too. */
function reaches(
  file: string,
  targets: readonly string[],
  modules: ReadonlyMap<string, EmittedModule>,
): boolean {
  const seen = new Set([file]);
  for (const current of seen) {
    if (targets.includes(current)) return true;
    for (const next of modules.get(current)?.files ?? []) seen.add(next);
  }
  return false;
}

/** Files that say under which license the others may be used. */
const LICENSES = ['LICENSE', 'info.json', 'package.json'];

/**
 * Copies a file of a package, and the license of the package. @param file its path in
 * `node_modules`
 */
function copyData(file: string, folder: string): void {
  const parts = file.split('/');
  const name = parts.slice(0, file.startsWith('@') ? 2 : 1).join('/');
  for (const path of [file, ...LICENSES.map((license) => `${name}/${license}`)]) {
    const source = join(root, 'node_modules', path);
    if (existsSync(source)) cpSync(source, join(folder, 'data', path));
  }
}

/** A module that is left out. Whatever loads it fails with this error. */
function refusal(file: string): string {
  const errors = relative(dirname(file), 'packages/format/src/errors.js');
  const names = publishedPackages.map(({ name }) => `${name}@${manifest.version}`).join(' ');
  const message = `This needs the platform, which is a package of its own. Install it beside the command: npm install ${names} (with -g, if the command is global). To use a server elsewhere, name it with --url and --key.`;
  return `import { DocentError } from '${errors}';\nthrow new DocentError('invalid_setting', ${JSON.stringify(message)});\n`;
}

/**
 * Where the workflow of a release runs; npm compares it with the place in the signed provenance.
 * @param path `owner/name`
 */
function repositoryOf(path: string | undefined) {
  return path === undefined
    ? undefined
    : { type: 'git', url: `git+https://github.com/${path}.git` };
}

function manifestOf(
  { name, description, keywords, optional, bin, base, required: also = [] }: PublishedPackage,
  modules: EmittedModule[],
) {
  const { version, license, engines } = manifest;
  const repository = repositoryOf(process.env.GITHUB_REPOSITORY);
  const names = [...new Set([...also, ...modules.flatMap(({ packages }) => [...packages])])].sort();
  const versionOf = (dependency: string): string => {
    if (dependency === base?.name) return version;
    const entry = locked[`node_modules/${dependency}`];
    if (entry?.version === undefined)
      throw new Error(`The lockfile has no ${dependency}, which the package ${name} imports.`);
    // An entry with a name is an alias.
    return entry.name === undefined ? entry.version : `npm:${entry.name}@${entry.version}`;
  };
  const required = names.filter((dependency) => !optional.includes(dependency));
  const peers = optional.filter((peer) => locked[`node_modules/${peer}`] !== undefined);
  return {
    name,
    version,
    description,
    keywords,
    license,
    ...(repository && {
      repository,
      homepage: repository.url.slice('git+'.length, -'.git'.length),
    }),
    type: 'module',
    engines,
    ...(bin && { bin }),
    // Modules are for our own packages of the same version.
    exports: { './package.json': './package.json', './packages/*': './packages/*' },
    dependencies: Object.fromEntries(
      required.map((dependency) => [dependency, versionOf(dependency)]),
    ),
    peerDependencies: Object.fromEntries(
      peers.map((peer) => [peer, versionOf(peer).replace(/^(?=\d)/, '^')]),
    ),
    peerDependenciesMeta: Object.fromEntries(peers.map((peer) => [peer, { optional: true }])),
    publishConfig: { access: 'public' },
  };
}
