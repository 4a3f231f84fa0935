import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/*
 * The least that a server in Node.js can do for a stream: passes the model's bytes through
 * unchanged, 80 ms of them at a time, without parsing. An upper bound for any server on the
 * machine. Takes the address of the model.
 */
const EVERY_MS = 80;
const model = new URL(`${process.argv[2]}/chat/completions`);
const body = JSON.stringify({ model: 'endless' });
const request = `POST ${model.pathname} HTTP/1.1\r\nhost: ${model.host}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const room = Buffer.allocUnsafeSlow(64 * 1024);

const server = createServer({ noDelay: true }, (reader) => {
  reader.once('data', () => {
    const onread = {
      buffer: room,
      callback: (length: number) => {
        reader.write(room.toString('latin1', 0, length), 'latin1');
        setTimeout(() => source.resume(), EVERY_MS);
        return false;
      },
    };
    const source = connect({
      host: model.hostname,
      port: Number(model.port),
      noDelay: true,
      onread,
    });
    source.on('error', () => reader.destroy());
    reader.on('close', () => source.destroy());
    source.write(request);
  });
  reader.on('error', () => {});
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
