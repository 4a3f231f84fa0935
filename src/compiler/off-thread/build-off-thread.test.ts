import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childProcesses, groupProcesses, readProc } from '../../../test/support/child-processes.ts';
import { BuildKilled } from '../process/build-limits.ts';
import { buildOffThread } from './build-off-thread.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const budget = { cpuSeconds: 60, wallSeconds: 300, memoryMb: 1024 };

function siteOf(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-build-'));
  writeFileSync(join(folder, 'docs.json'), '{"name":"Site","theme":"mint","navigation":{"pages":["index"]}}');
  writeFileSync(join(folder, 'index.mdx'), `# Start\n\n${body}\n`);
  return folder;
}

onLinux('memory of the bundler counts: a small page that makes it take much is stopped, and named', async () => {
  // 2 KB when compressed; each expression is within the limits of one.
  const folder = siteOf(`{${'a,'.repeat(4900)}a}\n\n`.repeat(100));
  await expect(buildOffThread(folder, async () => {}, { threads: 1, budget: { ...budget, memoryMb: 320 } })).rejects.toThrow(
    /more than 320 MB of memory, while compiling pages \(index\.mdx\).*DOCENT_BUILD_MEMORY_MB/,
  );
});

onLinux('a build that the system kills says so and names the page, and nothing that it started is left', async () => {
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
  expect(String(failure)).toMatch(/system stopped the build.*ran out of memory, while compiling pages \(index\.mdx\)/);
  await expect.poll(() => groupProcesses(leader)).toEqual([]);
});
