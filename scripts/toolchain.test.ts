import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const scripts = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'docent-toolchain-'));
/**
 * A checkout with a package of its workspace, and two from archives, one of them a development
 * tool.
 */
const checkout = join(work, 'checkout');
const modules = join(checkout, 'node_modules');
const npmArgs = [
  '--no-audit',
  '--no-fund',
  '--offline',
  '--ignore-scripts',
  `--cache=${join(work, 'cache')}`,
];
const env = { ...process.env, npm_config_cache: join(work, 'cache'), npm_config_offline: 'true' };

afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(async () => {
  const folders = [
    ['library', '1.0.0'],
    ['library', '2.0.0'],
    ['tool', '1.0.0'],
  ].map(([name, version]) => {
    const folder = join(work, 'packages', `${name}-${version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version, type: 'module', exports: './index.js' }),
    );
    writeFileSync(join(folder, 'index.js'), `export default ${JSON.stringify(version)};`);
    return folder;
  });
  await run('npm', ['pack', ...npmArgs, '--pack-destination', work, ...folders], { cwd: work });
});

beforeEach(async () => {
  rmSync(checkout, { recursive: true, force: true });
  mkdirSync(join(checkout, 'scripts'), { recursive: true });
  for (const name of ['toolchain.mjs', 'launch.mjs', 'install-progress.mjs', 'setup-lock.mjs'])
    copyFileSync(join(scripts, name), join(checkout, 'scripts', name));
  mkdirSync(join(checkout, 'packages/room'), { recursive: true });
  writeFileSync(
    join(checkout, 'packages/room/package.json'),
    JSON.stringify({ name: 'room', version: '1.0.0' }),
  );
  await lockTo('1.0.0');
});

const lockfiles = new Map<string, string>();

/** Writes the lockfile of a version of the library. */
async function lockTo(version: string): Promise<void> {
  const manifest = {
    name: 'checkout',
    version: '1.0.0',
    workspaces: ['packages/*'],
    dependencies: { library: `file:${join(work, `library-${version}.tgz`)}` },
    devDependencies: { tool: `file:${join(work, 'tool-1.0.0.tgz')}` },
  };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify(manifest));
  const path = join(checkout, 'package-lock.json');
  const lockfile = lockfiles.get(version);
  if (lockfile !== undefined) return writeFileSync(path, lockfile);
  rmSync(path, { force: true });
  await run('npm', ['install', '--package-lock-only', ...npmArgs], { cwd: checkout });
  lockfiles.set(version, readFileSync(path, 'utf8'));
}

/** Runs what every command of a checkout begins with; returns what it logs. */
async function ensure(development = false): Promise<string> {
  const code = `import('${join(checkout, 'scripts/toolchain.mjs')}').then((m) => m.ensureDependencies(process.execPath, { development: ${development} }))`;
  const { stderr } = await run(process.execPath, ['--eval', code], { cwd: checkout, env });
  return stderr;
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;

describe('the set-up of a checkout', () => {
  it('says how many packages of how many are installed', async () => {
    for (const name of ['a', 'b', '@scope/c', '.d-unpacking'])
      mkdirSync(join(work, 'half', name), { recursive: true });
    const reporter = spawn(process.execPath, [
      join(scripts, 'install-progress.mjs'),
      join(work, 'half'),
      '5',
    ]);
    const [line] = await once(reporter.stderr, 'data');
    reporter.kill();
    expect(`${line}`).toBe('  3 of 5 packages\n');
  });

  it('installs once when two first commands run at the same time, and both find their modules', async () => {
    const logs = await Promise.all([ensure(), ensure(true), ensure()]);
    expect(versionOf('library')).toBe('1.0.0');
    expect(versionOf('tool')).toBe('1.0.0');
    expect(realpathSync(join(modules, 'room'))).toBe(realpathSync(join(checkout, 'packages/room')));
    // At most once for production, and once more for the development tools.
    expect(logs.join('').match(/Installing/g)?.length).toBeLessThan(3);
    expect(await ensure()).toBe('');
    expect(existsSync(join(checkout, '.cache/setup.lock'))).toBe(false);
  });

  it('takes over the lock of a command that was killed', async () => {
    mkdirSync(join(checkout, '.cache'));
    const dead = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => dead.once('exit', resolve));
    const { hostname } = await import('node:os');
    writeFileSync(join(checkout, '.cache/setup.lock'), `${dead.pid} ${hostname()}`);
    expect(await ensure()).toContain('Installing');
    expect(versionOf('library')).toBe('1.0.0');
  });

  it('keeps what npm itself installed, with its development tools', async () => {
    await run('npm', ['ci', ...npmArgs], { cwd: checkout });
    expect(await ensure()).toBe('');
    expect(await ensure(true)).toBe('');
    expect(versionOf('tool')).toBe('1.0.0');
  });

  it('keeps the development tools, and the modules of a running server, when the lockfile changes', async () => {
    await ensure(true);
    const server = watchModules();
    await lockTo('2.0.0');
    expect(await ensure()).toContain('Installing');
    // It replaces the folder by renaming it: a server may hit the moment in between once, not
    // twice.
    expect(await server.longestAbsence()).toBeLessThan(2);
    expect([versionOf('library'), versionOf('tool')]).toEqual(['2.0.0', '1.0.0']);
  });
});

/**
 * Starts a process that looks for a module every few milliseconds, as a server does that loads it
 * late.
 */
function watchModules(): { longestAbsence(): Promise<number> } {
  const code = `
    let absent = 0, longest = 0;
    setInterval(() => {
      absent = require('node:fs').existsSync(${JSON.stringify(join(modules, 'library', 'index.js'))}) ? 0 : absent + 1;
      longest = Math.max(longest, absent);
    }, 5);
    process.stdin.on('end', () => { console.log(longest); process.exit(); }).resume();`;
  const child: ChildProcess = spawn(process.execPath, ['--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    longestAbsence: () =>
      new Promise((resolve) => {
        child.stdout?.once('data', (text) => resolve(Number(text)));
        child.stdin?.end();
      }),
  };
}

it('a command that npm runs in the checkout takes relative folders from where the caller is', async () => {
  const folder = join(work, 'acme');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  const settings = {
    name: 'Acme',
    theme: 'mint',
    colors: { primary: '#123456' },
    navigation: { pages: ['start'] },
  };
  writeFileSync(join(folder, 'docs/docs.json'), JSON.stringify(settings));
  writeFileSync(join(folder, 'docs/start.mdx'), '---\ntitle: Start\n---\n\n<Unknown />\n');
  const args = ['--prefix', root, 'run', '--silent', 'docent', '--', 'check', './docs'];
  const { stdout } = await run('npm', args, { cwd: folder });
  expect(stdout).toContain('start.mdx');
  expect(stdout).toContain('Unknown');
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
