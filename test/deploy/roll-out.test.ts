import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type RunningDocent,
  removeTemporaryFolders,
  root,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const script = join(root, 'deploy/export-and-roll-out.sh');
let docent: RunningDocent;
let work: string;

/** Runs a command to its end, with a `helm` on its PATH that only records its arguments. */
async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    cwd: work,
    env: {
      PATH: `${join(work, 'bin')}:${process.env.PATH}`,
      DOCENT_URL: docent.apiUrl,
      DOCENT_API_KEY: docent.adminKey,
      HELM_LOG: join(work, 'helm.log'),
      HELM_STATUS: '0',
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number];
  const result = Object.fromEntries(
    stdout
      .split('\n')
      .flatMap((line) =>
        /^([\w-]+)=(.*)$/.exec(line)?.slice(1, 3)
          ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]]
          : [],
      ),
  );
  return { code, stderr, result: result as Record<string, string> };
}

beforeAll(async () => {
  docent = await startDocent();
  work = await temporaryFolder();
  await mkdir(join(work, 'bin'));
  const helm =
    '#!/bin/sh\nprintf "%s\\n" "$@" >"$HELM_LOG"\nwhile [ "$1" != --values ]; do shift; done\ncp "$2" "$HELM_LOG.values"\nexit $HELM_STATUS\n';
  await writeFile(join(work, 'bin/helm'), helm);
  await chmod(join(work, 'bin/helm'), 0o755);
});
afterAll(async () => {
  await docent?.stop();
  await removeTemporaryFolders();
});

it('the roll-out script exports a site, verifies the bundle, and replaces a folder with it', async () => {
  await mkdir(join(work, 'site'));
  await writeFile(join(work, 'site/old.html'), 'old');
  const { code, stderr, result } = await run('sh', [
    script,
    '--domain',
    docent.domain,
    '--folder',
    'site/',
    '--out',
    'kept.tar.gz',
    '--poll-seconds',
    '1',
  ]);
  expect(code, stderr).toBe(0);
  expect(result).toMatchObject({
    'job-id': expect.stringMatching(/^se_/),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    archive: 'kept.tar.gz',
  });
  expect((await stat(join(work, 'kept.tar.gz'))).size).toBe(Number(result['size-bytes']));
  expect(JSON.parse(await readFile(join(work, 'site/manifest.json'), 'utf8'))).toBeTypeOf('object');
  await expect(stat(join(work, 'site/old.html'))).rejects.toThrow('ENOENT');
  expect(stderr).not.toContain(docent.adminKey);
});

it('the roll-out script upgrades a release with a working link, its SHA-256 and more arguments for helm', async () => {
  const args = [
    script,
    '--domain',
    docent.domain,
    '--helm',
    'docs',
    '--chart',
    'oci://registry.example/docent',
    '--namespace',
    'web',
    '--base-path',
    '/docs',
  ];
  const { code, stderr, result } = await run('sh', [
    ...args,
    '--poll-seconds',
    '1',
    '--',
    '--set',
    'web.replicas=3',
  ]);
  expect(code, stderr).toBe(0);
  const helmArguments = (await readFile(join(work, 'helm.log'), 'utf8')).split('\n');
  expect(helmArguments.slice(0, 5)).toEqual([
    'upgrade',
    '--install',
    'docs',
    'oci://registry.example/docent',
    '--wait',
  ]);
  expect(helmArguments).toEqual(
    expect.arrayContaining(['--namespace', 'web', '--create-namespace', '--set', 'web.replicas=3']),
  );
  expect(helmArguments.join()).not.toContain('signature');
  const values = parse(await readFile(join(work, 'helm.log.values'), 'utf8'));
  expect(values).toEqual({
    staticExport: {
      enabled: true,
      bundleUrl: result['bundle-url'],
      sha256: result.sha256,
      basePath: '/docs',
    },
  });
  const bundle = await fetch(values.staticExport.bundleUrl);
  expect(bundle.status).toBe(200);
  expect((await bundle.arrayBuffer()).byteLength).toBe(Number(result['size-bytes']));
});

