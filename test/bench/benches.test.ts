import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { canServeGit } from '../support/git-server.ts';
import { postgresBin } from '../support/postgres.ts';
import { hasRedisServer } from '../support/redis.ts';
import { hasReverseProxies } from '../support/reverse-proxies.ts';
import { hasS3Server } from '../support/s3.ts';
import { root } from '../support/start-docent.ts';

const run = promisify(execFile);
const work = mkdtempSync(join(tmpdir(), 'docent-bench-'));
const corpora = join(work, 'corpora');
const questions = join(work, 'questions');
const sized = join(work, 'sized');
const site = join(root, 'test/sites/small');

interface Bench {
  /** For an input that takes seconds. */
  args: string[];
  env?: Record<string, string>;
  /** What it prints at its end. */
  prints: RegExp;
  /** It ends with 1 if an answer took too long, which says something on a quiet machine alone. */
  judges?: boolean;
  /** Whether the program that it needs is not installed. */
  isSkipped?: boolean;
}

const benches: Record<string, Bench> = {
  analytics: { args: ['1000', 'embedded'], prints: /a page filtered by a missing page: +\d/ },
  answers: { args: [corpora, questions, '--sample=1'], prints: /CPU milliseconds of an answer/ },
  'api-description': {
    args: [join(root, 'test/sites/playground/api/openapi.json')],
    prints: / 0 of \d+ names and values missing/,
  },
  build: { args: [site], prints: /^small +\d/m },
  'bundle-search': {
    args: [corpora, questions, '--pages', '20'],
    prints: /beginnings: \d+ queries, 0 answers unlike/,
  },
  completeness: { args: [site], prints: /all: \d+ pages, 0 with an error block/ },
  dashboard: {
    args: ['9', '9', '9', '9', '2'],
    prints: /\| .*referrers/,
    isSkipped: postgresBin === undefined,
  },
  drill: {
    args: [
      '--processes=1',
      '--database-seconds=1',
      '--other-seconds=0',
      '--steady-seconds=1',
      '--kills=0',
      '--hostile-minutes=0',
    ],
    prints: /accepted \d+, lost 0/,
    judges: true,
    isSkipped: postgresBin === undefined || !hasRedisServer || !hasS3Server || !hasReverseProxies,
  },
  eval: {
    args: [join(work, 'questions.jsonl')],
    env: { DOCENT_MODEL: 'extractive' },
    prints: /\| extractive \| 1 \|/,
  },
  events: {
    args: ['--requests', '4', '--rounds', '1', '--settle-ms', '100'],
    prints: /AI agent, analytics on: /,
  },
  export: { args: [site, '--pages', '7'], prints: /^ +7 +\d/m },
  'git-polling': {
    args: ['--sites', '1', '--rounds', '0.05', '--settle-ms', '100'],
    prints: /200 sites every 600 s: -?\d/,
    isSkipped: !canServeGit,
  },
  'hostile-tenant': {
    args: [
      ...['--publishes', '1', '--sites', '1'],
      ...['--build-seconds', '3', '--alone-seconds', '1'],
    ],
    prints: /hostile archives were sent/,
    isSkipped: postgresBin === undefined,
  },
  hugo: {
    args: [site, '--pairs', '1'],
    prints: /Hugo is not installed|one page changed: CPU .* ratio \d/,
  },
  idle: { args: ['--starts', '1', '--seconds', '0'], prints: /MB resident when idle/ },
  lighthouse: {
    args: [site, '--pages', '1', '--devices', 'desktop'],
    prints: /lowest, desktop/,
    isSkipped: chromiumPath === '',
  },
  'push-to-live': {
    args: ['--pages', '3', '--commits', '5', '--pushes', '1'],
    prints: /push 1: live after \d/,
    isSkipped: !canServeGit,
  },
  readers: {
    args: ['--readers', '2', '--requests', '4', '--rounds', '1'],
    prints: /a private page: \d.* times the public one/,
  },
  retrieval: { args: [corpora, questions], prints: /query p99, CPU/ },
  'site-requests': {
    args: ['--requests', '4', '--rounds', '1'],
    prints: /serve, page: \d+ µs of CPU each/,
  },
  sizes: {
    args: [sized, '--pages', '2', '--rest', '0'],
    prints: /at rest after a restart: server \d+ MB/,
  },
  stream: {
    args: ['2', '--seconds', '1', '--settle', '1', '--rate', '5'],
    prints: /first text after/,
  },
  train: { args: [corpora, questions, '--dry'], prints: /Gain \(95 %/ },
  'train-answers': { args: [corpora, questions, '--dry'], prints: /\| off-topic \|/ },
  vectors: { args: ['400'], prints: /^ +1536 +\d/m },
};

beforeAll(() => {
  mkdirSync(questions);
  mkdirSync(join(sized, 'tab-01'), { recursive: true });
  const navigation = { tabs: [{ tab: 'First', pages: ['tab-01/index'] }] };
  writeFileSync(
    join(sized, 'docs.json'),
    JSON.stringify({ name: 'Sized', theme: 'mint', colors: { primary: '#0d9373' }, navigation }),
  );
  writeFileSync(join(sized, 'tab-01/index.mdx'), '---\ntitle: First\n---\n\nA text.\n');
  const line = JSON.stringify({ q: 'How do I start with the first page?', relevant: ['index'] });
  writeFileSync(join(work, 'questions.jsonl'), `${line}\n`);
  for (const name of ['basic', 'meanings', 'code']) {
    cpSync(join(root, 'test/sites', name), join(corpora, name), { recursive: true });
    writeFileSync(join(questions, `${name}.jsonl`), `${line}\n`);
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

test('every benchmark is among those that run on a small input', () => {
  const modules = ['build-in-memory', 'measure', 'off-topic-questions'];
  const scripts = readdirSync(join(root, 'bench')).flatMap(
    (name) => /^(.+)\.ts$/.exec(name)?.[1] ?? [],
  );
  expect(scripts.filter((name) => !modules.includes(name)).sort()).toEqual(
    Object.keys(benches).sort(),
  );
});

for (const [name, { args, env, prints, judges = false, isSkipped = false }] of Object.entries(
  benches,
)) {
  test.skipIf(isSkipped)(
    `the benchmark ${name} starts, measures a small input and ends`,
    async () => {
      const script = join(root, 'bench', `${name}.ts`);
      const ended = run(process.execPath, [script, ...args], {
        cwd: root,
        env: { ...process.env, ...env },
      });
      const { stdout } = await (judges
        ? ended.catch((verdict: { stdout: string }) => verdict)
        : ended);
      expect(stdout).toMatch(prints);
    },
    300_000,
  );
}
