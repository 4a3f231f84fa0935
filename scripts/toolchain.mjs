// Plain JavaScript that any Node.js from version 20 on can run: it installs and builds what the
// project itself needs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, isNewEnough, OLDEST_NODE } from './launch.mjs';
import { withLock } from './setup-lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const PINNED_NODE = '24.21.0';

/** Logs to standard error, because standard output is for results. */
function log(message) {
  process.stderr.write(`${message}\n`);
}

function runQuietly(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  return {
    ok: result.status === 0,
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? result.error.message : ''}`,
  };
}

/**
 * Returns the npm that started this process, run by `node`, so that its version checks see the
 * right Node.js.
 */
function npmCommand(node) {
  const script = process.env.npm_execpath;
  if (script && /\.c?js$/.test(script)) return { command: node, args: [script], shell: false };
  return {
    command: process.platform === 'win32' ? 'npm.cmd' : 'npm',
    args: [],
    shell: process.platform === 'win32',
  };
}

function runNpm(node, args, options) {
  const npm = npmCommand(node);
  return runQuietly(npm.command, [...npm.args, ...args], { shell: npm.shell, ...options });
}

/**
 * Returns the path of a Node.js that can run the project: the current one, or a pinned one that is
 * downloaded once from the npm registry into the user's cache folder. It is not in the lockfile
 * because not every platform has every version.
 */
export function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const cache = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'docent',
    `node-${PINNED_NODE}`,
  );
  const binary = join(
    cache,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(binary)) {
    const onWait = () =>
      log(`Another command is downloading Node.js ${PINNED_NODE}; waiting for it …`);
    withLock(
      `${cache}.lock`,
      onWait,
      () => existsSync(binary) || downloadNode(name, cache, binary),
    );
  }
  return binary;
}

function downloadNode(name, cache, binary) {
  log(
    `Node.js ${process.versions.node} is older than ${OLDEST_NODE.join('.')}: downloading Node.js ${PINNED_NODE} for this project (once) …`,
  );
  mkdirSync(cache, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const args = ['install', '--prefix', cache, ...options, `${name}@${PINNED_NODE}`];
  const downloaded = runNpm(process.execPath, args, { cwd: cache });
  if (existsSync(binary)) return;
  rmSync(cache, { recursive: true, force: true });
  fail(
    `could not download ${name}@${PINNED_NODE} from the npm registry; install Node.js ${OLDEST_NODE.join('.')} or newer.\n${downloaded.output.trim()}`,
  );
}

/** The folder for what is set up here; a clean checkout does not have it. */
const cacheFolder = join(root, '.cache');
/** Where Node.js keeps compiled code. */
export const compileCache = join(cacheFolder, 'compile');

/** Runs a step of the set-up while no other command in this checkout is in one. */
function setUp(step) {
  return withLock(
    join(cacheFolder, 'setup.lock'),
    () => log('Another command is setting up this checkout; waiting for it …'),
    step,
  );
}

/**
 * Installs the locked dependencies if `node_modules` is missing or incomplete. They are installed
 * beside it and then replace it at once, so that a server that runs from it always finds its
 * modules.
 * @param {{ development: boolean }} options whether development tools are needed
 */
export function ensureDependencies(node, { development }) {
  const folder = join(root, 'node_modules');
  const stamp = join(folder, '.docent-install');
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lockfile).digest('hex');
  const isCurrent = () => {
    const text = readText(stamp);
    return text === `${hash} all` || (!development && text === `${hash} production`);
  };
  if (isCurrent()) return;
  setUp(() => {
    if (isCurrent()) return;
    const { packages } = JSON.parse(lockfile);
    // Without a stamp, npm itself installed them.
    if (isInstalled(packages, true)) return writeFileSync(stamp, `${hash} all`);
    if (!development && isInstalled(packages, false))
      return writeFileSync(stamp, `${hash} production`);
    // A development checkout keeps its tools, whichever command detects that the lockfile has
    // changed.
    const withTools = development || readText(stamp).endsWith(' all');
    log('Installing dependencies …');
    install(node, folder, withTools, packages);
    writeFileSync(stamp, withTools ? `${hash} all` : `${hash} production`);
  });
}

/** Installs into a folder of its own, which then replaces `node_modules`. */
function install(node, folder, withTools, packages) {
  const work = join(cacheFolder, 'install');
  const previous = join(cacheFolder, 'previous-node_modules');
  for (const path of [work, previous]) rmSync(path, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(work, name));
  // npm links the packages of the workspace by relative paths, which are right in both places.
  for (const name of readdirSync(join(root, 'packages'))) {
    mkdirSync(join(work, 'packages', name), { recursive: true });
    copyFileSync(
      join(root, 'packages', name, 'package.json'),
      join(work, 'packages', name, 'package.json'),
    );
  }
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(withTools ? [] : ['--omit=dev']),
  ];
  const isForHere = ({ os, cpu }) =>
    (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
  const total = Object.entries(packages).filter(
    ([path, locked]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) &&
      (withTools || !locked.dev) &&
      isForHere(locked),
  ).length;
  const npmCi = (cwd) => {
    const progress = [
      join(root, 'scripts/install-progress.mjs'),
      join(cwd, 'node_modules'),
      String(total),
    ];
    const reporter = spawn(node, progress, { stdio: ['ignore', 'ignore', 'inherit'] });
    const installed = runNpm(node, args, { cwd });
    reporter.kill();
    if (!installed.ok) fail(`npm ${args.join(' ')} failed:\n${installed.output.trim()}`);
  };
  npmCi(work);
  mkdirSync(join(work, 'node_modules'), { recursive: true });
  try {
    if (existsSync(folder)) renameSync(folder, previous);
    renameSync(join(work, 'node_modules'), folder);
  } catch {
    // It is a volume of its own, which cannot be renamed.
    npmCi(root);
  }
  for (const path of [work, previous]) rmSync(path, { recursive: true, force: true });
}

/**
 * Whether all locked packages are installed, except those that are optional, and development tools
 * unless asked for.
 */
function isInstalled(packages, withTools) {
  // npm writes this file last.
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  return Object.entries(packages).every(
    ([path, { version, optional, devOptional, peer, dev, link }]) => {
      if (path === '' || optional || devOptional || peer || (dev && !withTools)) return true;
      if (link) return existsSync(join(root, path));
      const manifest = readText(join(root, path, 'package.json'));
      return manifest !== '' && JSON.parse(manifest).version === version;
    },
  );
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The packages that run in Node.js. */
const SERVER_SIDE = readdirSync(join(root, 'packages')).filter((name) => name !== 'dashboard');

/**
 * The builds in `dist/`, each with its inputs: a change to any of these files repeats the build.
 */
const BUILDS = {
  theme: [
    'package-lock.json',
    'scripts/build-theme.ts',
    'scripts/dist-files.ts',
    'packages/compiler/src/highlight/code-theme.ts',
    'packages/format/src',
    'packages/search/src',
    'packages/assistant/src',
    'packages/theme/src',
  ],
  dashboard: [
    'package-lock.json',
    'scripts/build-dashboard.ts',
    'scripts/dist-files.ts',
    'packages/dashboard/src',
  ],
  database: [
    'package-lock.json',
    'scripts/build-database-template.ts',
    'packages/server/src/kernel/db',
    'packages/server/src/adapters/database',
  ],
  program: [
    'package.json',
    'package-lock.json',
    'scripts/program',
    'scripts/packages/emit-modules.ts',
    ...SERVER_SIDE.map((name) => `packages/${name}/src`),
  ],
};

function fingerprint(path, hash) {
  const info = statSync(path);
  if (info.isDirectory())
    for (const name of readdirSync(path).sort()) fingerprint(join(path, name), hash);
  else hash.update(`${path} ${info.size} ${info.mtimeMs}\n`);
}

/**
 * Builds the theme, the dashboard, the database template and the program into `dist/` if their
 * inputs have changed.
 */
export function ensureBuilt(node) {
  if (staleBuilds().length === 0) return;
  setUp(() => {
    const stale = staleBuilds();
    if (stale.length === 0) return;
    log('Building …');
    runStep(node, 'Building', [join(root, 'scripts/build.ts'), ...stale.map(({ name }) => name)]);
    for (const { stamp, wanted } of stale) writeFileSync(stamp, wanted);
  });
}

function staleBuilds() {
  return Object.entries(BUILDS).flatMap(([name, inputs]) => {
    const hash = createHash('sha256');
    for (const input of inputs) fingerprint(join(root, input), hash);
    const wanted = hash.digest('hex');
    const stamp = join(root, 'dist', `${name}.stamp`);
    return readText(stamp) === wanted ? [] : [{ name, stamp, wanted }];
  });
}

/**
 * Runs a script with `node`, with its output on standard error; ends the process if the script
 * fails.
 */
function runStep(node, title, args) {
  const result = spawnSync(node, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) fail(`${title} failed (node ${args.join(' ')})`);
}

/**
 * Goes to the folder in which the caller is: npm runs scripts of a package in the package's own
 * folder. Platform data stays in the checkout, where every command finds it.
 */
export function goToCaller() {
  const { INIT_CWD: folder, npm_package_json: manifest } = process.env;
  if (
    !folder ||
    !manifest ||
    realpathSync(dirname(manifest)) !== root ||
    realpathSync(folder) === root
  )
    return;
  process.env.DOCENT_DATA ||= join(root, 'data');
  process.chdir(folder);
}
