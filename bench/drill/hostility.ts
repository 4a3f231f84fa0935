import { setTimeout as wait } from 'node:timers/promises';
import { buildMemoryMb } from '../../packages/server/src/kernel/config/publish-settings.ts';
import { addHostileOrganization, HOSTILE_SITES } from '../../test/support/hostile-organization.ts';
import { call } from '../../test/support/http.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { type RunningDocent, startDocent } from '../../test/support/start-docent.ts';
import { ownMegabytes, print, processTree, quantile } from '../measure.ts';
import { create, ordinarySite, publish, readPages, send } from './tenants.ts';

const QUIET = 'quiet';
const HOSTILE = ['hostile-one', 'hostile-two'];
const SITES_EACH = 3;
const BUILDS_AT_ONCE = 2;
const sitesOf = (organization: string) =>
  Array.from({ length: SITES_EACH }, (_, number) => `${organization}-${number}`);
const QUIET_EVERY_MS = 10_000;
const SAMPLE_MS = 1000;

/**
 * Two organizations publish hostile sites without pause beside a quiet one, at a process that was
 * given `memoryMb` as a container is. Prints the quiet one's pages with and without them,
 * everybody's share of builds, and the memory of the whole process tree.
 */
export async function measureHostility(minutes: number, memoryMb: number): Promise<void> {
  const database = await startPostgres();
  const address = await database.createDatabase();
  const docent = await startDocent({
    env: {
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: address,
      DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000000',
      DOCENT_PUBLISHES_PER_PROCESS: String(BUILDS_AT_ONCE),
      DOCENT_BUILD_MEMORY_MB: String(buildMemoryMb(memoryMb, BUILDS_AT_ONCE)),
    },
  });
  await create(docent, docent.adminKey, QUIET);
  await publish(docent, docent.adminKey, QUIET, ordinarySite());
  const memory = sampleMemory(docent.child.pid as number);
  const alone = await measure(docent, 'alone', minutes * 30);
  const keys = await Promise.all(HOSTILE.map((slug) => addHostileOrganization(address, { slug })));
  const isOver = new AbortController();
  const attacks = keys.flatMap((key, index) =>
    sitesOf(HOSTILE[index] as string).map((slug) => attack(docent, key, slug, isOver.signal)),
  );
  await wait(1000);
  const beside = await measure(docent, 'beside them', minutes * 60);
  const built = await Promise.all([
    buildsOf(docent, docent.adminKey, [QUIET]),
    ...keys.map((key, index) => buildsOf(docent, key, sitesOf(HOSTILE[index] as string))),
  ]);
  isOver.abort();
  const sent = (await Promise.all(attacks)).reduce((sum, count) => sum + count, 0);
  const ratio = (share: number) => (quantile(beside, share) / quantile(alone, share)).toFixed(1);
  print(`pages beside them against alone: p50 ${ratio(0.5)} times, p99 ${ratio(0.99)} times`);
  const shares = built.map(
    ({ count, seconds }, index) =>
      `${[QUIET, ...HOSTILE][index]} ${count} in ${seconds.toFixed(0)} s`,
  );
  print(`${sent} hostile archives sent; builds: ${shares.join(', ')}`);
  print(`memory of the whole process tree: at most ${memory().toFixed(0)} MB of ${memoryMb} MB`);
  await docent.stop();
  await database.stop();
}

async function measure(docent: RunningDocent, title: string, seconds: number): Promise<number[]> {
  const isOver = new AbortController();
  const reading = readPages(docent, QUIET, isOver.signal);
  const publishes: number[] = [];
  for (
    const end = performance.now() + seconds * 1000;
    performance.now() < end;
    await wait(QUIET_EVERY_MS)
  )
    publishes.push(await publish(docent, docent.adminKey, QUIET, ordinarySite()));
  isOver.abort();
  const latencies = await reading;
  const failed = latencies.filter((latency) => latency === Number.POSITIVE_INFINITY).length;
  const at = (share: number) => quantile(latencies, share).toFixed(1);
  print(
    `${title}: ${latencies.length} pages, ${failed} failed, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ` +
      `${publishes.length} publishes of the quiet one, p50 ${quantile(publishes, 0.5).toFixed(1)} s, at most ${Math.max(...publishes).toFixed(1)} s`,
  );
  return latencies;
}

/** @returns how many archives were sent */
async function attack(
  docent: RunningDocent,
  key: string,
  slug: string,
  until: AbortSignal,
): Promise<number> {
  const archives = Object.values(HOSTILE_SITES);
  await create(docent, key, slug);
  let sent = 0;
  for (; !until.aborted; await wait(200))
    await send(docent, key, slug, archives[sent++ % archives.length] as Uint8Array<ArrayBuffer>);
  return sent;
}

/**
 * @returns how many of the last builds of some sites have ended, and how long those took together
 */
async function buildsOf(
  docent: RunningDocent,
  key: string,
  slugs: readonly string[],
): Promise<{ count: number; seconds: number }> {
  const times: number[] = [];
  for (const slug of slugs) {
    const answer = await call(docent, key, 'GET', `/v1/projects/${slug}/deployments?limit=100`);
    const { items } = (await answer.json()) as {
      items: { startedAt: string | null; endedAt: string | null }[];
    };
    for (const { startedAt, endedAt } of items)
      if (startedAt !== null && endedAt !== null)
        times.push((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  }
  return { count: times.length, seconds: times.reduce((sum, seconds) => sum + seconds, 0) };
}

/** @returns ends the sampling, and returns the largest memory of the process and all below it */
function sampleMemory(pid: number): () => number {
  let largest = 0;
  const timer = setInterval(() => {
    const all = processTree(pid).map((each) => {
      try {
        return ownMegabytes(each);
      } catch {
        // It has ended.
        return 0;
      }
    });
    largest = Math.max(
      largest,
      all.reduce((sum, megabytes) => sum + megabytes, 0),
    );
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return largest;
  };
}
