import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCLI, startVitest } from 'vitest/node';

/*
 * Runs the tests, as `USAGE` says. Provides a browser, servers of PostgreSQL, S3 (Ceph), Redis and
 * ClickHouse, and reverse proxies if there are none; tests whose programs are unavailable are
 * skipped and reported, which is a failure under CI=true. Ends with a summary line.
 */
const USAGE = `npm test                        all tests; installs the servers and the browser that they need
npm test -- <path>              the tests whose path contains this
npm test -- --project <name>    unit, integration, mocking, acceptance, browser, deploy or bench
npm test -- --no-install        installs nothing: tests of what is missing are skipped
npm test -- --coverage          also measures coverage
All other options are those of Vitest.
`;
if (process.argv.includes('--help')) {
  process.stdout.write(USAGE);
  process.exit();
}
const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = process.env.CI === 'true';
const installs = !process.argv.includes('--no-install');
const filters = process.argv.slice(2).filter((argument) => argument !== '--no-install');
const skipped: string[] = [];
const MAX_REPETITIONS = 2;

// Unit tests need only Node.js.
const isUnitOnly = filters.join(' ') === '--project unit';
const chromium = isUnitOnly ? undefined : provideChromium();
if (!isUnitOnly) providePrograms();

Object.assign(process.env, testEnvironment());
const { filter, options } = parseCLI(['vitest', 'run', ...filters]);
const results = await runTests(filter);
// Under load, a test can meet a limit of time. CI runs its file again when all others have ended,
// from the start and with servers of its own: what the first attempt left behind is gone.
for (let attempt = 1; attempt <= (isCi ? MAX_REPETITIONS : 0); attempt++) {
  const failed = [...results].filter(([, { isOk }]) => !isOk).map(([file]) => file);
  if (failed.length === 0 || failed.includes('')) break;
  process.stdout.write(`repeated (${attempt}): ${failed.join(', ')}\n`);
  for (const [file, result] of await runTests(failed, { maxWorkers: 1 })) results.set(file, result);
}

const sum = (state: 'passed' | 'failed' | 'skipped') =>
  [...results.values()].reduce((total, result) => total + result[state], 0);
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
const failed = sum('failed') + (isCi ? skipped.length : 0);
process.stdout.write(
  `${sum('passed')} passed, ${failed} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** What a test file reported. */
interface FileResult {
  passed: number;
  /** At least 1 if the file or one of its hooks failed. */
  failed: number;
  skipped: number;
  isOk: boolean;
}

/**
 * Runs test files.
 * @param files paths or parts of them; all if there are none
 * @returns by path; the empty path has what failed outside a file
 */
async function runTests(files: string[], more: object = {}): Promise<Map<string, FileResult>> {
  process.exitCode = 0;
  const vitest = await startVitest('test', files, { ...options, run: true, ...more });
  const results = new Map<string, FileResult>();
  const fail = (file: string) => {
    const { passed, failed, skipped } = results.get(file) ?? { passed: 0, failed: 0, skipped: 0 };
    results.set(file, { passed, failed: Math.max(failed, 1), skipped, isOk: false });
  };
  for (const testModule of vitest.state.getTestModules()) {
    const result = { passed: 0, failed: 0, skipped: 0, isOk: true };
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      if (state !== 'pending') result[state] += 1;
    }
    results.set(testModule.moduleId, result);
    if (!testModule.ok()) fail(testModule.moduleId);
  }
  for (const error of vitest.state.getUnhandledErrors() as { VITEST_TEST_PATH?: string }[])
    fail(error.VITEST_TEST_PATH ?? '');
  // Such as coverage below its threshold, or no test file.
  if (process.exitCode && [...results.values()].every(({ isOk }) => isOk)) fail('');
  return results;
}

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
  provide(['apache2-bin'], 'the tests of a bundle on Apache', () =>
    ['/usr/sbin/apache2'].find(existsSync),
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
