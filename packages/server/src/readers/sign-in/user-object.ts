import { comparableGroup } from '@docent/format/access/audience.ts';
import * as z from 'zod';
import type { StoredReader } from '../../ports/readers/reader-tables.ts';

const MAX_BYTES = 16 * 1024;
/** What JSON columns cannot hold, and the key that would change an object's prototype. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])|"__proto__"/i;

const values = z.record(z.string().max(200), z.unknown());

/** The user object of the hosted service; further properties are ignored. */
const userObject = z.object({
  host: z.string().max(300).nullish(),
  /** Seconds since 1970. */
  expiresAt: z.number().min(0).max(1e11).nullish(),
  groups: z.array(z.string().max(200)).max(200).nullish(),
  content: values.nullish(),
  apiPlaygroundInputs: z
    .object({ server: values, header: values, query: values, cookie: values, path: values })
    .partial()
    .nullish(),
});

/** What a sign-in says of a reader. */
export interface ReaderFacts {
  host: string | undefined;
  expiresAt: Date | undefined;
  user: Omit<StoredReader, 'id'>;
}

/** Returns whether a value says anything that a user object does; an empty answer does not. */
export function isUserObject(value: object): boolean {
  return Object.keys(userObject.shape).some((key) => key !== 'host' && Object.hasOwn(value, key));
}

/**
 * Reads the user object of a token or of an information endpoint. @returns what is wrong with it
 */
export function readUserObject(value: unknown): ReaderFacts | string {
  const result = userObject.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return `"${issue?.path.join('.')}" of the user is not valid: ${issue?.message}`;
  }
  const { host, expiresAt, groups, content, apiPlaygroundInputs } = result.data;
  const user = {
    groups: (groups ?? []).map(comparableGroup).filter(Boolean),
    content: content ?? {},
    apiPlaygroundInputs: apiPlaygroundInputs ?? {},
  };
  const json = JSON.stringify(user);
  if (Buffer.byteLength(json) > MAX_BYTES)
    return `The user is larger than ${MAX_BYTES / 1024} KB; send less content.`;
  if (UNSTORABLE.test(json))
    return 'The user contains text that cannot be stored, such as U+0000 or half of a surrogate pair.';
  return {
    host: host ?? undefined,
    expiresAt: typeof expiresAt === 'number' ? new Date(expiresAt * 1000) : undefined,
    user,
  };
}
