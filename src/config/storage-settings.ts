import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { halfSet, notes } from './setting.ts';

function readDatabaseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

/** Settings of what is kept, and where. */
export const storageSettings = {
  DOCENT_DATABASE: z.enum(['embedded', 'postgres']).prefault('embedded').register(notes, {
    default: 'embedded',
    expected: 'embedded or postgres',
    meaning:
      'The database: `embedded` keeps it in the data folder; `postgres` is a PostgreSQL server, which several processes may share.',
  }),
  DOCENT_DATABASE_URL: z.string().transform(readDatabaseUrl).optional().register(notes, {
    default: '<none>',
    expected: 'an address such as postgres://user:password@host:5432/name',
    meaning: 'Address of the PostgreSQL server, version 15 or newer; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
  DOCENT_BLOBS: z.enum(['file-system']).prefault('file-system').register(notes, {
    default: 'file-system',
    expected: 'file-system',
    meaning: 'Where files are stored: `file-system` keeps them in the data folder.',
  }),
  DOCENT_BLOBS_FOLDER: z.string().optional().register(notes, {
    default: '<DOCENT_DATA>/blobs',
    expected: 'a folder',
    meaning: 'Folder for the files, for processes that share one; each has a data folder of its own besides.',
  }),
  DOCENT_LIMITER: z.enum(['memory', 'postgres']).prefault('memory').register(notes, {
    default: 'memory',
    expected: 'memory or postgres',
    meaning:
      'Where limits are counted: `memory` is right for one process; `postgres` counts exactly for all processes on one PostgreSQL server.',
  }),
};

const schema = z.object(storageSettings);

/** @throws DocentError `invalid_setting` for settings of which one needs the other */
export function databaseFrom(values: z.output<typeof schema> & { DOCENT_DATA: string }): Config['database'] {
  const { DOCENT_DATABASE: kind, DOCENT_DATABASE_URL: url, DOCENT_DATA: dataFolder } = values;
  if (kind === 'postgres') {
    if (url === undefined)
      throw halfSet('DOCENT_DATABASE_URL', 'DOCENT_DATABASE=postgres needs it; set it to the address of the server.');
    return { kind, urlWithPassword: url };
  }
  if (url !== undefined)
    throw halfSet('DOCENT_DATABASE', 'DOCENT_DATABASE_URL is set, so it must be postgres; set it, or remove the address.');
  return { kind, folder: join(dataFolder, 'database') };
}

/** @throws DocentError `invalid_setting` */
export function limiterFrom({ DOCENT_LIMITER: kind, DOCENT_DATABASE: database }: z.output<typeof schema>): Config['limiter'] {
  if (kind === 'postgres' && database !== 'postgres')
    throw halfSet(
      'DOCENT_LIMITER',
      'postgres counts in the database, so DOCENT_DATABASE must be postgres too; set it, or use memory.',
    );
  return { kind };
}
