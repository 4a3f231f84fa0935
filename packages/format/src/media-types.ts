import type { Diagnostic } from './diagnostics.ts';

/** Source file types that a site serves unchanged, by extension. Other files are not served. */
const mediaTypes = new Map<string, string>([
  ['aac', 'audio/aac'],
  ['apng', 'image/apng'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['css', 'text/css; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['flac', 'audio/flac'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['zst', 'application/zstd'],
  ['ico', 'image/x-icon'],
  ['jfif', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['m4a', 'audio/mp4'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['ogv', 'video/ogg'],
  ['otf', 'font/otf'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['svg', 'image/svg+xml'],
  ['tgz', 'application/gzip'],
  ['ttf', 'font/ttf'],
  ['txt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xml', 'application/xml; charset=utf-8'],
  ['yaml', 'application/yaml; charset=utf-8'],
  ['yml', 'application/yaml; charset=utf-8'],
  ['zip', 'application/zip'],
]);

/** Returns the media type of a source file, or `undefined` if sites do not serve its type. */
export function mediaTypeOf(path: string): string | undefined {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? undefined : mediaTypes.get(path.slice(dot + 1).toLowerCase());
}

/** Returns whether files of this type benefit from compression. */
export function isCompressible(type: string): boolean {
  return /^(text\/|application\/(json|rss\+xml|xml|yaml)|image\/svg)/.test(type);
}

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
