import type { Diagnostic } from '../../core/diagnostics.ts';

/** The format's own limit for a served file. */
const MAX_ASSET_BYTES = 20 * 1024 * 1024;

/** What is to be said of a file that is too large to be served; nothing of any other. */
export function refuseLargeAsset(path: string, sizeBytes: number): Diagnostic | undefined {
  if (sizeBytes <= MAX_ASSET_BYTES) return undefined;
  return {
    severity: 'warning',
    code: 'file-too-large',
    message: `The file has ${Math.ceil(sizeBytes / 1024 / 1024)} MB and is left out.`,
    remedy: 'Make it smaller than 20 MB, or serve it from elsewhere and link to it.',
    file: path,
  };
}
