import { connect, type Socket } from 'node:net';

/*
 * Reads many streams at once over bare connections, in a separate process, and measures them.
 * Receives one task from its parent and sends back the measurements.
 */
export type ClientTask = {
  host: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
} & (
  | {
      kind: 'streams';
      count: number;
      openPerSecond: number;
      settleSeconds: number;
      measureSeconds: number;
    }
  | { kind: 'first-byte'; perSecond: number; warmUpSeconds: number; seconds: number; sign: string }
);

export interface GapReport {
  opened: number;
  refused: string[];
  gapP50Ms: number;
  gapP99Ms: number;
  readsPerSecond: number;
}

export interface FirstByteReport {
  answers: number;
  refused: string[];
  p50Ms: number;
  p99Ms: number;
  /** Of the warm-up requests. */
  warmUpP99Ms: number;
}

/** Messages to the parent before and after the measured time. */
export type ClientNews = { at: 'measuring' | 'measured' } | { report: GapReport | FirstByteReport };

const HALF_MS = 2;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const tell = (news: ClientNews) => process.send?.(news);

process.once('message', async (task: ClientTask) => {
  const report = task.kind === 'streams' ? await readStreams(task) : await readFirstBytes(task);
  tell({ report });
  process.disconnect();
  setTimeout(() => process.exit(), 100);
});

function requestText({ host, port, path, headers, body }: ClientTask): string {
  const fields = { host: `${host}:${port}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function readStreams(task: ClientTask & { kind: 'streams' }): Promise<GapReport> {
  const text = requestText(task);
  const sockets: Socket[] = [];
  const refused: string[] = [];
  const gaps = new Uint32Array(120_000);
  let opened = 0;
  let measuring = false;
  let reads = 0;
  const open = () => {
    const socket = connect({ host: task.host, port: task.port, noDelay: true });
    let last = 0;
    socket.on('error', (error) => refused.push(error.message));
    socket.on('data', (data) => {
      const now = performance.now();
      if (last === 0) {
        const status = data.toString('latin1', 0, 12);
        if (status.endsWith('200')) opened++;
        else refused.push(data.toString('latin1', 0, 400));
      } else if (measuring) {
        const bucket = Math.min(gaps.length - 1, Math.round((now - last) * HALF_MS));
        gaps[bucket] = (gaps[bucket] as number) + 1;
        reads++;
      }
      last = now;
    });
    socket.write(text);
    sockets.push(socket);
  };
  const startedAt = performance.now();
  while (sockets.length < task.count) {
    const due = Math.min(task.count, ((performance.now() - startedAt) / 1000) * task.openPerSecond);
    while (sockets.length < due) open();
    await pause(10);
  }
  for (let waited = 0; opened + refused.length < task.count && waited < 120; waited++)
    await pause(1000);
  await pause(task.settleSeconds * 1000);
  tell({ at: 'measuring' });
  measuring = true;
  await pause(task.measureSeconds * 1000);
  measuring = false;
  tell({ at: 'measured' });
  for (const socket of sockets) socket.destroy();
  const at = (share: number) => quantile(gaps, reads, share) / HALF_MS;
  return {
    opened,
    refused: refused.slice(0, 3),
    gapP50Ms: at(0.5),
    gapP99Ms: at(0.99),
    readsPerSecond: reads / task.measureSeconds,
  };
}

function quantile(buckets: Uint32Array, total: number, share: number): number {
  let seen = 0;
  for (const [bucket, count] of buckets.entries()) {
    seen += count;
    if (seen >= total * share && seen > 0) return bucket;
  }
  return 0;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Sends requests at fixed times, whether or not earlier ones are answered, so that a queue in the
 * server shows.
 */
async function readFirstBytes(task: ClientTask & { kind: 'first-byte' }): Promise<FirstByteReport> {
  const text = requestText(task);
  const times: number[] = [];
  const refused: string[] = [];
  const all: Promise<void>[] = [];
  const startedAt = performance.now();
  tell({ at: 'measuring' });
  for (let index = 0; index < task.perSecond * (task.warmUpSeconds + task.seconds); index++) {
    await pause(Math.max(0, startedAt + (index * 1000) / task.perSecond - performance.now()));
    all.push(one(index));
  }
  await Promise.all(all);
  tell({ at: 'measured' });
  const warmUp = task.perSecond * task.warmUpSeconds;
  const measured = times.slice(warmUp).sort((a, b) => a - b);
  return {
    answers: measured.length,
    refused: refused.slice(0, 3),
    p50Ms: at(measured, 0.5),
    p99Ms: at(measured, 0.99),
    warmUpP99Ms: at(
      times.slice(0, warmUp).sort((a, b) => a - b),
      0.99,
    ),
  };

  function one(index: number): Promise<void> {
    return new Promise((resolve) => {
      const begunAt = performance.now();
      const socket = connect({ host: task.host, port: task.port, noDelay: true });
      let read = '';
      let found = false;
      socket.on('error', (error) => refused.push(error.message));
      socket.on('close', () => resolve());
      socket.on('data', (data) => {
        read += data.toString('latin1');
        if (!found && read.includes(task.sign)) {
          found = true;
          times[index] = performance.now() - begunAt;
        }
        if (read.endsWith('\r\n0\r\n\r\n') || !/^HTTP\/1.1 (200|$)/.test(read.slice(0, 12))) {
          if (!found) refused.push(read.slice(0, 300));
          socket.destroy();
        }
      });
      socket.write(text);
    });
  }
}
