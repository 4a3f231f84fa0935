import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGitServer, type TestRepository } from '../test/support/git-server.ts';
import { call, fetchSite, until } from '../test/support/http.ts';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';
import { print, treeCpuMs } from './measure.ts';

/*
 * How long it takes until what was pushed to a repository is live. Git's own server answers by
 * https on this machine. First the repository is connected: its history is fetched and all pages are
 * built. Then one page changes with each push, whose signed webhook is sent as GitHub does.
 *
 *   node bench/push-to-live.ts [--pages 1000] [--commits 5000] [--pushes 3]
 */

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    commits: { type: 'string', default: '5000' },
    pushes: { type: 'string', default: '3' },
  },
});
const [pages, commits, pushes] = [values.pages, values.commits, values.pushes].map(Number) as [
  number,
  number,
  number,
];
const SLUG = 'pushed';
const pathOf = (page: number) => `part-${page % 10}/page-${page}`;

interface Answer {
  id: string;
  url: string;
  secret: string;
  items: { id: string }[];
  createdAt: string;
  stages: { name: string; startedAt: string; endedAt: string }[];
}

const server = await startGitServer();
const repository = server.createRepository(SLUG);
fill(repository);
const docent = await startDocent({
  isBasic: true,
  env: {
    DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
    DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '100000',
  },
});
print(`Node.js ${process.versions.node}, ${pages} pages, ${commits} commits`);
const ask = async (method: string, path: string, body?: object) => {
  const response = await call(docent, docent.adminKey, method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Answer;
};
await ask('POST', '/v1/projects', { slug: SLUG });
const sources = `/v1/projects/${SLUG}/sources`;
const { id } = await timed('connected', 'Commit 1 of', async () =>
  ask('POST', sources, { url: repository.url }),
);
const { url, secret } = await ask('POST', `${sources}/${id}/webhook-secret`);
for (let push = 1; push <= pushes; push++) {
  const text = `Pushed ${push}.`;
  repository.push({ [`${pathOf(0)}.mdx`]: pageOf(0, text) }, text);
  await timed(`push ${push}`, text, () => deliver(push));
}
await docent.stop();
await server.close();
await removeTemporaryFolders();

/** Does something, and prints how long it then takes until the first page has a text. */
async function timed<Result>(
  title: string,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const cpuBefore = treeCpuMs(docent.child.pid as number);
  const result = await work();
  await until(async () => {
    const response = await fetchSite(docent, SLUG, `/${pathOf(0)}`);
    if ((await response.text()).includes(text)) return true;
    // Questions cost CPU too.
    await wait(100);
    return undefined;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (treeCpuMs(docent.child.pid as number) - cpuBefore) / 1000;
  print(
    `${title}: live after ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU with Git and build`,
  );
  await printStages();
  return result;
}

/** Prints how long each stage of the newest deployment took. */
async function printStages(): Promise<void> {
  const path = `/v1/projects/${SLUG}/deployments`;
  const newest = (await ask('GET', `${path}?limit=1`)).items[0];
  const { createdAt, stages = [] } = await ask('GET', `${path}/${newest?.id}`);
  const seconds = (from = '', to = '') => ((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1);
  const times = stages.map(
    ({ name, startedAt, endedAt }) => `${name} ${seconds(startedAt, endedAt)} s`,
  );
  print(`  waits ${seconds(createdAt, stages[0]?.startedAt)} s, ${times.join(', ')}`);
}

async function deliver(push: number): Promise<void> {
  const body = JSON.stringify({ ref: 'refs/heads/main', push });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${signature}`,
    'x-github-delivery': String(push),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.status !== 202) throw new Error(await response.text());
}

function pageOf(page: number, text: string): string {
  const code = '```js\nexport const answer = await client.pages.read({ id: 42 });\n```';
  const section = (part: number) =>
    `## Part ${part} of ${page}\n\n${'This sentence explains what the part is for. '.repeat(12)}\n\n${code}\n`;
  return `---\ntitle: Page ${page}\n---\n\n${text}\n\n${[1, 2, 3].map(section).join('\n')}`;
}

/** Gives a repository all pages in its first commit, then commits that change one each. */
function fill({ bare }: TestRepository): void {
  const list = Array.from({ length: pages }, (_, page) => page);
  const docsJson = JSON.stringify({
    name: 'Pushed',
    theme: 'mint',
    colors: { primary: '#0d9373' },
    navigation: { pages: list.map(pathOf) },
  });
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (path: string, text: string) => `M 100644 inline ${path}\n${data(text)}`;
  const commitOf = (number: number, changes: string) =>
    `commit refs/heads/main\ncommitter Ada Example <ada@acme.example> ${1_700_000_000 + number * 3600} +0000\n${data(`Commit ${number}`)}${changes}\n`;
  const change = (number: number) => {
    const page = number % pages;
    return file(`${pathOf(page)}.mdx`, pageOf(page, `Commit ${number} of this page.`));
  };
  const first = [
    file('docs.json', docsJson),
    ...list.map((page) => file(`${pathOf(page)}.mdx`, pageOf(page, 'Commit 1 of this page.'))),
  ];
  const stream = [commitOf(1, first.join(''))];
  // The first page stays, so that it is known what it shows.
  for (let number = 2; number <= commits; number++)
    if (number % pages !== 0) stream.push(commitOf(number, change(number)));
  const imported = spawnSync('git', ['--git-dir', bare, 'fast-import', '--quiet'], {
    input: stream.join(''),
  });
  if (imported.status !== 0) throw new Error(String(imported.stderr));
  repository.git('pull', '-q', 'origin', 'main');
}
