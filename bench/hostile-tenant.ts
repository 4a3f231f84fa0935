import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addHostileOrganization, HOSTILE_SITES } from '../test/support/hostile-organization.ts';
import { postgresBin, startPostgres } from '../test/support/postgres.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../test/support/start-docent.ts';
import {
  create,
  ordinarySite,
  PAGES_PER_SECOND,
  publish,
  readPages,
  send,
} from './drill/tenants.ts';
import { quantile } from './measure.ts';

/*
 * How much an organization that continuously publishes hostile sites slows down another one: the
 * time of its publishes, and the latency of its pages. Both publish to one process with PostgreSQL;
 * the hostile builds may use 20 seconds of CPU time. Before, pages alone are read for 10 seconds.
 *
 * `--unlimited` lifts the limit of 60 publishes an hour, which otherwise ends the attack.
 *
 *   node bench/hostile-tenant.ts [--publishes 5] [--sites 6] [--build-seconds 20] [--alone-seconds 10] [--unlimited]
 */
const { values } = parseArgs({
  options: {
    publishes: { type: 'string', default: '5' },
    sites: { type: 'string', default: '6' },
    'build-seconds': { type: 'string', default: '20' },
    'alone-seconds': { type: 'string', default: '10' },
    unlimited: { type: 'boolean', default: false },
  },
});
const SLUG = 'victim';

async function measure(title: string, docent: RunningDocent, count: number): Promise<void> {
  const isOver = new AbortController();
  const reading = readPages(docent, SLUG, isOver.signal);
  const seconds: number[] = [];
  for (let run = 0; run < count; run++)
    seconds.push(await publish(docent, docent.adminKey, SLUG, ordinarySite()));
  if (count === 0) await wait(Number(values['alone-seconds']) * 1000);
  isOver.abort();
  const latencies = await reading;
  const at = (share: number) => quantile(latencies, share).toFixed(1);
  const published =
    count === 0
      ? ''
      : `publish ${quantile(seconds, 0.5).toFixed(1)} s, at most ${Math.max(...seconds).toFixed(1)} s; `;
  process.stdout.write(
    `${title}: ${published}page p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${latencies.length}\n`,
  );
}

if (postgresBin === undefined)
  throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const postgres = await startPostgres();
const address = await postgres.createDatabase();
const docent = await startDocent({
  env: {
    DOCENT_DATABASE: 'postgres',
    DOCENT_DATABASE_URL: address,
    ...(values.unlimited && { DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000000' }),
    DOCENT_BUILD_CPU_SECONDS: values['build-seconds'],
  },
});
process.stdout.write(
  `Node.js ${process.versions.node}, ${values.sites} hostile sites, ${PAGES_PER_SECOND} pages a second\n`,
);
await create(docent, docent.adminKey, SLUG);
await publish(docent, docent.adminKey, SLUG, ordinarySite());
await measure('reading alone', docent, 0);
await measure('alone', docent, Number(values.publishes));

const hostileKey = await addHostileOrganization(address);
const hostile = Object.values(HOSTILE_SITES);
let sent = 0;
let isOver = false;
const attacks = Array.from({ length: Number(values.sites) }, async (_, index) => {
  const slug = `hostile-${index}`;
  await create(docent, hostileKey, slug);
  while (!isOver) {
    sent++;
    await send(docent, hostileKey, slug, hostile[sent % hostile.length] as Uint8Array<ArrayBuffer>);
    await wait(200);
  }
});
await wait(1000);
await measure('next to the hostile tenant', docent, Number(values.publishes));
isOver = true;
await Promise.all(attacks);
process.stdout.write(`${sent} hostile archives were sent\n`);
await docent.stop();
await postgres.stop();
await removeTemporaryFolders();