it('the roll-out script reports errors of the platform and of helm, and fails', async () => {
  const missing = await run('sh', [script, '--domain', 'nobody', '--folder', 'never']);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/answered 404: .+/)]);
  await expect(stat(join(work, 'never'))).rejects.toThrow('ENOENT');
  const refused = await run('sh', [script, '--domain', docent.domain], {
    DOCENT_API_KEY: 'svc_wrong',
  });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('answered 401')]);
  const broken = await run(
    'sh',
    [script, '--domain', docent.domain, '--helm', 'docs', '--chart', 'x', '--poll-seconds', '1'],
    {
      HELM_STATUS: '1',
    },
  );
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringContaining('helm did not roll it out'),
  ]);
});

it.each([
  [['--domain'], 'needs a value'],
  [['--folder', 'x'], '--domain'],
  [['--domain', 'x', '--helm', 'docs'], '--chart'],
  [['--domain', 'x', '--sitemap', 'y'], 'not an option'],
  [['--domain', 'x', '--poll-seconds', 'soon'], 'whole numbers'],
])('the roll-out script rejects %j before it sends a request', async (args, expected) => {
  const { code, stderr } = await run('sh', [script, ...args], { DOCENT_URL: 'http://127.0.0.1:1' });
  expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
});

it('the roll-out script does not roll out a bundle that does not match its SHA-256', async () => {
  const server: Server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    if (request.url === '/bundle') response.end('tampered');
    else if (request.url?.endsWith('/bundle'))
      response.end(
        JSON.stringify({ bundleUrl: `${address}/bundle`, sizeBytes: 8, sha256: 'a'.repeat(64) }),
      );
    else response.end(JSON.stringify({ jobId: 'se_1', status: 'completed', pageCount: 1 }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const { code, stderr } = await run('sh', [script, '--domain', 'x', '--folder', 'tampered'], {
    DOCENT_URL: `http://127.0.0.1:${port}`,
  });
  server.close();
  expect([code, stderr]).toEqual([1, expect.stringContaining('SHA-256')]);
  await expect(stat(join(work, 'tampered'))).rejects.toThrow('ENOENT');
});

it('the GitHub Action runs the roll-out script with its inputs as variables, and keeps the link out of its outputs', async () => {
  const { inputs, runs } = parse(
    await readFile(join(root, 'deploy/github-action/action.yml'), 'utf8'),
  );
  const [step] = runs.steps as { env: Record<string, string>; run: string }[];
  const given: Record<string, string> = {
    url: docent.apiUrl,
    'api-key': docent.adminKey,
    domain: docent.domain,
    paths: 'index\nquickstart\n',
    'helm-release': 'docs',
    'helm-arguments': '--set\nweb.replicas=3',
    folder: 'a folder; touch hacked',
  };
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1];
      if (input === undefined) return [name, join(root, 'deploy/github-action')];
      expect(inputs).toHaveProperty([input]);
      return [name, given[input] ?? inputs[input].default];
    }),
  );
  expect(step?.run).not.toContain('${{');
  const output = join(work, 'outputs');
  const { code, stderr } = await run('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? ''], {
    ...env,
    GITHUB_OUTPUT: output,
    GITHUB_RUN_ID: '7',
  });
  expect(code, stderr).toBe(0);
  const outputs = await readFile(output, 'utf8');
  expect(outputs).toMatch(/^job-id=se_\w+\nsha256=\w{64}\nsize-bytes=\d+\n/);
  expect(outputs).not.toContain('bundle-url');
  expect((await stat(join(work, 'a folder; touch hacked/quickstart.html'))).isFile()).toBe(true);
  await expect(
    stat(join(work, 'a folder; touch hacked/self-hosting/overview.html')),
  ).rejects.toThrow('ENOENT');
  expect(await readFile(join(work, 'helm.log'), 'utf8')).toContain(
    'deploy/github-action/../helm/docent\n',
  );
  await expect(stat(join(work, 'hacked'))).rejects.toThrow('ENOENT');
});
