import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGitServer } from '../test/support/git-server.ts';
import { call, fetchSite, until } from '../test/support/http.ts';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, treeCpuMs } from './measure.ts';

/*
 * What it costs to look for pushes and pull requests in a network that nobody can call into: CPU of
 * the server, with Git and all that it starts, for a look at one site, and as a share of a core for
 * 200 sites at the interval of the settings. Nothing is pushed meanwhile. What the server needs when
 * it has no site to look at is subtracted.
 *
 *   node bench/git-polling.ts [--sites 10] [--rounds 4] [--settle-ms 10000]
 */

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '4' },
    'settle-ms': { type: 'string', default: '10000' },
  },
});
const sites = Number(values.sites);
/** The shortest interval that the settings allow. */
const ROUND_SECONDS = 30;
const DEFAULT_INTERVAL_SECONDS = 600;
const SITES_OF_A_FLEET = 200;

const server = await startGitServer();
const env = {
  DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
  DOCENT_GIT_POLL_SECONDS: String(ROUND_SECONDS),
};
const first = await startDocent({ isBasic: true, env });
for (let index = 0; index < sites; index++) {
  const slug = `polled-${index}`;
  const repository = server.createRepository(slug);
  const docsJson = { name: slug, theme: 'mint', colors: { primary: '#0d9373' } };
  const navigation = { pages: ['index'] };
  repository.push({
    'docs.json': JSON.stringify({ ...docsJson, navigation }),
    'index.mdx': '# Welcome',
  });
  const { adminKey } = first;
  await call(first, adminKey, 'POST', '/v1/projects', { slug });
  const source = { url: repository.url, previews: 'public', provider: 'github' };
  await call(first, adminKey, 'POST', `/v1/projects/${slug}/sources`, source);
  await until(async () => ((await fetchSite(first, slug, '/')).ok ? true : undefined));
}
await first.stop();

// One that has built nothing: what a process has used is counted when it ends.
const seconds = ROUND_SECONDS * Number(values.rounds);
const none = await measure({ ...env, DOCENT_GIT_POLL_SECONDS: '86400' }, seconds, true);
const { dataFolder } = first;
const looking = await measure(env, seconds, false, dataFolder);
const ms = (looking.cpuMs - none.cpuMs) / Math.max(1, looking.looks);
print(`Node.js ${process.versions.node}, ${sites} sites, ${looking.looks} looks`);
print(`CPU of a look: ${ms.toFixed(1)} ms, with Git`);
const share = (ms * SITES_OF_A_FLEET) / (DEFAULT_INTERVAL_SECONDS * 1000);
print(
  `${SITES_OF_A_FLEET} sites every ${DEFAULT_INTERVAL_SECONDS} s: ${(100 * share).toFixed(2)} % of a core`,
);
await server.close();
await removeTemporaryFolders();

async function measure(
  settings: Record<string, string>,
  duration: number,
  isBasic: boolean,
  folder?: string,
): Promise<{ cpuMs: number; looks: number }> {
  const docent = await startDocent({
    env: settings,
    isBasic,
    ...(folder && { dataFolder: folder }),
  });
  const pid = docent.child.pid as number;
  await wait(Number(values['settle-ms']));
  const used = () => treeCpuMs(pid);
  const looks = () => server.requests.filter((request) => request.startsWith('POST')).length;
  const [before, looksBefore] = [used(), looks()];
  await wait(duration * 1000);
  const result = { cpuMs: used() - before, looks: looks() - looksBefore };
  await docent.stop();
  return result;
}
