import { changesBetween } from '@docent/format/access/audit-changes.ts';
import {
  type AuditKind,
  auditSentence,
  operationsOfKind,
} from '@docent/format/access/audit-words.ts';
import { type Actor, actorId, requirePermission } from '@docent/format/access/may.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Consequence } from '../kernel/access/consequence.ts';
import { listMemberships } from '../kernel/access/member-queries.ts';
import type { ListSlice } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import type { ExportRow } from '../kernel/exported-rows.ts';
import { createUlid } from '../kernel/ids.ts';
import { allRows, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findOwnSite } from '../kernel/sites/site-queries.ts';
import { storableText } from '../kernel/storable-text.ts';
import { findActorName, type NamedThing } from './audited-things.ts';
import { type AuditFilter, type AuditRow, insertAuditRow, listAuditRows } from './queries.ts';

/**
 * Refused requests cost their caller nothing, so an organization gets only a limited number of such
 * rows per hour.
 */
const REFUSALS = { name: 'audit-refusals', points: 1000, windowSeconds: 3600 };
const THING_CHARACTERS = 300;

type Entry = Pick<AuditRow, 'action' | 'thing' | 'address' | 'outcome' | 'code'> & {
  requestId?: string | null;
};

/** What an operation acts on, before it ran and, on demand, afterwards. */
interface AuditedState {
  before?: NamedThing | undefined;
  after: () => Promise<NamedThing | undefined>;
}

/**
 * Writes one management operation to the audit log. Never fails: the operation is over, and an
 * error is logged.
 */
export async function recordAudit(
  { database, clock, limiter, logger }: Pick<Deps, 'database' | 'clock' | 'limiter' | 'logger'>,
  actor: Actor,
  { requestId = null, ...entry }: Entry,
  state?: AuditedState,
): Promise<void> {
  const at = clock.now();
  const thing = entry.thing && storableText(entry.thing).slice(0, THING_CHARACTERS);
  const fields = { ...entry, thing, id: createUlid(at), at, actor: actorId(actor), requestId };
  try {
    if (
      entry.outcome === 'refused' &&
      !(await limiter.consume(REFUSALS, actor.organizationId)).allowed
    )
      return;
    const actorKind =
      actor.kind === 'operator' || actor.kind === 'directory'
        ? actor.kind
        : actor.kind === 'member'
          ? 'person'
          : 'key';
    const actorName = await findActorName(database.queries, actor);
    const names = await namesOf(entry, state);
    await insertAuditRow(database.queries, actor.organizationId, {
      ...fields,
      actorKind,
      actorName,
      ...names,
    });
  } catch (error) {
    const reason = errorMessage(error);
    logger.error({ ...fields, reason }, 'an entry of the audit log could not be stored');
  }
}

/** Returns the names of what an operation acted on, and what it changed there. */
async function namesOf({ outcome }: Entry, state: AuditedState | undefined) {
  const before = state?.before;
  // A new thing has its name only afterwards.
  const isRead =
    before === undefined ||
    (outcome === 'done' && (before.name === null || before.state !== undefined));
  const after = isRead ? await state?.after() : undefined;
  const site = before?.site ?? after?.site;
  return {
    thingName: storable(before?.name ?? after?.name),
    siteId: site?.id ?? null,
    siteName: storable(site?.name),
    changes: outcome === 'done' ? changesBetween(before?.state, after?.state) : [],
  };
}

const storable = (name: string | null | undefined) =>
  name ? storableText(name).slice(0, THING_CHARACTERS) : null;

/** Writes what else an operation did to the audit log. Never fails. */
export async function recordConsequences(
  deps: Parameters<typeof recordAudit>[0],
  actor: Actor,
  entry: Omit<Entry, 'action' | 'thing'>,
  consequences: readonly Consequence[],
): Promise<void> {
  for (const { action, thing, name, site, organizationId } of consequences)
    await recordAudit(
      deps,
      { ...actor, organizationId },
      { ...entry, action, thing },
      { before: { name, site }, after: async () => undefined },
    );
}

/**
 * Writes a person's change of their own account to the audit logs of all their organizations. Never
 * fails.
 */
export async function recordAccountAudit(
  deps: Parameters<typeof recordAudit>[0],
  userId: string,
  entry: Omit<Entry, 'thing'>,
): Promise<void> {
  const memberships = await listMemberships(deps.database.queries, userId).catch((error: Error) => {
    deps.logger.error(
      { ...entry, userId, reason: error.message },
      'an entry of the audit log could not be stored',
    );
    return [];
  });
  for (const { organizationId, role, plan } of memberships)
    await recordAudit(
      deps,
      { kind: 'member', userId, sessionId: '', role, organizationId, plan },
      { ...entry, thing: userId },
    );
}

export interface AuditQuery extends Omit<AuditFilter, 'actions'> {
  kind?: AuditKind | undefined;
}

/**
 * Returns the operations in the actor's organization, newest first.
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function listAuditLog(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  { cursor, limit, siteId: site, kind, ...asked }: AuditQuery & PageRequest,
): Promise<ListPage<AuditRow>> {
  requirePermission(actor, 'audit.read');
  const siteId =
    site && ((await findOwnSite(database.queries, actor.organizationId, site))?.id ?? site);
  const filter: AuditFilter = { ...asked, siteId, actions: kind && operationsOfKind(kind) };
  const read = (slice: ListSlice) =>
    listAuditRows(database.queries, actor.organizationId, { ...filter, ...slice });
  return readPage({ cursor, limit }, read, ({ at, id }) => ({ at, id }));
}

/** Maximum number of entries of an export; a year of a busy organization has fewer. */
export const MAX_EXPORTED_ENTRIES = 100_000;
const EXPORT_PAGE = 1000;

/** Yields the entries of an export, newest first. */
export async function* auditRows(
  deps: Pick<Deps, 'database'>,
  actor: Actor,
  query: AuditQuery,
): AsyncGenerator<ExportRow> {
  let count = 0;
  for await (const row of allRows(EXPORT_PAGE, (page) =>
    listAuditLog(deps, actor, { ...query, ...page }),
  )) {
    if (++count > MAX_EXPORTED_ENTRIES) return;
    const { id, at, changes, ...fields } = row;
    yield {
      id,
      time: at,
      sentence: auditSentence(row),
      ...fields,
      changes: JSON.stringify(changes),
    };
  }
}
