import { expect, it } from 'vitest';
import manifest from '../../../../../package.json' with { type: 'json' };
import { createPinoLogger } from './pino.ts';

function logger(level: 'info' | 'silent' = 'info') {
  const lines: string[] = [];
  return {
    lines,
    log: createPinoLogger({ level, destination: { write: (line) => lines.push(line) } }),
  };
}

it('a line is JSON with its level, its message and the fields of its parents', () => {
  const { lines, log } = logger();
  log.child({ requestId: 'r1' }).info({ status: 200 }, 'request');
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    level: 30,
    requestId: 'r1',
    status: 200,
    msg: 'request',
  });
});

it('every line has the version of Docent', () => {
  const { lines, log } = logger();
  log.child({}).warn({}, 'done');
  expect(JSON.parse(lines[0] as string)).toMatchObject({ version: manifest.version });
});

it('a field named "key" is logged, because it names a file of the store', () => {
  const { lines, log } = logger();
  log.warn({ key: 'cache/pages/1' }, 'the page cache is unavailable');
  expect(lines.join('')).toContain('cache/pages/1');
});

it('secrets are redacted at any depth', () => {
  const { lines, log } = logger();
  const secrets = {
    authorization: 'Bearer topsecret',
    cookie: 'topsecret',
    'set-cookie': 'topsecret',
    threadKey: 'topsecret',
    'x-thread-key': 'topsecret',
    apiKey: 'topsecret',
    token: 'topsecret',
  };
  log.warn(secrets, 'one');
  log.warn({ headers: secrets }, 'two');
  log.warn({ request: { headers: secrets } }, 'three');
  log.child(secrets).error({}, 'four');
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toContain('topsecret');
  expect(lines.join('')).toContain('***');
});

it('messages below the level are not logged', () => {
  const { lines, log } = logger();
  log.debug({}, 'detail');
  logger('silent').log.error({}, 'nothing');
  expect(lines).toEqual([]);
});

it('people on a terminal get short lines, with secrets redacted and without control characters of strangers', () => {
  const lines: string[] = [];
  const log = createPinoLogger({
    level: 'info',
    isTerminal: true,
    destination: { write: (line) => lines.push(line) },
  });
  const request = {
    requestId: 'r1',
    method: 'GET',
    host: 'docs.acme.test',
    path: '/\u001b[2Jstart',
    status: 200,
    durationMs: 12,
  };
  log.info(request, 'request');
  log.child({ token: 'topsecret' }).warn({ reason: 'gone' }, 'the store is unavailable');
  expect(lines.map((line) => line.replace(/^[\d:]{8} /, ''))).toEqual([
    'GET docs.acme.test/�[2Jstart 200 durationMs=12\n',
    'warning: the store is unavailable token=*** reason=gone\n',
  ]);
});
