import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../packages/server/src/adapters/blob-store/s3-client.ts';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './start-docent.ts';

/**
 * Whether the programs of Ceph are where Debian installs them; without them, their tests are
 * skipped.
 */
export const hasS3Server = ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'].every(
  (name) => existsSync(`/usr/bin/${name}`),
);

/**
 * An S3 server for tests, on a free port of the loopback interface: Ceph with one node, all in
 * memory.
 */
export interface TestS3 {
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Creates an empty bucket. */
  createBucket(): Promise<S3Settings & { endpoint: string; credentials: TestS3['credentials'] }>;
  stop(): Promise<void>;
}

const credentials = { accessKeyId: 'docent-test', secretAccessKey: 'secret-of-docent-test' };

export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-s3-'));
  let unwatch = endWithUs(folder, []);
  const ports = { monitor: await freePort(), store: await freePort() };
  const clusterId = randomUUID();
  for (const name of ['log', 'mon', 'osd', 'store']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'ceph.conf'), configuration(folder, clusterId, ports));
  const run = (program: string, ...args: string[]) => runCeph(folder, program, args);

  await run(
    'ceph-authtool',
    '--create-keyring',
    'keyring',
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  );
  await addKey(run, 'client.admin', ['mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *']);
  await addKey(run, 'client.store', ['mon', 'allow rwx', 'osd', 'allow rwx']);
  await addKey(run, 'osd.0', [
    'mon',
    'allow profile osd',
    'osd',
    'allow *',
    'mgr',
    'allow profile osd',
  ]);
  await run(
    'monmaptool',
    '--create',
    '--addv',
    'a',
    `[v2:127.0.0.1:${ports.monitor}]`,
    '--fsid',
    clusterId,
    'monmap',
  );
  await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');

  const daemons: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    daemons.push(
      spawn(program, [...args, '-f'], { cwd: folder, env: environmentOf(folder), stdio: 'ignore' }),
    );
    unwatch();
    unwatch = endWithUs(
      folder,
      daemons.map(({ pid }) => pid),
    );
  };
  start('ceph-mon', '-i', 'a');
  const diskId = randomUUID();
  await run('ceph', '--connect-timeout', '30', 'osd', 'new', diskId);
  await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', diskId, '--no-mon-config');
  start('ceph-osd', '-i', '0');
  start('radosgw', '-n', 'client.store');
  const endpoint = `http://127.0.0.1:${ports.store}`;
  await answers(endpoint, daemons);
  const { accessKeyId, secretAccessKey } = credentials;
  const user = [
    '--uid=docent',
    '--display-name=docent',
    `--access-key=${accessKeyId}`,
    `--secret=${secretAccessKey}`,
  ];
  await run('radosgw-admin', 'user', 'create', ...user);

  const admin = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  let buckets = 0;
  return {
    endpoint,
    credentials,
    async createBucket() {
      buckets += 1;
      const bucket = `test-${buckets}`;
      await admin.send(new CreateBucketCommand({ Bucket: bucket }));
      return {
        bucket,
        prefix: '',
        endpoint,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials,
      };
    },
    async stop() {
      admin.destroy();
      unwatch();
      for (const daemon of daemons) {
        const exited = once(daemon, 'exit');
        // They store nothing that is worth an orderly end.
        if (daemon.exitCode === null && daemon.kill('SIGKILL')) await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * By default, the monitor collects changes for a second before it agrees on them, which is most of
 * the time of a start.
 */
function configuration(
  folder: string,
  clusterId: string,
  ports: { monitor: number; store: number },
): string {
  return `[global]
fsid = ${clusterId}
mon host = v2:127.0.0.1:${ports.monitor}
mon initial members = a
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
paxos propose interval = 0.02
paxos min wait = 0.01
public addr = 127.0.0.1
run dir = ${folder}
admin socket = ""
log file = ${folder}/log/$name.log
keyring = ${folder}/keyring
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.store]
rgw frontends = beast endpoint=127.0.0.1:${ports.store}
rgw data = ${folder}/store
`;
}

function addKey(
  run: (program: string, ...args: string[]) => Promise<void>,
  name: string,
  grants: string[],
): Promise<void> {
  const caps = grants.flatMap((grant, index) => (index % 2 === 0 ? ['--cap', grant] : [grant]));
  return run('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...caps);
}

function environmentOf(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
}

async function runCeph(folder: string, program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentOf(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output.slice(0, 500)}`);
}

async function answers(endpoint: string, daemons: ChildProcess[]): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (daemons.some(({ exitCode }) => exitCode !== null))
      throw new Error('a part of Ceph ended while it started');
    if (
      await fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Ceph did not respond within a minute');
}
