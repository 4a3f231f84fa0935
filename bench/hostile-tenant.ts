import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addHostileOrganization, HOSTILE_SITES, page, site } from '../test/support/hostile-organization.ts';
import { fetchSite } from '../test/support/http.ts';
import { postgresBin, startPostgres } from '../test/support/postgres.ts';
import { type RunningDocent, removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { quantile } from './measure.ts';

/*
 * How much an organization that continuously publishes hostile sites slows down another one: the time of its publishes, and the
 * latency of its pages. Both publish to one process with PostgreSQL; the hostile builds may use 20 seconds of CPU time.
 *
 * `--unlimited` lifts the limit of 60 publishes an hour, which otherwise ends the attack.
 *
 *   node bench/hostile-tenant.ts [--publishes 5] [--sites 6] [--unlimited]
 */
const { values } = parseArgs({
  options: {
    publishes: { type: 'string', default: '5' },
    sites: { type: 'string', default: '6' },
    unlimited: { type: 'boolean', default: false },
  },
});
const PAGES_PER_SECOND = 20;
const SLUG = 'victim';

/** Returns a site of the measured organization: a different one each time, so that nothing comes from a cache. */
function ordinarySite(): Uint8Array<ArrayBuffer> {
  const text = Array.from(
    { length: 200 },
    () => `## ${randomBytes(4).toString('hex')}\n\nSome *text* with [a link](#x) and \`code\`.`,
  );
  return site(page(text.join('\n\n')));
}

async function send(
  docent: RunningDocent,
  key: string,
  slug: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' };
  const sent = await fetch(`${docent.apiUrl}/v1/project/${slug}/source`, { method: 'PUT', headers, body: archive });
  const { statusId } = (await sent.json()) as { statusId?: string };
  return statusId;
}

/** @returns seconds from the upload until the site is live, or its build failed */
async function publish(docent: RunningDocent, key: string, slug: string, archive: Uint8Array<ArrayBuffer>): Promise<number> {
  const startedAt = performance.now();
  const statusId = await send(docent, key, slug, archive);
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${docent.apiUrl}/v1/project/update-status/${statusId}`, { headers });
    const { status } = (await answer.json()) as { status: string };
    if (status === 'success' || status === 'failure') return (performance.now() - startedAt) / 1000;
    await wait(50);
  }
}

/** Requests a page at a steady rate until it is stopped. @returns the latencies in milliseconds */
async function readPages(docent: RunningDocent, until: AbortSignal): Promise<number[]> {
  const latencies: number[] = [];
  const open: Promise<void>[] = [];
  for (let next = performance.now(); !until.aborted; next += 1000 / PAGES_PER_SECOND) {
    await wait(Math.max(0, next - performance.now()));
    const startedAt = performance.now();
    open.push(
      fetchSite(docent, SLUG, '/').then(async (answer) => {
        await answer.arrayBuffer();
        latencies.push(answer.status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
      }),
    );
  }
  await Promise.all(open);
  return latencies;
}

async function measure(title: string, docent: RunningDocent, count: number): Promise<void> {
  const isOver = new AbortController();
  const reading = readPages(docent, isOver.signal);
  const seconds: number[] = [];
  for (let run = 0; run < count; run++) seconds.push(await publish(docent, docent.adminKey, SLUG, ordinarySite()));
  if (count === 0) await wait(10_000);
  isOver.abort();
  const latencies = await reading;
  const at = (share: number) => quantile(latencies, share).toFixed(1);
  const published =
    count === 0 ? '' : `publish ${quantile(seconds, 0.5).toFixed(1)} s, at most ${Math.max(...seconds).toFixed(1)} s; `;
  process.stdout.write(`${title}: ${published}page p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${latencies.length}\n`);
}

if (postgresBin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const postgres = await startPostgres();
const address = await postgres.createDatabase();
const docent = await startDocent({
  env: {
    DOCENT_DATABASE: 'postgres',
    DOCENT_DATABASE_URL: address,
    ...(values.unlimited && { DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000000' }),
    DOCENT_BUILD_CPU_SECONDS: '20',
  },
});
process.stdout.write(`Node.js ${process.versions.node}, ${values.sites} hostile sites, ${PAGES_PER_SECOND} pages a second\n`);
const create = (key: string, slug: string) =>
  fetch(`${docent.apiUrl}/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug }),
  });
await create(docent.adminKey, SLUG);
await publish(docent, docent.adminKey, SLUG, ordinarySite());
await measure('reading alone', docent, 0);
await measure('alone', docent, Number(values.publishes));

const hostileKey = await addHostileOrganization(address);
const hostile = Object.values(HOSTILE_SITES);
let sent = 0;
let isOver = false;
const attacks = Array.from({ length: Number(values.sites) }, async (_, index) => {
  const slug = `hostile-${index}`;
  await create(hostileKey, slug);
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
