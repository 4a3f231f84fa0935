import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES = new Map([
  [5, 'CNAME'],
  [16, 'TXT'],
]);

export interface DnsServer {
  /** For `DOCENT_DNS_SERVERS`. */
  address: string;
  /** `TXT name` or `CNAME name` → its values; a name without any does not exist. */
  records: Map<string, string[]>;
  /** Answers every question with SERVFAIL. */
  fails: boolean;
  close(): void;
}

/** Starts a name server with the records of a test (RFC 1035, one question per message). */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: DnsServer = {
    address: '',
    records: new Map(),
    fails: false,
    close: () => socket.close(),
  };
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const values = server.fails ? [] : (server.records.get(`${type} ${name}`) ?? []);
    const answers = values.map((value) =>
      record(type === 'TXT' ? 16 : 5, type === 'TXT' ? text(value) : labels(value)),
    );
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    const known = [...server.records.keys()].some((key) => key.endsWith(` ${name}`));
    header.writeUInt16BE(0x8180 | (server.fails ? 2 : known ? 0 : 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...answers]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    parts.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    name: parts.join('.').toLowerCase(),
    type: TYPES.get(query.readUInt16BE(at + 1)) ?? 'OTHER',
    end: at + 5,
  };
}

/** Returns a record of the requested name. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Splits a long text into character strings of at most 255 bytes, as the format requires. */
function text(value: string): Buffer {
  const pieces = value.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])),
  );
}

function labels(name: string): Buffer {
  const parts = name
    .split('.')
    .map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]));
  return Buffer.concat([...parts, Buffer.from([0])]);
}
