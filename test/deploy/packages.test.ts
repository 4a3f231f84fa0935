import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackages } from '../../scripts/packages/build-packages.ts';
import { fetchLocal, until } from '../support/http.ts';
import {
  cleanEnvironment,
  freePort,
  removeTemporaryFolders,
  temporaryFolder,
} from '../support/start-docent.ts';

const run = promisify(execFile);
const QUIET = [
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--loglevel=error',
];
const MAX_DEPENDENCIES = 25;
const MAX_COMMAND_BYTES = 120e6;
const MAX_PLATFORM_BYTES = 250e6;
/**
 * The oldest release line that Docent supports, as npm has it; the other one is that of the tests.
 */
const OLD_NODE = '22';
/** Installing waits for a registry. */
const INSTALL_TIMEOUT_MS = 900_000;

/**
 * A page with an icon, a component of its author, highlighted code and a formula: each is the work
 * of another process or package.
 */
const LIVE_PAGE = `---
title: Live
icon: rocket
---

export const Count = () => { const [n] = useState(41); return <b>{n + 1}</b>; };

<Count />

\`\`\`rust
fn main() {}
\`\`\`

$x^2$
`;

interface Result {
  code: number;
  output: string;
}

/** What npm publishes is installed into an empty folder outside the repository, and used there. */
describe('the published packages', () => {
  let place: string;
  let archives: string[];
  const nodes = new Map<string, string>();

  beforeAll(async () => {
    const work = await temporaryFolder();
    place = join(work, 'empty');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    const folders = await buildPackages(join(work, 'packages'));
    const pack = ['pack', '--silent', '--pack-destination', work, ...folders.values()];
    const { stdout } = await run('npm', pack, { cwd: work });
    archives = stdout
      .trim()
      .split('\n')
      .map((archive) => join(work, archive));
    const name = `node-${process.platform}-${process.arch}`;
    await run('npm', [
      'install',
      '--prefix',
      join(work, 'node'),
      '--no-save',
      ...QUIET,
      `${name}@${OLD_NODE}`,
    ]);
    nodes.set('the newest Node.js', process.execPath);
    nodes.set('the oldest Node.js', join(work, 'node/node_modules', name, 'bin/node'));
    await run('npm', ['install', ...QUIET, archives[0] as string], { cwd: place });
  }, INSTALL_TIMEOUT_MS);
  afterAll(removeTemporaryFolders);

  const environment = () => ({
    ...cleanEnvironment(),
    HOME: place,
    XDG_CACHE_HOME: join(place, 'cache'),
  });
  const command = (node: string, args: readonly string[]) =>
    [nodes.get(node) as string, [join(place, 'node_modules/docent/bin.mjs'), ...args]] as const;

  async function docent(node: string, ...args: string[]): Promise<Result> {
    const [file, rest] = command(node, args);
    const ended = run(file, rest, { cwd: place, env: environment() });
    return ended.then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  }

  /** Starts a server, waits until it says its first line, and ends it as Ctrl-C does. */
  async function during(
    node: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    use: (line: string) => Promise<void>,
  ) {
    const [file, rest] = command(node, args);
    const child = spawn(file, rest, {
      cwd: place,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    try {
      const early = exited.then(([code]) =>
        Promise.reject(new Error(`docent ${args.join(' ')} ended with ${code}`)),
      );
      const [line] = (await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'),
        early,
      ])) as [string];
      await use(line);
    } finally {
      child.kill('SIGINT');
      await exited;
    }
  }

  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
      dependencies: Record<string, string>;
      peerDependencies: Record<string, string>;
    };

  /** Returns every installed file with its size and the time of its last change. */
  function installedFiles(): Map<string, string> {
    const folder = join(place, 'node_modules');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => {
      const { size, mtimeMs } = lstatSync(join(folder, file));
      return [file, `${size} ${mtimeMs}`] as const;
    });
    return new Map(files);
  }

  const installedBytes = () => {
    const folder = join(place, 'node_modules');
    const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => lstatSync(join(folder, file)).size,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };

  it('the command has few dependencies, in the versions of the repository, and is small', () => {
    const { dependencies } = manifestOf('docent');
    const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(MAX_DEPENDENCIES);
    for (const [name, version] of Object.entries(dependencies))
      expect([name, locked[`node_modules/${name}`].version]).toEqual([name, version]);
    expect(installedBytes()).toBeLessThan(MAX_COMMAND_BYTES);
    expect(
      readdirSync(join(place, 'node_modules/docent/packages'), { recursive: true }).filter((file) =>
        /\.tsx?$/.test(`${file}`),
      ),
    ).toEqual([]);
  });

  it.each(['the newest Node.js', 'the oldest Node.js'])(
    'an author writes, checks, builds and exports a site with the command alone, with %s',
    async (node) => {
      const before = installedFiles();
      const site = `site-${randomUUID()}`;
      expect(await docent(node, '--version')).toEqual({
        code: 0,
        output: `${manifestOf('docent').version}\n`,
      });
      expect(await docent(node, 'init', site)).toMatchObject({ code: 0 });
      writeFileSync(join(place, site, 'live.mdx'), LIVE_PAGE);
      expect(await docent(node, 'check', site, '--no-fetch')).toMatchObject({
        code: 0,
        output: expect.stringContaining('0 errors'),
      });
      await during(node, ['dev', site, '--json', '--port', '0', '--no-fetch'], {}, async (line) => {
        const page = await fetchLocal(`http://127.0.0.1:${JSON.parse(line).port}/live`);
        expect(await page.text()).toContain('<b>42</b>');
      });
      expect(
        await docent(node, 'build', site, '--out', `${site}-files`, '--no-fetch'),
      ).toMatchObject({ code: 0 });
      expect(existsSync(join(place, `${site}-files/index.html`))).toBe(true);
      expect(
        await docent(node, 'export', site, '--out', `${site}.tar.gz`, '--no-fetch'),
      ).toMatchObject({ code: 0 });
      expect(await docent(node, 'verify', `${site}.tar.gz`, '--links')).toMatchObject({ code: 0 });
      expect(installedFiles()).toEqual(before);
    },
  );

  it('what needs another package names the command that installs it', async () => {
    const { version, peerDependencies } = manifestOf('docent');
    const platform = `npm install docent@${version} @docent/platform@${version}`;
    for (const args of [['serve'], ['publish', '.', '--site', 'x'], ['doctor']])
      expect(await docent('the newest Node.js', ...args)).toEqual({
        code: 2,
        output: expect.stringContaining(platform),
      });
    mkdirSync(join(place, 'graph'), { recursive: true });
    writeFileSync(join(place, 'graph/schema.graphql'), 'type Query { a: Int }');
    writeFileSync(join(place, 'graph/index.md'), 'Hello.');
    const navigation = {
      tabs: [
        { tab: 'Guide', pages: ['index'] },
        { tab: 'API', graphql: 'schema.graphql' },
      ],
    };
    writeFileSync(
      join(place, 'graph/docs.json'),
      JSON.stringify({ name: 'Graph', theme: 'mint', colors: { primary: '#123456' }, navigation }),
    );
    const { output } = await docent('the newest Node.js', 'check', 'graph', '--no-fetch');
    expect(output).toContain(`npm install graphql@${peerDependencies.graphql?.slice(1)}`);
  });

  it(
    'with the platform, the same command serves sites and publishes to them, on both versions of Node.js',
    async () => {
      await run('npm', ['install', ...QUIET, ...archives], { cwd: place });
      mkdirSync(join(place, 'served'), { recursive: true });
      writeFileSync(join(place, 'served/live.mdx'), LIVE_PAGE);
      expect(installedBytes()).toBeLessThan(MAX_PLATFORM_BYTES);
      const before = installedFiles();
      for (const node of nodes.keys()) {
        const [port, data] = [await freePort(), join(place, randomUUID())];
        const env = { DOCENT_PORT: `${port}`, DOCENT_DATA: data };
        const ready = () =>
          fetchLocal(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => (ok ? true : undefined),
            () => undefined,
          );
        await during(node, ['serve'], env, async () => {
          await until(ready);
          const [file, rest] = command(node, ['publish', 'served', '--site', 'mine']);
          const { stdout } = await run(file, rest, {
            cwd: place,
            env: { ...environment(), ...env },
          });
          expect(stdout).toContain('Published mine');
          const page = await fetchLocal(`http://mine.localhost:${port}/live`);
          expect(await page.text()).toContain('<b>42</b>');
          const dashboard = await fetchLocal(`http://127.0.0.1:${port}/dashboard`);
          expect(dashboard.status).toBe(200);
        });
      }
      expect(installedFiles()).toEqual(before);
    },
    INSTALL_TIMEOUT_MS,
  );
});
