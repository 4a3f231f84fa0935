import {
  formsUnreadableBy,
  STORED_FORMS,
  type StoredForm,
  storeTooNew,
} from '@docent/format/build/stored-forms.ts';
import { DocentError } from '@docent/format/errors.ts';
import manifest from '../../../../../package.json' with { type: 'json' };
import type { Queries } from '../../ports/database.ts';
import {
  deleteProcess,
  findProcesses,
  findStoredForms,
  recordProcess,
  recordStoredForms,
} from './process-queries.ts';
import type { BackgroundTask } from './retry.ts';

const { version } = manifest;

const BEAT_MS = 30_000;

/** The membership of this process among those that share the database. */
export interface FleetMembership {
  /** Says that this process is alive; repeated while it runs. */
  beat: BackgroundTask;
  leave(): Promise<void>;
}

/**
 * Adds this process to those that share the database, so that no newer version writes what it
 * cannot read.
 * @param id unique to the process
 * @throws DocentError `database_too_new` if the store already has data that this version cannot
 *   read
 */
export async function joinFleet(queries: Queries, id: string): Promise<FleetMembership> {
  for (const { name, number, version } of await findStoredForms(queries)) {
    // A form that this version does not know is of data that it does not read.
    const reads = name in STORED_FORMS ? STORED_FORMS[name as StoredForm].reads : number;
    if (number > reads) throw storeTooNew(name, number, version);
  }
  const record = () => recordProcess(queries, { id, version, reads: numbers('reads') });
  await record();
  return {
    beat: {
      run: record,
      everyMs: BEAT_MS,
      failure: 'This process could not record that it is alive.',
    },
    leave: () => deleteProcess(queries, id),
  };
}

/**
 * Records the forms that this process is about to write.
 * @throws DocentError `dependency_unavailable` while a process of an older version that cannot read
 *   them is alive
 */
export async function requireWritableForms(queries: Queries): Promise<void> {
  for (const other of await findProcesses(queries)) {
    if (formsUnreadableBy(other.reads).length === 0) continue;
    throw new DocentError(
      'dependency_unavailable',
      `Docent ${other.version} still runs beside ${version} and could not read the result; this waits until it has ended.`,
      { dependency: 'olderVersion' },
    );
  }
  await recordStoredForms(queries, version, numbers('writes'));
}

function numbers(kind: 'reads' | 'writes'): Record<string, number> {
  return Object.fromEntries(Object.entries(STORED_FORMS).map(([name, form]) => [name, form[kind]]));
}
