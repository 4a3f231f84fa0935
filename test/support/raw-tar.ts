import { gzipSync } from 'node:zlib';

/** An entry of a handmade tar, which can contain what no honest tool would write. */
export interface RawEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /**
   * Type flag of the header: `0` file, `1` hard link, `2` symbolic link, `3` device, `5` folder,
   * `6` pipe, `x` pax.
   */
  flag?: string;
  linkName?: string;
  /** The size in the header, if it is not the true one. */
  claimedBytes?: number;
}

/** Builds a tar of these entries, including its end marker. */
export function rawTar(entries: RawEntry[]): Uint8Array {
  return Buffer.concat([...entries.flatMap(rawEntry), Buffer.alloc(1024)]);
}

export function rawTarGz(entries: RawEntry[]): Uint8Array {
  return gzipSync(rawTar(entries));
}

/** Returns the content of a pax header: one record for each key. */
export function paxRecords(records: Record<string, string>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`);
      const length = rest + String(rest + String(rest).length).length;
      return `${length} ${key}=${value}\n`;
    })
    .join('');
}

function rawEntry({
  name,
  content = '',
  flag = '0',
  linkName = '',
  claimedBytes,
}: RawEntry): Uint8Array[] {
  const body = Buffer.from(content as string);
  const header = Buffer.alloc(512);
  Buffer.from(name as string).copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${(claimedBytes ?? body.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(flag, 156);
  header.write(linkName, 157);
  header.write('ustar\x0000', 257);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}
