import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  childProcesses,
  groupProcesses,
  readProc,
} from '../../../../test/support/child-processes.ts';
import { BuildKilled } from '../process/build-limits.ts';
import { buildOffThread, buildToFile } from './build-off-thread.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const budget = { cpuSeconds: 60, wallSeconds: 300, memoryMb: 1024 };

function siteOf(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-build-'));
  writeFileSync(
    join(folder, 'docs.json'),
    '{"name":"Site","theme":"mint","navigation":{"pages":["index"]}}',
  );
  writeFileSync(join(folder, 'index.mdx'), `# Start\n\n${body}\n`);
  return folder;
}

onLinux(
  'memory of the bundler counts: a small page that makes it take much is stopped, and named',
  async () => {
    // 2 KB when compressed; each expression is within the limits of one.
    const folder = siteOf(`{${'a,'.repeat(4900)}a}\n\n`.repeat(100));
    await expect(
      buildOffThread(folder, async () => {}, { threads: 1, budget: { ...budget, memoryMb: 320 } }),
    ).rejects.toThrow(
      /more than 320 MB of memory, while compiling pages \(index\.mdx\).*DOCENT_BUILD_MEMORY_MB/,
    );
  },
);

onLinux(
  'a build that the system kills says so and names the page, and nothing that it started is left',
  async () => {
    const code = Array.from(
      { length: 60_000 },
      (_, index) => `template <class T${index}> auto f${index}(T a) { return a<b>(c); }\n`,
    );
    // An island first, so that there is a bundler.
    const folder = siteOf(
      `export const Count = () => { const [n] = useState(1); return <b>{n}</b> }\n\n<Count />\n\n\`\`\`cpp\n${code.join('')}\`\`\``,
    );
    let leader = 0;
    const failure = await buildOffThread(folder, async () => {}, {
      threads: 1,
      budget,
      onStage(stage) {
        if (stage !== 'compiling pages') return;
        [leader = 0] = childProcesses(process.pid, 'build-process');
        expect(Number(readProc(leader, 'oom_score_adj'))).toBeGreaterThan(0);
        process.kill(leader, 'SIGKILL');
      },
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BuildKilled);
    expect(String(failure)).toMatch(
      /system stopped the build.*ran out of memory, while compiling pages \(index\.mdx\)/,
    );
    await expect.poll(() => groupProcesses(leader)).toEqual([]);
  },
);

onLinux(
  'a build collects its garbage soon, however the process that starts it was started',
  async () => {
    const commands: string[] = [];
    await buildOffThread(siteOf('Text.'), async () => {}, {
      threads: 1,
      budget,
      onStage() {
        const [leader = 0] = childProcesses(process.pid, 'build-process');
        commands.push(readProc(leader, 'cmdline'));
      },
    });
    expect(commands[0]).toContain('--heap-growing-percent=25');
  },
);

test('a large file of a build is handed over on disk, not in messages that take several times its size', async () => {
  const folder = siteOf('![Plan](plan.png)');
  const picture = randomBytes(5 * 1024 * 1024);
  writeFileSync(join(folder, 'plan.png'), picture);
  const handover = mkdtempSync(join(tmpdir(), 'docent-large-'));
  const large: string[] = [];
  const sizes: number[] = [];
  const build = await buildOffThread(folder, async (bytes) => void sizes.push(bytes.byteLength), {
    threads: 1,
    budget,
    large: {
      folder: handover,
      store: async (path, file) => {
        expect(hash('sha256', readFileSync(path))).toBe(file.sha256);
        large.push(file.sha256);
      },
    },
  });
  expect(large).toEqual([build.files['plan.png']?.sha256]);
  expect(build.files['plan.png']?.sha256).toBe(hash('sha256', picture));
  expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
});

test('a process that serves readers gets the summary of a build, and its manifest as a file with the same bytes', async () => {
  const folder = siteOf('Text.');
  const work = mkdtempSync(join(tmpdir(), 'docent-manifest-'));
  const publish = (name: string, live?: string) =>
    buildToFile(folder, async () => {}, {
      threads: 1,
      budget,
      manifest: join(work, name),
      hasIntegrations: false,
      formerBuilds: async () => ({
        live:
          live === undefined ? undefined : { deploymentId: 'first', manifest: join(work, live) },
        newest: live === undefined ? undefined : join(work, live),
      }),
    });
  const first = await publish('first');
  const text = readFileSync(join(work, 'first'), 'utf8');
  const build = await buildOffThread(folder, async () => {}, { threads: 1, budget });
  const withoutTime = (manifest: string) => manifest.replace(/"durationMs":[\d.]+/, '');
  expect(withoutTime(text)).toBe(withoutTime(JSON.stringify(build)));
  expect(first).not.toHaveProperty('pages');
  expect(first.manifest.sizeBytes).toBe(Buffer.byteLength(text));
  expect(first.addedBytes).toBe(first.buildBytes);
  expect(first.changes?.added.pages).toEqual(['/']);

  writeFileSync(join(folder, 'index.mdx'), '# Start\n\nAnother text.\n');
  const second = await publish('second', 'first');
  expect(second.changes).toMatchObject({ comparedWith: 'first', changed: { pages: ['/'] } });
  const third = await publish('third', 'second');
  expect(third.changes).toMatchObject({ added: { count: 0 }, changed: { count: 0 } });
  expect(third.addedBytes).toBe(third.manifest.sizeBytes);
});

test('a site of many pages is the same from any number of threads, and every page is reported once', async () => {
  const folder = siteOf('Text.');
  const names = Array.from({ length: 2100 }, (_, number) => `page-${number}`);
  for (const name of names)
    writeFileSync(join(folder, `${name}.mdx`), `# ${name}\n\nSee [the start](/index).\n`);
  writeFileSync(
    join(folder, 'docs.json'),
    JSON.stringify({ name: 'Site', navigation: { pages: ['index', ...names] } }),
  );
  const build = async (threads: number) => {
    const progress = { pagesDone: 0, pagesTotal: 0 };
    const built = await buildOffThread(folder, async () => {}, {
      threads,
      budget,
      onProgress: (pagesDone, pagesTotal) => Object.assign(progress, { pagesDone, pagesTotal }),
    });
    return { progress, id: built.id };
  };
  const alone = await build(1);
  expect(alone.progress).toEqual({ pagesDone: 2101, pagesTotal: 2101 });
  expect(await build(2)).toEqual(alone);
});
