import { PassThrough } from 'node:stream';
import { DocentError, type ErrorCode } from '@docent/format/errors.ts';
import { checkSourceArchive } from './source-archive.ts';

/**
 * Messages of the check `id`: it begins, receives the archive chunk by chunk, and ends with the
 * archive or is canceled.
 */
export type CheckMessage = { id: number } & (
  | { type: 'begin' | 'end' | 'stop' }
  | { type: 'chunk'; chunk: Uint8Array }
);

/** `taken`: the next chunk may be sent. `done`: the archive was checked, or refused. */
export type CheckReply = { id: number } & (
  | { type: 'taken' }
  | { type: 'done'; fault?: { code: ErrorCode; detail: string } }
);

const open = new Map<number, PassThrough>();

process.on('message', (message: CheckMessage) => {
  const { id, type } = message;
  if (type === 'begin') return begin(id);
  // Chunks for a finished check are ignored.
  const archive = open.get(id);
  // Called when there is room for more.
  if (type === 'chunk') archive?.write(message.chunk, () => reply({ id, type: 'taken' }));
  else if (type === 'end') archive?.end();
  else archive?.destroy();
});
process.on('disconnect', () => process.exit());

function begin(id: number): void {
  const archive = new PassThrough();
  archive.on('error', () => {});
  open.set(id, archive);
  checkSourceArchive(archive)
    .then(
      () => reply({ id, type: 'done' }),
      (error: unknown) => {
        const { code, message } =
          error instanceof DocentError
            ? error
            : { code: 'internal_error' as const, message: String(error) };
        reply({ id, type: 'done', fault: { code, detail: message } });
      },
    )
    .finally(() => open.delete(id));
}

function reply(message: CheckReply): void {
  process.send?.(message);
}
