import { DocentError } from '../../core/errors.ts';

export interface ArchiveLimits {
  /** Total unpacked size. */
  unpackedBytes: number;
  /** Number of entries, including folders. */
  files: number;
  /** Unpacked size of one file. */
  fileBytes: number;
  /** Maximum ratio of the content's size to the archive's; only checked past 16 MiB. */
  ratio: number;
}

export const defaultArchiveLimits: ArchiveLimits = {
  unpackedBytes: 512 * 1024 * 1024,
  files: 50_000,
  fileBytes: 64 * 1024 * 1024,
  ratio: 200,
};

/** Small text archives may compress very well; below this size no ratio is harmful. */
const ratioFromBytes = 16 * 1024 * 1024;

/** Counts the resources that an archive uses and throws at the first byte over the limit. */
export class ArchiveMeter {
  readonly #limits: ArchiveLimits;
  #packedBytes = 0;
  #unpackedBytes = 0;
  #entries = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  countPacked(bytes: number): void {
    this.#packedBytes += bytes;
  }

  countUnpacked(bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes, ratio } = this.#limits;
    if (this.#unpackedBytes > unpackedBytes) throw refused(`contains more than ${inMebibytes(unpackedBytes)} when unpacked`);
    if (this.#unpackedBytes > ratioFromBytes && this.#unpackedBytes > ratio * this.#packedBytes) {
      throw refused(`is more than ${ratio} times larger when unpacked`);
    }
  }

  countEntries(count = 1): void {
    this.#entries += count;
    if (this.#entries > this.#limits.files) throw refused(`has more than ${this.#limits.files} entries`);
  }

  checkFile(path: string, bytes: number): void {
    const { fileBytes } = this.#limits;
    if (bytes > fileBytes) {
      throw new DocentError('invalid_archive', `The file ${JSON.stringify(path)} is larger than ${inMebibytes(fileBytes)}.`);
    }
  }
}

function refused(what: string): DocentError {
  return new DocentError('invalid_archive', `The archive ${what}. Remove what the documentation does not need.`);
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
