import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

// The budgets of ARCHITECTURE.md (small files, shallow folders, no import cycles between files or
// folders, a ceiling for the whole), and migrations in sequence, which two changes can break
// together.
const MAX_FILE_LINES = 500;
const USUAL_FILE_LINES = 300;
const USUAL_SHARE = 0.9;
const MAX_FOLDER = 5;
const SIBLINGS = 25;
/** Folders with one file per item of a list: nobody searches in them. */
const LISTS = new Set(['server/src/kernel/db/migrations']);

/**
 * Ceilings for `packages/` without tests, data and translations. After a change that removes lines
 * or files, set them to the numbers that this script then prints. A feature that needs more removes
 * as many elsewhere, or its commit raises the ceiling and explains why.
 */
const MAX_LINES = 197_713;
const MAX_FILES = 1_389;

/**
 * How deep folders may not import each other in a loop: `server/src/kernel/http`, `search/src`, and
 * else `format/src/content`.
 */
const ROOMS: Record<string, number> = { server: 4, search: 2, assistant: 2 };

/**
 * Declarations of variables and parameters that do not say what they are: "Words" in
 * CONTRIBUTING.md.
 */
const VAGUE_NAME =
  /\b(?:const|let) (?:one|found|known|own|made|asked|held|given|wanted|shown)\b|[(,] ?(?:one|found|known|own|made|asked|held|given|wanted|shown)(?:: |\)? =>)/g;
const MAX_VAGUE_NAMES = 20;

/**
 * Queries of the server that more subjects share: publishing and pull requests are the work on a
 * source, in their own folders because sources know neither. A subject calls any other through its
 * use cases; this list only becomes shorter.
 */
const SHARED_QUERIES = ['delivery-queries.ts', 'pull-request-queries.ts', 'queries.ts'].map(
  (name) => `server/src/sources/${name}`,
);

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'packages');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /^[^/]+\/src\/.*\.(tsx?|css)$/.test(path) && !/\.(test|contract)\.tsx?$/.test(path),
);
const texts = new Map(files.map((path) => [path, readFileSync(join(src, path), 'utf8')]));
const lines = new Map([...texts].map(([path, text]) => [path, text.split('\n').length - 1]));
const counts = [...lines.values()];
const usual = counts.filter((count) => count <= USUAL_FILE_LINES).length / counts.length;

const faults = [
  ...[...lines]
    .filter(([, count]) => count > MAX_FILE_LINES)
    .map(([path, count]) => `packages/${path} has ${count} lines; at most ${MAX_FILE_LINES}`),
  ...files
    .filter((path) => path.split('/').length - 1 > MAX_FOLDER)
    .map((path) => `packages/${path} is deeper than ${MAX_FOLDER} folders`),
];
const siblings = Map.groupBy(files, (path) => path.split('/').slice(0, -1).join('/'));
for (const [folder, { length }] of siblings) {
  if (length > SIBLINGS && !LISTS.has(folder))
    faults.push(`packages/${folder} has ${length} files; at most ${SIBLINGS}`);
}
if (usual < USUAL_SHARE)
  faults.push(
    `${Math.round(usual * 100)} % of the files have at most ${USUAL_FILE_LINES} lines; at least ${USUAL_SHARE * 100} %`,
  );
/** One of the files up to this has more on its first line, and must stay as it is. */
const FIRST_CHECKED = '0023';
const migrationsFolder = join(src, 'server/src/kernel/db/migrations');
const migrations = readdirSync(migrationsFolder).sort();
for (const [index, name] of migrations.entries()) {
  const number = String(index + 1).padStart(4, '0');
  if (!name.startsWith(`${number}-`))
    faults.push(`the migration ${name} breaks the sequence; number ${number} must come here`);
  if (
    number > FIRST_CHECKED &&
    /^-- additive(?!\n)/.test(readFileSync(join(migrationsFolder, name), 'utf8'))
  )
    faults.push(
      `the first line of the migration ${name} must be "-- additive" alone, or it does not count`,
    );
}
const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
if (total > MAX_LINES) faults.push(`packages/ has ${total} lines; at most ${MAX_LINES}`);
if (files.length > MAX_FILES)
  faults.push(`packages/ has ${files.length} files; at most ${MAX_FILES}`);
if (total < MAX_LINES || files.length < MAX_FILES)
  process.stdout.write(
    `packages/ has ${total} lines in ${files.length} files: lower MAX_LINES and MAX_FILES in scripts/check-budgets.ts\n`,
  );
