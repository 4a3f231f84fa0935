import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
  openEngine,
  syncFrame,
  terminateType,
  WireFrames,
} from '../../packages/server/src/adapters/database/pglite-engine.ts';
import { endWithParent } from './end-with-parent.ts';

/*
 * The embedded database, in memory, for clients at a socket: its path and the file of the template
 * are the arguments. Prints a line when it is ready. `test-database.ts` says why this is a process.
 */
const [path = '', templateFile = ''] = process.argv.slice(2);
endWithParent();
const { engine } = await openEngine({ templateFile }, () => {});
// The engine has one session, so what it does is in a row.
let last: Promise<unknown> = Promise.resolve();

const server = createServer((socket) => {
  const frames = new WireFrames();
  const run = (work: () => Promise<unknown>) => {
    last = last.then(work).catch((error: Error) => socket.destroy(error));
  };
  socket.on('error', () => {});
  socket.on('data', (bytes) => run(() => answer(socket, frames.push(bytes))));
  socket.on('close', () => run(release));
});
server.listen(path);
await once(server, 'listening');
process.stdout.write('ready\n');

async function answer(socket: Socket, frames: Uint8Array[]): Promise<void> {
  socket.cork();
  for (const frame of frames) {
    if (frame[0] === terminateType) socket.end();
    else {
      // The engine reuses its memory for the next answer.
      const onRawData = (data: Uint8Array) => void socket.write(data.slice());
      await engine.execProtocolRawStream(frame, { syncToFs: false, onRawData });
    }
  }
  socket.uncork();
}

/** The state that a connection leaves in the session must not reach the next one. */
async function release(): Promise<void> {
  await engine.execProtocolRawStream(syncFrame, { syncToFs: false, onRawData: () => {} });
  await engine.exec('ROLLBACK');
  await engine.exec('DISCARD ALL');
}
