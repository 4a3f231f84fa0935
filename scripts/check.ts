import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// All checks that do not run the product: types of each unit, lint and format, dead code, the
// lockfile.
const root = fileURLToPath(new URL('..', import.meta.url));
type Step = [title: string, ...args: string[]];

/** Before the others, which read what it writes. */
const first: Step = [
  'types of the API for the commands and the dashboard',
  'scripts/build-api-types.ts',
];
/**
 * In one thread: checks run beside each other anyway, and the threads of one would each check what
 * several of them need, which takes 1.8 times the CPU time.
 */
const typesOf = (project: string) => [
  'node_modules/typescript/bin/tsc',
  '-p',
  project,
  '--singleThreaded',
];
const steps: Step[] = [
  ['types of everything that runs in Node.js', ...typesOf('tsconfig.json')],
  ['types of the packages of pure rules, which use no platform', ...typesOf('tsconfig.pure.json')],
  ['types of what runs in the browser', ...typesOf('tsconfig.elements.json')],
  ['types of the dashboard', ...typesOf('tsconfig.dashboard.json')],
  [
    'lint, format, import rules inside packages',
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '.',
  ],
  ['dead code and unused dependencies', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['size of the files, loops of imports, doors of packages', 'scripts/check-budgets.ts'],
  ['the files that the documents about the code name', 'scripts/check-named-files.ts'],
  [
    "the schema of the chart's values matches the settings",
    'scripts/build-chart-schema.ts',
    '--check',
  ],
  [
    'the pages about components match their definitions',
    'scripts/build-component-pages.ts',
    '--check',
  ],
  ['the page about commands matches the commands', 'scripts/build-command-page.ts', '--check'],
  ['the description of the API matches the routes', 'scripts/build-api-document.ts', '--check'],
  [
    'rules for the description of the API',
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    'docs/openapi.json',
  ],
  ['lockfile complete for every platform', 'scripts/check-lockfile.ts'],
];

let failed = 0;
await run(first);
// As many at once as there are cores: each uses one, but the linter.
const waiting = steps.values();
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
    for (const step of waiting) await run(step);
  }),
);
process.exitCode = failed === 0 ? 0 : 1;

async function run([title, ...args]: Step): Promise<void> {
  const startedAt = performance.now();
  const { ok, output } = await outputOf(args);
  if (!ok) failed++;
  process.stdout.write(
    `${ok ? 'ok    ' : 'FAILED'} ${title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`,
  );
  if (!ok) process.stdout.write(`${output}\n`);
}

function outputOf(args: string[]): Promise<{ ok: boolean; output: string }> {
  const options = { cwd: root, maxBuffer: 64 * 1024 ** 2 };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
}
