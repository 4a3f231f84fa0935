import type { Diagnostic } from '../../core/diagnostics.ts';

/** The format's own limit for a served file. */
const MAX_ASSET_BYTES = 20 * 1024 * 1024;

/** Returns the diagnostic of a file that is too large to be served; undefined for any other. */
export function refuseLargeAsset(path: string, sizeBytes: number): Diagnostic | undefined {
  if (sizeBytes <= MAX_ASSET_BYTES) return undefined;
  return {
    severity: 'warning',
    code: 'file-too-large',
    message: `The file has ${Math.ceil(sizeBytes / 1024 / 1024)} MB and is not published.`,
    remedy: 'Make it smaller than 20 MB, or host it elsewhere and link to it.',
    file: path,
  };
}
