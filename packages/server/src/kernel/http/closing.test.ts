import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { silentLogger as logger } from '../../../../../test/support/silent-logger.ts';
import { createBaseApp } from './base-app.ts';

it('a request that arrives while the server closes is answered, and ends its connection', async () => {
  const app = createBaseApp({ logger });
  const [begun, closing, release] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
  ];
  app.get('/slow', async () => {
    begun.resolve();
    await release.promise;
    return 'slow';
  });
  app.get('/late', async () => {
    release.resolve();
    return 'late';
  });
  app.addHook('preClose', async () => closing.resolve());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const answers = text(socket);
  socket.write('GET /slow HTTP/1.1\r\nHost: a.example\r\n\r\n');
  await begun.promise;
  const closed = app.close();
  await closing.promise;
  socket.write('GET /late HTTP/1.1\r\nHost: a.example\r\n\r\n');
  const [first, second] = (await answers).split(/(?<=slow)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(second).toMatch(/^HTTP\/1\.1 200 OK\r\n.*^connection: close\r\n.*late$/ims);
  await closed;
});
