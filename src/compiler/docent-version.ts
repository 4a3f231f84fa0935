import { readFileSync } from 'node:fs';

/** The version of this Docent, from its package. */
export const docentVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
