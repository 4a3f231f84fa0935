import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Runs the tests: `npm test`, or a part of them with `npm test -- <path>` or `npm test -- --project
 * unit`; `npm test -- --coverage` also measures coverage. `npm test -- --no-install` installs
 * nothing: what is missing is skipped. Provides a browser, servers of PostgreSQL, S3 (Ceph), Redis
 * and ClickHouse, and reverse proxies if there are none; tests whose programs are unavailable are
 * skipped and reported, which is a failure under CI=true. Ends with a summary line.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = process.env.CI === 'true';
const installs = !process.argv.includes('--no-install');
const filters = process.argv.slice(2).filter((argument) => argument !== '--no-install');
const skipped: string[] = [];

// Unit tests need only Node.js.
const isUnitOnly = filters.join(' ') === '--project unit';
const chromium = isUnitOnly ? undefined : provideChromium();
if (!isUnitOnly) providePrograms();

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
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: testEnvironment() },
);

const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = readResults();
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
const missing = isCi ? skipped.length : 0;
const broken = vitest.status !== 0 && numFailedTests === 0 ? Math.max(numFailedTestSuites, 1) : 0;
const failed = numFailedTests + broken + missing;
process.stdout.write(
  `${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}\n`,
);
process.exitCode = failed === 0 && vitest.status === 0 ? 0 : 1;

function testEnvironment(): NodeJS.ProcessEnv {
  // The hundreds of processes that tests start load the same code.
  const NODE_COMPILE_CACHE = join(root, '.cache', 'compile');
  return { NODE_COMPILE_CACHE, ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }) };
}

function providePrograms(): void {
  if (!chromium) skip('the browser tests', 'Chromium', '; set CHROMIUM_PATH to its path');
  provide(['postgresql'], 'the tests with a PostgreSQL server', findPostgres);
  provide(['ceph-mon', 'ceph-osd', 'radosgw'], 'the tests with an S3 server (Ceph)', () =>
    findAll('ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'),
  );
  provide(['minisign', 'openssl'], 'the tests of signatures and of a model over TLS', () =>
    findAll('minisign', 'openssl'),
  );
  provide(['nginx-light', 'caddy'], 'the tests of a site behind a reverse proxy', () =>
    ['/usr/sbin/nginx', '/usr/bin/caddy'].every(existsSync) ? '/usr/sbin/nginx' : undefined,
  );
  provide(['redis-server'], 'the tests with a Redis server', () => findAll('redis-server'));
  provide(['git'], 'the tests of Git sources', () =>
    ['/usr/lib/git-core/git-http-backend'].find(existsSync),
  );
  provide(['openssh-server'], 'the tests of Git over ssh', () =>
    ['/usr/sbin/sshd'].find(existsSync),
  );
  provide(['prometheus'], 'the tests of the alerts', () => findAll('promtool'));
  provide(['clickhouse-server'], 'the tests with a ClickHouse server', () =>
    ['/usr/sbin/clickhouse-server'].find(existsSync),
  );
}

/**
 * Chromium's headless shell takes half the time of the full browser, but not every system packages
 * it.
 */
function provideChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && existsSync(named)) return named;
  const shell = () => ['/usr/bin/chromium-headless-shell'].find(existsSync);
  const full = () =>
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  const purpose = 'the browser tests';
  return (
    shell() ??
    install(['chromium-headless-shell'], purpose, shell) ??
    full() ??
    install(['chromium'], purpose, full)
  );
}

/** Returns a program of a PostgreSQL server, from where Debian and its derivatives install it. */
function findPostgres(): string | undefined {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return undefined;
  return readdirSync(base)
    .map((version) => join(base, version, 'bin', 'initdb'))
    .find((path) => existsSync(path));
}

function findAll(...names: string[]): string | undefined {
  const paths = names.map((name) => `/usr/bin/${name}`);
  return paths.every((path) => existsSync(path)) ? paths[0] : undefined;
}

/** Ensures that a requirement of some tests is available, or records that they are skipped. */
function provide(packages: string[], purpose: string, find: () => string | undefined): void {
  if (!find() && !install(packages, purpose, find)) skip(purpose, packages.join(', '), '');
}

function skip(purpose: string, missing: string, remedy: string): void {
  const reason = installs
    ? `could not find ${missing} or install it with apt-get`
    : `${missing} is not installed (--no-install)`;
  skipped.push(`${purpose}: ${reason}${remedy}`);
}

function install(
  packages: string[],
  purpose: string,
  find: () => string | undefined,
): string | undefined {
  if (!installs || !existsSync('/usr/bin/apt-get')) return undefined;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  process.stderr.write(
    `Installing ${packages.join(', ')} with apt-get, for ${purpose} (npm test -- --no-install skips these) …\n`,
  );
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command, ...args] = [...sudo, 'apt-get', '-q', ...step] as [string, ...string[]];
    spawnSync(command, args, {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  return find();
}

function readResults() {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numFailedTestSuites: 1 };
  return existsSync(resultsFile)
    ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as typeof none)
    : none;
}
