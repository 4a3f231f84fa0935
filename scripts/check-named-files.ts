import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Every file and folder that the documents about the code name exists: from the root of the
// repository, from `packages/`, from the code of a package, or from their folder.
const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('packages/{*,*/src/*}/README.md', { cwd: root }),
];
/** A path of at least two parts in a code span, with an ending or a slash at its end. */
const PATH = /`((?:[\w.-]+\/)+[\w.-]+(?:\.(?:tsx?|mjs|sql|json|mdx?)|\/))`/g;

/** `format/navigation/menu.ts` is in the code of a package. */
const packages = globSync('packages/*/src', { cwd: root });
const placesOf = (document: string) => ['.', 'packages', dirname(document), ...packages];

const faults = documents.flatMap((document) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(PATH)]
    .map(([, path = '']) => path)
    .filter(
      (path) =>
        !placesOf(document).some(
          (folder) =>
            existsSync(join(root, folder, path)) ||
            existsSync(join(root, 'packages', path.replace('/', '/src/'))),
        ),
    )
    .map((path) => `${document} names ${path}, which does not exist`),
);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
