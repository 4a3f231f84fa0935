import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Runs the tests: `npm test`, or a part of them with `npm test -- <path>`; `npm test -- --coverage` measures too. Brings a
 * browser and a PostgreSQL server where there is none; where they cannot be had, their tests are skipped and it says so, which
 * under CI=true is a failure. Ends with one line that counts.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = process.env.CI === 'true';
const filters = process.argv.slice(2);
const skipped: string[] = [];

const chromium = findChromium() ?? install('chromium', 'the browser tests', findChromium);
if (!findPostgres() && !install('postgresql', 'the tests with a PostgreSQL server', findPostgres))
  skipped.push(
    'the tests with a PostgreSQL server: there is none in /usr/lib/postgresql, and it could not be installed with apt-get',
  );
if (!chromium)
  skipped.push('the browser tests: there is no Chromium, and it could not be installed with apt-get; set CHROMIUM_PATH to one');

const resultsFile = join(root, '.cache', 'test-results.json');
mkdirSync(dirname(resultsFile), { recursive: true });
const vitest = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultsFile}`,
    ...filters,
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }) } },
);

const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = readResults();
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
const missing = isCi ? skipped.length : 0;
const broken = vitest.status !== 0 && numFailedTests === 0 ? Math.max(numFailedTestSuites, 1) : 0;
const failed = numFailedTests + broken + missing;
process.stdout.write(`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}\n`);
process.exitCode = failed === 0 && vitest.status === 0 ? 0 : 1;

function findChromium(): string | undefined {
  const candidates = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

/** The programs of a PostgreSQL server, where Debian and its kin install them. */
function findPostgres(): string | undefined {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return undefined;
  return readdirSync(base)
    .map((version) => join(base, version, 'bin', 'initdb'))
    .find((path) => existsSync(path));
}

function install(name: string, purpose: string, find: () => string | undefined): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  process.stderr.write(`Installing ${name} for ${purpose} …\n`);
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const [command, ...args] = [...sudo, 'apt-get', '-q', ...step] as [string, ...string[]];
    spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  }
  return find();
}

function readResults() {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numFailedTestSuites: 1 };
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as typeof none) : none;
}
