import { PassThrough } from 'node:stream';
import { answerCalls } from '../process/calls.ts';
import { checkSourceArchive } from './source-archive.ts';

const open = new Map<number, PassThrough>();

/** The checks of archives, by number: each receives its archive chunk by chunk. */
const checks = {
  /** @throws DocentError like `checkSourceArchive` */
  async check(id: number): Promise<void> {
    const archive = new PassThrough();
    archive.on('error', () => {});
    open.set(id, archive);
    await checkSourceArchive(archive).finally(() => open.delete(id));
  },
  /** Resolves when there is room for more. Chunks of a finished check are ignored. */
  write(id: number, chunk: Uint8Array): Promise<void> {
    const archive = open.get(id);
    return new Promise((resolve) => (archive ? archive.write(chunk, () => resolve()) : resolve()));
  },
  /** The archive is complete. */
  end: (id: number) => void open.get(id)?.end(),
  stop: (id: number) => void open.get(id)?.destroy(),
};

export type ArchiveChecks = typeof checks;

answerCalls(checks);
process.on('disconnect', () => process.exit());
