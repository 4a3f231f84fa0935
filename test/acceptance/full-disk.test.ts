import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDocent, startDocent } from '../support/start-docent.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-disk-'));
/** Mounting needs root and Linux: without both there is no small disk, so the tests are skipped. */
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder]).status === 0;
const ballast = join(folder, 'ballast');
const start = (name = 'data') => startDocent({ dataFolder: join(folder, name), isBasic: true });

/** Writes to the disk until nothing fits. */
function fill(): void {
  const file = openSync(ballast, 'a');
  for (const bytes of [1e6, 4096, 1]) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(bytes)) < bytes) break;
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
  expect(fstatSync(file).size).toBeGreaterThan(1e6);
  closeSync(file);
}

describe.skipIf(!isMounted)('on a full disk', () => {
  let docent: RunningDocent;
  const pageStatus = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: new URL(docent.siteUrl).host };
      http
        .get(docent.apiUrl, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });
  beforeAll(async () => {
    docent = await start();
  }, 180_000);
  afterAll(async () => {
    if (docent && docent.child.exitCode === null && docent.child.signalCode === null) {
      docent.child.kill('SIGKILL');
      await once(docent.child, 'exit');
    }
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('pages are served, and an answer ends, though it cannot be stored', async () => {
    fill();
    expect(await pageStatus()).toBe(200);
    // More than fits into the pages of the database that have room.
    const text = `How do I install it? ${'It has many parts. '.repeat(400)}`;
    const message = { id: 'm', role: 'user', content: text, parts: [{ type: 'text', text }] };
    const asks = Array.from({ length: 20 }, async (_, reader) => {
      const response = await fetch(`${docent.apiUrl}/v2/assistant/${docent.domain}/message`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${docent.assistantKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ fp: `reader-${reader}`, messages: [message] }),
        signal: AbortSignal.timeout(45_000),
      });
      return response.status === 200 ? response.text() : `${response.status} [DONE]`;
    });
    for (const answer of await Promise.all(asks)) expect(answer).toContain('[DONE]');
    expect(docent.log()).toContain('could not be stored');
  });

  test('a start says so in one line and exits with 3; with space, it starts again', async () => {
    await docent.kill();
    fill();
    const refusal = () =>
      start('new').then(
        () => 'it started',
        (fault: Error) => fault.message,
      );
    const line =
      /^docent ended with 3 before it was ready:\n[^\n]*The disk of .* is full; free some space[^\n]*\n$/;
    expect(await refusal()).toMatch(line);
    // Enough for the lock of the folder, but not for a database.
    truncateSync(ballast, statSync(ballast).size - 262_144);
    expect(await refusal()).toMatch(line);
    rmSync(ballast);
    docent = await start();
    expect(await pageStatus()).toBe(200);
  }, 180_000);
});
