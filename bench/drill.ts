import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { postgresBin } from '../test/support/postgres.ts';
import { hasRedisServer } from '../test/support/redis.ts';
import { hasReverseProxies } from '../test/support/reverse-proxies.ts';
import { hasS3Server } from '../test/support/s3.ts';
import {
  removeTemporaryFolders,
  root,
  runDocent,
  temporaryFolder,
} from '../test/support/start-docent.ts';
import { type Fleet, startFleet } from './drill/fleet.ts';
import { measureHostility } from './drill/hostility.ts';
import { Ledger } from './drill/ledger.ts';
import { startWork } from './drill/work.ts';
import { print } from './measure.ts';

/*
 * A drill: Docent processes behind nginx that share PostgreSQL, S3 (Ceph) and Redis, while readers
 * load pages and clients publish, export, ask, sign in and create sites. It takes each dependency
 * away, restarts every process, and kills processes and backups at random moments. Exits with 1 if
 * a page failed, a request failed in another way than 503 with Retry-After, or accepted work was
 * lost. A request whose process was killed is cut, not failed.
 *
 *   node bench/drill.ts [--processes 2] [--database-seconds 60] [--other-seconds 30] [--steady-seconds 10] [--kills 100] [--hostile-minutes 20] [--memory 2048]
 *
 * Zero leaves a part out.
 */
const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '2' },
    'database-seconds': { type: 'string', default: '60' },
    'other-seconds': { type: 'string', default: '30' },
    'steady-seconds': { type: 'string', default: '10' },
    kills: { type: 'string', default: '100' },
    'hostile-minutes': { type: 'string', default: '20' },
    memory: { type: 'string', default: '2048' },
  },
});
const MAX_LIFE_MS = 6000;
const MAX_ERRORS = 40;
const MAX_ERROR_CHARACTERS = 1500;

if (postgresBin === undefined || !hasRedisServer || !hasS3Server || !hasReverseProxies)
  throw new Error('PostgreSQL, Redis, Ceph and nginx have to be installed.');
print(`Node.js ${process.versions.node}, ${values.processes} processes`);
const kills = Number(values.kills);
const steadyMs = Number(values['steady-seconds']) * 1000;
const outages = {
  PostgreSQL: Number(values['database-seconds']),
  Redis: Number(values['other-seconds']),
  S3: Number(values['other-seconds']),
};
if (kills > 0 || Object.values(outages).some(Boolean)) await drill();
if (Number(values['hostile-minutes']) > 0)
  await measureHostility(Number(values['hostile-minutes']), Number(values.memory));
await removeTemporaryFolders();

async function drill(): Promise<void> {
  const fleet = await startFleet(Number(values.processes));
  const ledger = new Ledger(fleet);
  const work = await startWork(fleet, ledger);
  await wait(steadyMs);
  ledger.row('all are there');
  for (const [name, seconds] of Object.entries(outages)) {
    if (seconds === 0) continue;
    await fleet.outages[name as keyof typeof outages](seconds);
    ledger.row(`${name} away for ${seconds} s`);
    await fleet.ready();
    await wait(steadyMs);
    ledger.row('  and after it');
  }
  for (let index = 0; index < fleet.count; index++) await fleet.restart(index, 'stop');
  ledger.row('every process restarted');
  if (kills > 0) await killAtRandom(fleet, ledger);
  await work.end();
  ledger.row('until all work ended');
  const isWhole = await checkStore(fleet);
  if (!ledger.conclude() || !isWhole) {
    process.exitCode = 1;
    for (const line of fleet.errors().slice(0, MAX_ERRORS))
      print(`  LOG ${line.slice(0, MAX_ERROR_CHARACTERS)}`);
  }
  await fleet.stop();
}

/** Kills a process, or a backup, at a random moment of its life. */
async function killAtRandom(fleet: Fleet, ledger: Ledger): Promise<void> {
  const folder = await temporaryFolder();
  let backups = 0;
  for (let round = 0; round < kills; round++) {
    const victim = Math.floor(Math.random() * (fleet.count + 1));
    if (victim < fleet.count) {
      await wait(Math.random() * MAX_LIFE_MS);
      await fleet.restart(victim, 'kill');
      continue;
    }
    const args = [
      join(root, 'packages/docent/src/main.ts'),
      'backup',
      join(folder, `${round}.tar.gz`),
    ];
    const env = { PATH: process.env.PATH, ...fleet.env, DOCENT_DATA: folder };
    const backup = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const exited = once(backup, 'exit');
    await Promise.race([wait(Math.random() * MAX_LIFE_MS), exited]);
    backup.kill('SIGKILL');
    await exited;
    backups++;
  }
  ledger.row(`${kills} times kill -9, ${backups} of a backup`);
}

/** Checks every file of the store, and that a backup of all of it can be made. */
async function checkStore({ env }: Fleet): Promise<boolean> {
  const folder = await temporaryFolder();
  const verified = await runDocent(['verify-store'], { ...env, DOCENT_DATA: folder });
  const backup = await runDocent(['backup', join(folder, 'last.tar.gz')], {
    ...env,
    DOCENT_DATA: folder,
  });
  print(
    `verify-store: ${verified.code} ${verified.stdout.trim().split('\n').at(-1)}; backup: ${backup.code} ${backup.stderr.trim()}`,
  );
  return verified.code === 0 && backup.code === 0;
}
