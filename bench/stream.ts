import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createApiClient } from '../src/cli/api-client.ts';
import { createOutput } from '../src/cli/output.ts';
import { prepareSample } from '../src/cli/sample.ts';
import { openPlatform } from '../src/compose.ts';
import { loadConfig } from '../src/config.ts';
import type { ChatModel } from '../src/ports/chat-model.ts';
import { freePort, removeTemporaryFolders, temporaryFolder } from '../test/support/start-docent.ts';

/*
 * CPU that the server spends on one answer of 200 chunks over HTTP, from a model that costs nothing, by streams one after the
 * other. It is split: the whole request (key, limits, retrieval, thread, stream), and what one chunk more costs, from the
 * difference between answers of 200 and of no chunks.
 *
 *   node bench/stream.ts [streams]
 */
const CHUNKS = 200;

if (process.argv[2] === '--client') await readStreams(JSON.parse(process.argv[3] as string) as ClientTask);
else await measure(Number(process.argv[2] ?? 300));

interface ClientTask {
  url: string;
  key: string;
  count: number;
}

/** The client is a process of its own, so that its work is not counted. */
async function readStreams({ url, key, count }: ClientTask): Promise<void> {
  const body = JSON.stringify({ fp: 'anonymous', messages: [{ role: 'user', content: 'How do I publish a site?' }] });
  for (let index = 0; index < count; index++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.text();
  }
}

async function measure(streams: number): Promise<void> {
  let chunks = CHUNKS;
  const model: ChatModel = {
    name: 'bench',
    async *stream() {
      for (let index = 0; index < chunks; index++) yield { type: 'text', text: `chunk ${index} of the answer, ` };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: chunks } };
    },
  };
  const port = await freePort();
  const config = {
    ...loadConfig({ DOCENT_PORT: String(port), DOCENT_DATA: await temporaryFolder() }),
    logLevel: 'silent' as const,
  };
  const platform = await openPlatform(config, { model });
  await platform.listen();
  await platform.startWorkers();
  const sample = await prepareSample(
    createApiClient({ kind: 'socket', socketPath: platform.operatorSocketPath }),
    config,
    createOutput({}),
  );
  const task = { url: `${sample.apiUrl}/v1/assistant/${sample.domain}/message`, key: sample.assistantKey };

  const cpuMs = async (count: number) => {
    const before = process.cpuUsage();
    const client = fork(import.meta.filename, ['--client', JSON.stringify({ ...task, count })]);
    await once(client, 'exit');
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / 1000 / count;
  };
  await cpuMs(100);
  const rows: { whole: number; empty: number }[] = [];
  for (let run = 0; run < 3; run++) {
    chunks = CHUNKS;
    const whole = await cpuMs(streams);
    chunks = 0;
    rows.push({ whole, empty: await cpuMs(streams) });
  }
  const median = (pick: (row: (typeof rows)[number]) => number) => rows.map(pick).sort((a, b) => a - b)[1] as number;
  const whole = median((row) => row.whole);
  const stream = median((row) => row.whole - row.empty);
  process.stdout.write(`Node.js ${process.versions.node}, ${streams} streams a run, median of 3 runs\n`);
  process.stdout.write(
    `whole request with ${CHUNKS} chunks: ${whole.toFixed(2)} ms of CPU; the ${CHUNKS} chunks alone: ${stream.toFixed(2)} ms\n`,
  );
  await platform.close();
  await removeTemporaryFolders();
}
