import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import {
  removeTemporaryFolders,
  startDocent,
  TEMPLATE_VARIABLE,
} from '../test/support/start-docent.ts';
import { processCpuMs, residentMegabytes } from './measure.ts';
import type { ClientNews, ClientTask, FirstByteReport, GapReport } from './stream/client.ts';

/*
 * Many answers at once, and the time until an answer starts: a local fake model, Docent as its
 * users run it, and the reader, each in a separate process. For comparison, with the same model and
 * reader, the stock `streamText` helper of the AI SDK, and a relay that only passes bytes through:
 * the maximum of the machine.
 *
 *   node bench/stream.ts [streams …] [--stock] [--relay] [--polite] [--seconds 10] [--settle 3] [--rate 100]
 *
 * With `--polite` the model yields if there is too little CPU for all three: this measures the
 * server at fewer chunks a second, rather than how the three share the CPU.
 *
 * Prints for each number of streams, each of 50 chunks a second: the gap between chunks that the
 * reader receives, the server's memory, its CPU per stream and per 200 chunks; and at `--rate`
 * requests a second the time to the first text beyond the model's own. The memory and CPU of a process are
 * read from /proc, so this runs on Linux only.
 */
const args = process.argv.slice(2);
const counts = args
  .filter(
    (arg, index) =>
      /^\d+$/.test(arg) && !['--seconds', '--settle', '--rate'].includes(args[index - 1] ?? ''),
  )
  .map(Number);
const numberOf = (option: string, fallback: number) =>
  args.includes(option) ? Number(args[args.indexOf(option) + 1]) : fallback;
const seconds = numberOf('--seconds', 10);
/** How long streams, and requests, run before they are measured. */
const settleSeconds = numberOf('--settle', 3);
const requestsPerSecond = numberOf('--rate', 100);
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I publish a site?' }] }],
};

/** A server that answers the question. */
interface Target {
  name: string;
  pid: number;
  at: Pick<ClientTask, 'host' | 'port' | 'path' | 'headers' | 'body'>;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const script = (name: string) => join(import.meta.dirname, 'stream', name);
const children: ChildProcess[] = [];
let dataFolder: string | undefined;

try {
  print(
    `Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const [model, modelUrl] = await start(script('fake-model.ts'), []);
  if (args.includes('--polite')) setPriority(model.pid as number, 10);
  // The first start builds the sample site, which is not measured; tests have it.
  if (!process.env[TEMPLATE_VARIABLE]) {
    const first = await startDocent();
    await first.stop();
    dataFolder = first.dataFolder;
  }
  const sizes = counts.length > 0 ? counts : [500, 1000, 2000];
  await measureDocent('endless', modelUrl, async (docent) => {
    for (const count of sizes) await measureGaps(docent, model, count);
  });
  await measureDocent('short', modelUrl, (docent) => measureFirstText(docent, modelUrl));
  if (args.includes('--stock'))
    await measureOther('streamText', 'stock-server.ts', model, modelUrl, sizes);
  if (args.includes('--relay'))
    await measureOther('A bare relay', 'relay-server.ts', model, modelUrl, sizes);
} finally {
  for (const child of children) child.disconnect();
  await removeTemporaryFolders();
}

/** Starts a process that reports its address. */
async function start(file: string, argv: string[]): Promise<[ChildProcess, string]> {
  const child = fork(file, argv);
  children.push(child);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return [child, url];
}

async function measureDocent(
  model: string,
  modelUrl: string,
  measure: (docent: Target) => Promise<void>,
): Promise<void> {
  const env = {
    DOCENT_MODEL: `openai-compatible:${model}`,
    DOCENT_MODEL_URL: modelUrl,
    DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: '1000000',
    DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: '1000000',
    ...(process.env.BENCH_CPU_PROFILE && {
      NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env.BENCH_CPU_PROFILE}`,
    }),
  };
  const docent = await startDocent({ ...(dataFolder && { dataFolder }), env });
  try {
    const at = {
      host: '127.0.0.1',
      port: docent.port,
      path: `/v2/assistant/${docent.domain}/message`,
      headers: { authorization: `Bearer ${docent.assistantKey}` },
      body: JSON.stringify(question),
    };
    await measure({ name: 'Docent', pid: docent.child.pid as number, at });
  } finally {
    await docent.stop();
  }
  const faults = docent.log();
  if (faults !== '') print(`  it logged: ${faults.slice(0, 500)}`);
}

