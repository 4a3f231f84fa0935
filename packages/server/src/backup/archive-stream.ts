import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import type { BundleFile } from '@docent/compiler/files/bundle-file.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { DocentError } from '@docent/format/errors.ts';
import { damaged, readable } from './backup-form.ts';

/**
 * Returns the bytes of a backup: a `.tar.gz`, which is encrypted in the age format if there is a
 * passphrase, so that the `age` program decrypts it too.
 */
export async function packArchive(
  files: AsyncIterable<BundleFile>,
  passphrase?: string,
): Promise<AsyncIterable<Uint8Array>> {
  const packed = packBundle(files);
  if (passphrase === undefined) return packed;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(
    Readable.toWeb(Readable.from(packed)) as globalThis.ReadableStream<Uint8Array>,
  ) as Promise<ReadableStream<Uint8Array>>;
}

const AGE = Buffer.from('age-encryption.org/');
const GZIP = Buffer.of(0x1f, 0x8b);

/**
 * Returns the tar in a backup.
 * @throws DocentError `invalid_setting` if it is encrypted and the passphrase is missing or wrong;
 *   while it is read, `invalid_archive` if it is damaged or incomplete
 */
export async function unpackArchive(
  bytes: AsyncIterable<Uint8Array>,
  passphrase?: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { start, all } = await peek(bytes, AGE.length);
  if (!start.subarray(0, AGE.length).equals(AGE)) return unzipped(start, all);
  if (passphrase === undefined)
    throw new DocentError(
      'invalid_setting',
      'The backup is encrypted; name the file with its passphrase: --passphrase <file>.',
    );
  const plain = await decrypted(all, passphrase);
  const inner = await peek(plain, GZIP.length);
  return unzipped(inner.start, inner.all);
}

async function decrypted(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const web = Readable.toWeb(Readable.from(bytes)) as globalThis.ReadableStream<Uint8Array>;
  try {
    return (await decrypter.decrypt(web)) as unknown as ReadableStream<Uint8Array>;
  } catch (error) {
    throw new DocentError(
      'invalid_setting',
      'The backup could not be decrypted: the passphrase is another one, or it is damaged.',
      {
        cause: error,
      },
    );
  }
}

function unzipped(start: Buffer, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!start.subarray(0, GZIP.length).equals(GZIP)) throw damaged('it is not a backup of Docent');
  const gunzip = createGunzip();
  // The reader of `gunzip` receives every error.
  pipeline(Readable.from(bytes), gunzip, () => {});
  return readable(gunzip);
}

/** Reads the first bytes, and returns an iterable of all. */
async function peek(bytes: AsyncIterable<Uint8Array>, count: number) {
  const iterator = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      yield next.value;
  }
  return { start, all: all() };
}
