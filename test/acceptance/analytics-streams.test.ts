import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
} from '../support/start-docent.ts';

const AGENT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)';
const env = { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' };

describe('an analytics stream to a webhook', () => {
  let docent: RunningDocent;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    docent = await startDocent({ env });
    await publishArchive(docent, 'basic', tarball(fixtureSite('small')));
  });
  afterAll(async () => {
    await docent.stop();
    await receiver.close();
    await removeTemporaryFolders();
  });

  const streams = async (...args: string[]) => {
    const server = ['--site', 'basic', '--url', docent.apiUrl, '--key', docent.adminKey, '--json'];
    const { code, stdout, stderr } = await runDocent(['streams', ...args, ...server]);
    expect(stderr).toBe('');
    return { code, answer: JSON.parse(stdout) };
  };
  const read = (path: string) =>
    getAs(docent.port, `basic.localhost:${docent.port}`, path, { 'user-agent': AGENT });
  const pathsOf = ({ body }: Received): string[] =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).path);

  test('created on the command line delivers every event despite a failing receiver and a killed server', async () => {
    // What a former attempt has left.
    for (const { id } of (await streams('list')).answer.items) await streams('delete', id);
    receiver.answers.length = 0;
    const { answer: created } = await streams(
      'create',
      '--name',
      'Warehouse',
      '--webhook',
      receiver.url,
    );
    expect(created.secret).toMatch(/^whsec_/);
    expect(await streams('test', created.id)).toEqual({
      code: 0,
      answer: { delivered: true, error: null },
    });
    receiver.received.length = 0;

    receiver.answers.push({ status: 500 });
    await read('/guides/install');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), {
      timeout: 60_000,
      interval: 100,
    });
    await vi.waitFor(
      async () =>
        expect((await streams('show', created.id)).answer.lastError).toContain('status 500'),
      60_000,
    );
    const { dataFolder, port } = docent;
    await docent.kill();
    docent = await startDocent({ dataFolder, port, env });
    await read('/');
    await vi.waitFor(
      () => expect(receiver.received.slice(1).flatMap(pathsOf)).toEqual(['/guides/install', '/']),
      {
        timeout: 60_000,
        interval: 100,
      },
    );

    const [failed, again] = receiver.received as [Received, Received];
    expect([again.body, again.headers['webhook-id']]).toEqual([
      failed.body,
      failed.headers['webhook-id'],
    ]);
    const signed = `${again.headers['webhook-id']}.${again.headers['webhook-timestamp']}.${again.body}`;
    const key = Buffer.from(created.secret.slice('whsec_'.length), 'base64');
    expect(again.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    await vi.waitFor(async () => {
      const shown = (await streams('list')).answer.items[0];
      expect(shown).toMatchObject({
        id: created.id,
        backlog: 0,
        delivered: 2,
        dropped: 0,
        failures: 0,
      });
    }, 180_000);
    expect((await streams('delete', created.id)).answer).toEqual({ deleted: created.id });
  });
});
