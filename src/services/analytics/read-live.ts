import type { Actor } from '../../core/access/may.ts';
import type { Deps } from '../deps.ts';
import { type ReportKind, type ReportQuery, readReport, readTotal } from './read-reports.ts';

type LiveDeps = Pick<Deps, 'database' | 'config' | 'analytics' | 'clock'>;

const MINUTE_MS = 60_000;
/** A visitor with an event since then counts as present. */
const NOW_MINUTES = 5;
const RECENT_MINUTES = 30;

/**
 * Returns who is reading a site now, and what: counted from events of the last 30 minutes.
 * @throws DocentError `site_not_found`
 */
export async function readLive(
  deps: LiveDeps,
  actor: Actor,
  { limit, ...asked }: Omit<ReportQuery, 'from' | 'to'> & { limit: number },
) {
  const at = deps.clock.now();
  const since = (minutes: number) => ({ ...asked, from: new Date(at.getTime() - minutes * MINUTE_MS) });
  const list = async (kind: ReportKind) =>
    (await readReport(deps, actor, kind, { ...since(RECENT_MINUTES), limit, offset: 0 })).rows;
  const [now, recent, pages, sources, machines] = await Promise.all([
    readTotal(deps, actor, 'view', since(NOW_MINUTES)),
    readTotal(deps, actor, 'view', since(RECENT_MINUTES)),
    list({ dimension: 'view', by: 'path', order: 'readings' }),
    list({ dimension: 'source', by: 'key', order: 'visitors' }),
    list({ dimension: 'machine', by: 'key-and-detail', order: 'events' }),
  ]);
  return { at, now, recent, pages, sources, machines };
}
