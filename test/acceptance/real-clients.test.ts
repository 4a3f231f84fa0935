import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientsFolder, haveClients, installClients } from '../support/real-clients.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

const hasClients = haveClients('the checks with the AI SDK clients');

const QUESTION = 'How do I publish a site?';
const minimal = ['--sdk', 'first', '--body', '{"wire":"minimal"}'];
const strict = ['--sdk', 'strict'];
const ways: [string, string, string[]][] = [
  ['v4', 'the newest release', []],
  ['v4', 'the first release with the minimal wire', minimal],
  ['v4', 'a full history with an attachment', ['--history', 'full', '--attach']],
  ['v4', 'a page of another origin, with a follow-up in the same thread', otherOrigin()],
  ['v5', 'the newest release', []],
  ['v5', 'the first release with the minimal wire', minimal],
  [
    'v5',
    'a release that rejects unknown keys, with a full history and an attachment',
    [...strict, '--history', 'full', '--attach'],
  ],
  [
    'v6',
    'the newest release from another origin, with a follow-up in the same thread',
    otherOrigin(),
  ],
  ['v6', 'a release that rejects unknown keys', strict],
  ['v6', 'a reader who stops', ['--abort-after-ms', '100']],
  [
    'v7',
    'the newest release from another origin, with a follow-up in the same thread',
    otherOrigin(),
  ],
  [
    'v7',
    'a release that rejects unknown keys, with a full history and an attachment',
    [...strict, '--history', 'full', '--attach'],
  ],
];

describe.skipIf(!hasClients)('real AI SDK clients', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    installClients();
    docent = await sharedDocent();
  }, 180_000);

  test.each(ways)(
    'of %s handle an answer without errors: %s',
    async (client, _, options) => {
      const { code, report } = await ask(client, docent.assistantKey, options);
      expect(code, report.slice(0, 4000)).toBe(0);
    },
    90_000,
  );

  test.each(['v4', 'v5', 'v6', 'v7'])(
    'of %s show a sentence when a question is refused, before and after its body is read',
    async (client) => {
      const errorOf = async (...args: Parameters<typeof ask>) =>
        (JSON.parse((await ask(...args)).report) as { hook: { error: { message: string } } }).hook
          .error.message;
      const hook = ['--mode', 'hook'];
      expect(await errorOf(client, 'svc_dsc_wrong', hook)).toMatch(/^[^{}]*[Kk]ey[^{}]*\.$/);
      const wrongPath = ['--body', '{"currentPath":7}', ...hook];
      expect(await errorOf(client, docent.assistantKey, wrongPath)).toMatch(
        /^[^{}]*currentPath[^{}]*\.$/,
      );
    },
    90_000,
  );

  async function ask(client: string, key: string, options: string[]) {
    const args = [`${client}.mjs`, docent.apiUrl, docent.domain, key, QUESTION, ...options];
    const child = spawn(process.execPath, args, {
      cwd: clientsFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let report = '';
    child.stdout.on('data', (chunk: Buffer) => {
      report += chunk.toString('utf8');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, report };
  }
});

function otherOrigin(): string[] {
  return ['--origin', 'https://docs.example.com', '--follow-up', 'and how long does that take?'];
}