async function measureOther(
  name: string,
  file: string,
  model: ChildProcess,
  modelUrl: string,
  sizes: number[],
): Promise<void> {
  for (const count of sizes) {
    const [child, url] = await start(script(file), [modelUrl]);
    const { port } = new URL(url);
    const at = {
      host: '127.0.0.1',
      port: Number(port),
      path: '/',
      headers: {},
      body: JSON.stringify(question),
    };
    await measureGaps({ name, pid: child.pid as number, at }, model, count);
    children.splice(children.indexOf(child), 1);
    child.disconnect();
    await once(child, 'exit');
  }
}

async function measureGaps(target: Target, model: ChildProcess, count: number): Promise<void> {
  const usage = { before: 0, after: 0, sentBefore: 0, sentAfter: 0 };
  const task: ClientTask = {
    ...target.at,
    kind: 'streams',
    count,
    openPerSecond: 100,
    settleSeconds,
    measureSeconds: seconds,
  };
  let rssMb = 0;
  const memory = setInterval(() => {
    rssMb = Math.max(rssMb, residentMegabytes(target.pid));
  }, 500);
  const report = (await runClient(task, async (at) => {
    const key = at === 'measuring' ? 'before' : 'after';
    usage[key] = processCpuMs(target.pid);
    usage[at === 'measuring' ? 'sentBefore' : 'sentAfter'] = await sentBy(model);
  })) as GapReport;
  clearInterval(memory);
  const cpuMs = usage.after - usage.before;
  const chunks = usage.sentAfter - usage.sentBefore;
  print(
    `${target.name}, ${count} streams: gap p50 ${report.gapP50Ms} ms, p99 ${report.gapP99Ms} ms; memory ${Math.round(rssMb)} MB at most; ` +
      `CPU ${(cpuMs / seconds / report.opened).toFixed(2)} ms a second of each stream, ${((cpuMs / chunks) * 200).toFixed(2)} ms for 200 chunks, ` +
      `${(cpuMs / seconds / 10).toFixed(0)} % of a core; the model sent ${(chunks / seconds / report.opened).toFixed(1)} chunks a second`,
  );
  if (report.opened < count)
    print(`  only ${report.opened} streams opened: ${report.refused.join(' | ')}`);
}

async function measureFirstText(target: Target, modelUrl: string): Promise<void> {
  const rate = {
    kind: 'first-byte',
    perSecond: requestsPerSecond,
    warmUpSeconds: settleSeconds,
    seconds,
    sign: 'some words',
  } as const;
  const { hostname, port } = new URL(modelUrl);
  const direct = {
    host: hostname,
    port: Number(port),
    path: '/v1/chat/completions',
    headers: {},
    body: '{"model":"short"}',
  };
  const own = (await runClient({ ...direct, ...rate })) as FirstByteReport;
  let cpuMs = 0;
  const with_ = (await runClient({ ...target.at, ...rate }, async (at) => {
    cpuMs = processCpuMs(target.pid) - (at === 'measuring' ? 0 : cpuMs);
  })) as FirstByteReport;
  const beyond = (share: 'p50Ms' | 'p99Ms') => (with_[share] - own[share]).toFixed(1);
  print(
    `${target.name}, ${requestsPerSecond} requests a second: first text after ${with_.p50Ms.toFixed(1)} ms p50, ${with_.p99Ms.toFixed(1)} ms p99; the model alone ` +
      `${own.p50Ms.toFixed(1)} and ${own.p99Ms.toFixed(1)}; so beyond it ${beyond('p50Ms')} p50, ${beyond('p99Ms')} p99; ` +
      `in the first ${rate.warmUpSeconds} s ${with_.warmUpP99Ms.toFixed(1)} p99; ` +
      `CPU ${(cpuMs / (with_.answers + rate.perSecond * rate.warmUpSeconds)).toFixed(1)} ms a request; ${with_.answers} answers`,
  );
  if (with_.refused.length > 0) print(`  refused: ${with_.refused.join(' | ')}`);
}

async function runClient(
  task: ClientTask,
  onNews: (at: 'measuring' | 'measured') => Promise<void> = async () => {},
): Promise<GapReport | FirstByteReport> {
  const client = fork(script('client.ts'));
  const { promise, resolve, reject } = Promise.withResolvers<GapReport | FirstByteReport>();
  let noted = Promise.resolve();
  client.on('message', (news: ClientNews) => {
    if (!('report' in news)) noted = noted.then(() => onNews(news.at));
    // The last data may still be in transit.
    else noted.then(() => resolve(news.report), reject);
  });
  client.on('exit', () => reject(new Error('The reader ended before it reported.')));
  client.send(task);
  return promise;
}

async function sentBy(model: ChildProcess): Promise<number> {
  model.send('how many');
  const [{ sent }] = (await once(model, 'message')) as [{ sent: number }];
  return sent;
}
