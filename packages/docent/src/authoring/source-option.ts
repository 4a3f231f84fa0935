import { overlappingPaths, readSourcePath } from '@docent/format/docs-json/site-sources.ts';
import { InvalidArgumentError, Option } from 'commander';

/** `--source api=../api-docs`, any number of times. */
export function sourceOption(): Option {
  return new Option(
    '--source <path=folder>',
    'another folder of the same site, and the URL path of its pages, for example api=../api-docs; can be repeated',
  ).argParser((text: string, before: Record<string, string> = {}) => {
    const [, written = '', folder] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    const path = readSourcePath(written);
    if (path === undefined || folder === undefined)
      throw new InvalidArgumentError('Use a URL path and a folder, for example api=../api-docs.');
    const overlap = overlappingPaths([...Object.keys(before), path]);
    if (overlap)
      throw new InvalidArgumentError(
        `The URL paths ${overlap[0]} and ${overlap[1]} overlap; give each folder a path of its own.`,
      );
    return { ...before, [path]: folder };
  });
}
