import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { call, type DeploymentBody, fetchSite } from '../test/support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../test/support/start-docent.ts';
import { ownMegabytes, print, processCpuMs, processTree, residentMegabytes } from './measure.ts';

/*
 * Memory of the server, and of it with all processes that it starts, for one site of each size:
 * while it is published, published again, exported, at rest after that, and after a restart with a
 * page and a search. Larger sites are copies of the pages side by side, a tab for each folder.
 * Memory is resident, sampled four times a second, so that pages that processes share count in
 * each; "as a container counts" has them once, sampled every second.
 *
 *   node bench/sizes.ts <folder> [--pages 1000,10000] [--rest 60] [--build-memory 16000]
 *
 * The folder is a docs.json repository whose tabs are its folders, such as the one that the
 * benchmarks of other generators use.
 */

const { values, positionals } = parseArgs({
  // Seconds after which the server counts as at rest.
  options: {
    pages: { type: 'string', default: '1000,10000' },
    rest: { type: 'string', default: '60' },
    // MB that a build may take; below 1536 it has one thread.
    'build-memory': { type: 'string', default: '16000' },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined)
  print('usage: node bench/sizes.ts <folder> [--pages 1000,10000] [--rest 60]');
else for (const pages of values.pages.split(',').map(Number)) await measure(resolve(folder), pages);
await removeTemporaryFolders();

interface Tab {
  tab: string;
  pages: unknown[];
}

/** @returns an archive of a site of about this many pages */
function archiveOf(source: string, pages: number): Uint8Array<ArrayBuffer> {
  const made = mkdtempSync(join(tmpdir(), 'docent-sizes-'));
  const config = JSON.parse(readFileSync(join(source, 'docs.json'), 'utf8')) as {
    navigation: { tabs: Tab[] };
  };
  const folders = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory());
  const perCopy = folders.reduce(
    (count, name) =>
      count +
      readdirSync(join(source, name), { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.includes('.md'),
      ).length,
    0,
  );
  const tabs: Tab[] = [];
  const copies = Math.max(1, Math.round(pages / perCopy));
  const renamed = (entry: unknown, copy: number): unknown =>
    JSON.parse(JSON.stringify(entry).replaceAll(/"(tab-\d\d)\//g, `"copy-${copy}/$1/`)) as unknown;
  for (let copy = 0; copy < copies; copy++) {
    for (const name of folders)
      cpSync(join(source, name), join(made, `copy-${copy}`, name), { recursive: true });
    for (const tab of config.navigation.tabs)
      tabs.push({ ...(renamed(tab, copy) as Tab), tab: `${tab.tab} ${copy}` });
  }
  writeFileSync(join(made, 'docs.json'), JSON.stringify({ ...config, navigation: { tabs } }));
  const packed = spawnSync('tar', ['-C', made, '-czf', '-', '.'], { maxBuffer: 4 * 1024 ** 3 });
  rmSync(made, { recursive: true });
  return new Uint8Array(packed.stdout);
}

/** Samples the memory of a process and of those below it until it is stopped. */
function sample(pid: number) {
  let server = 0;
  let tree = 0;
  let counted = 0;
  let samples = 0;
  const timer = setInterval(() => {
    const processes = processTree(pid);
    const all = processes.map((each) => megabytesOf(each, residentMegabytes));
    if (samples++ % 4 === 0)
      counted = Math.max(counted, sumOf(processes.map((each) => megabytesOf(each, ownMegabytes))));
    server = Math.max(server, all[0] ?? 0);
    tree = Math.max(tree, sumOf(all));
  }, 250);
  return () => {
    clearInterval(timer);
    return `server ${server.toFixed(0)} MB, with all its processes ${tree.toFixed(0)} MB, as a container counts ${counted.toFixed(0)} MB`;
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns nothing for a process that has ended meanwhile. */
function megabytesOf(pid: number, measure: (pid: number) => number): number {
  try {
    return measure(pid);
  } catch {
    return 0;
  }
}

async function observed(
  docent: RunningDocent,
  title: string,
  work: () => Promise<string>,
): Promise<void> {
  const pid = docent.child.pid as number;
  const stop = sample(pid);
  const before = processCpuMs(pid);
  const result = await work();
  print(
    `  ${title}: ${stop()}; ${((processCpuMs(pid) - before) / 1000).toFixed(1)} s of CPU in the server; ${result}`,
  );
}

/** Asks until a job has ended, however long that takes. */
async function polled<Answer>(
  ask: () => Promise<Answer>,
  hasEnded: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (hasEnded(answer)) return answer;
    await wait(500);
  }
}

async function measure(source: string, pages: number): Promise<void> {
  const archive = archiveOf(source, pages);
  const env = {
    DOCENT_BUILD_CPU_SECONDS: '3000',
    DOCENT_BUILD_WALL_SECONDS: '6000',
    DOCENT_BUILD_MEMORY_MB: values['build-memory'],
    // As scripts/launch.mjs does.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'docent-sizes-compiled'),
  };
  let docent = await startDocent({ env, isFirst: true, isBasic: true });
  const atRest = async (title: string) => {
    await wait(Number(values.rest) * 1000);
    print(`  ${title}: server ${residentMegabytes(docent.child.pid as number).toFixed(0)} MB`);
  };
  print(`${pages} pages, an archive of ${(archive.byteLength / 1e6).toFixed(1)} MB`);
  await atRest('at rest after the start');
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    (await (await call(docent, docent.adminKey, method, path, body)).json()) as Answer;
  await ask('POST', '/v1/projects', { slug: 'sizes' });
  const publish = async () => {
    const headers = {
      authorization: `Bearer ${docent.adminKey}`,
      'content-type': 'application/gzip',
    };
    const sent = await fetch(`${docent.apiUrl}/v1/project/sizes/source`, {
      method: 'PUT',
      headers,
      body: archive,
    });
    const { statusId } = (await sent.json()) as { statusId: string };
    const ended = await polled(
      () => ask<DeploymentBody>('GET', `/v1/project/update-status/${statusId}`),
      ({ status }) => status === 'success' || status === 'failure',
    );
    return `${ended.status}, ${ended.report?.pageCount} pages`;
  };
  await observed(docent, 'published', publish);
  await atRest('at rest');
  await observed(docent, 'published again', publish);
  await observed(docent, 'exported', async () => {
    const { jobId } = await ask<{ jobId: string }>('POST', '/v1/static-export/jobs', {
      domain: 'sizes',
    });
    const ended = await polled(
      () => ask<{ status: string }>('GET', `/v1/static-export/jobs/${jobId}`),
      ({ status }) => status === 'completed' || status === 'failed',
    );
    return ended.status;
  });
  await atRest('at rest');
  await docent.stop();
  docent = await startDocent({
    env,
    isBasic: true,
    dataFolder: docent.dataFolder,
  });
  const site = await fetchSite(docent, 'sizes', '/llms.txt');
  await site.text();
  await atRest('at rest after a restart');
  await docent.stop();
}