const others = globSync('{test,bench,scripts}/**/*.{ts,mjs}', { cwd: root })
  .filter((path) => !path.startsWith('test/sites/'))
  .map((path): [string, string] => [`../${path}`, readFileSync(join(root, path), 'utf8')]);
const cyclic = filesInCycles(new Map([...texts, ...others]));
if (cyclic.length > 0)
  faults.push(
    `these files import each other, even if only types: ${cyclic.map((path) => normalize(`packages/${path}`)).join(', ')}`,
  );
const vague = [...texts.values()].reduce(
  (count, text) => count + [...text.matchAll(VAGUE_NAME)].length,
  0,
);
if (vague > MAX_VAGUE_NAMES)
  faults.push(
    `packages/ has ${vague} variables named by a participle or a pronoun; see Words in CONTRIBUTING.md`,
  );
const looped = foldersInLoops(texts);
if (looped.length > 0)
  faults.push(
    `these folders import each other in a loop: ${looped.map((path) => `packages/${path}`).join(', ')}`,
  );
faults.push(...foreignQueries(texts), ...unusedDoors());
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/**
 * Returns the entries of `exports` that no other package, test or script imports: a door is only as
 * wide as it must be.
 */
function unusedDoors(): string[] {
  const code = globSync('{packages/*/src,test,scripts,bench}/**/*.{ts,tsx,mjs}', { cwd: root });
  const imported = new Set(
    code.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/'(@docent\/[^']+)'/g)].map(
        ([, name]) => name,
      ),
    ),
  );
  return globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      name: string;
      exports?: object;
    };
    return Object.keys(exports)
      .filter((entry) => !imported.has(entry.replace('.', name)))
      .map((entry) => `${path} exports ${entry}, which nobody imports`);
  });
}

/** Returns the imports of queries, except of types alone, by another subject of the server. */
function foreignQueries(texts: ReadonlyMap<string, string>): string[] {
  const subjectOf = (path: string) => /^server\/src\/(?!kernel\/|start\/)[\w-]+\//.exec(path)?.[0];
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/^import \{([^}]*)\} from '([^']*queries\.ts)'/gm)]
      .map(([, names = '', address = '']) => ({
        names,
        file: normalize(join(path, '..', address)),
      }))
      .filter(
        ({ names, file }) =>
          subjectOf(path) !== undefined &&
          ![undefined, subjectOf(path)].includes(subjectOf(file)) &&
          !SHARED_QUERIES.includes(file) &&
          /(?:^|,)\s*(?!type )\w/.test(names),
      )
      .map(({ file }) => `packages/${path} imports ${file}: call a use case of that subject`),
  );
}

/** Returns the files of import cycles. */
function filesInCycles(texts: ReadonlyMap<string, string>): string[] {
  return inCycles(importsOf(texts));
}

/**
 * Returns the folders of packages, two levels deep, that import each other in a loop, though no two
 * of their files do.
 */
function foldersInLoops(texts: ReadonlyMap<string, string>): string[] {
  const folderOf = (path: string) =>
    path
      .split('/')
      .slice(0, -1)
      .slice(0, ROOMS[path.split('/', 1)[0] ?? ''] ?? 3)
      .join('/');
  const folders = new Map<string, Set<string>>();
  for (const [path, imported] of importsOf(texts)) {
    const folder = folderOf(path);
    const others = [...imported].map(folderOf).filter((other) => other !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return inCycles(folders);
}

function importsOf(texts: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of texts) {
    const named = text
      .matchAll(/(?:from|import) ?\(?'(\.[^']+|(?:@docent\/|docent\/)[^']+)'/g)
      .map(([, address = '']) =>
        address.startsWith('.')
          ? normalize(join(path, '..', address))
          : address.replace(/^(?:@docent\/)?([\w-]+)\//, '$1/src/'),
      );
    imports.set(path, new Set(named.filter((address) => texts.has(address))));
  }
  return imports;
}

/**
 * Returns what is in cycles or between two: what is left after removing all that imports nothing,
 * or that nothing imports.
 */
function inCycles(imports: Map<string, Set<string>>): string[] {
  for (let before = Infinity; imports.size < before; ) {
    before = imports.size;
    const imported = new Set(
      [...imports.values()].flatMap((set) => [...set].filter((path) => imports.has(path))),
    );
    for (const [path, set] of imports) {
      if (!imported.has(path) || ![...set].some((other) => imports.has(other)))
        imports.delete(path);
    }
  }
  return [...imports.keys()].sort();
}
