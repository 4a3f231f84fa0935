import { type RawBuilder, sql } from 'kysely';
import type { Dimension } from '../../core/analytics/reports.ts';

/** How events become rows of a dimension. */
interface DimensionSql {
  /** Which events count. */
  where: string;
  key: string;
  detail?: string;
}

const READINGS = "kind = 'view' AND class = 'human'";

const dimensions: Record<Dimension, DimensionSql> = {
  view: { where: "kind = 'view'", key: "''" },
  hour: { where: "kind = 'view'", key: "to_char(at AT TIME ZONE 'UTC', 'HH24')" },
  source: { where: `${READINGS} AND source <> 'internal'`, key: 'source' },
  campaign: { where: `${READINGS} AND campaign <> ''`, key: 'campaign' },
  device: { where: READINGS, key: 'device', detail: 'browser' },
  language: { where: READINGS, key: 'language' },
  version: { where: READINGS, key: 'version' },
  machine: { where: "kind IN ('view', 'fetch') AND class <> 'human'", key: 'class', detail: 'agent' },
  surface: { where: "kind IN ('view', 'fetch') AND class <> 'human'", key: 'name', detail: 'class' },
  missing: { where: "kind = 'missing'", key: 'name', detail: 'source' },
  outbound: { where: "kind = 'outbound' AND class = 'human'", key: 'name' },
  action: { where: "kind = 'action' AND class = 'human'", key: 'name', detail: 'target' },
  time: { where: "kind = 'time' AND class = 'human'", key: "''" },
  search: { where: "kind = 'search' AND class = 'human'", key: 'lower(name)' },
  click: { where: "kind = 'search' AND class = 'human' AND target <> ''", key: 'lower(name)', detail: 'target' },
  exit: { where: READINGS, key: "''" },
};

/** Parts of a site that figures are kept for, and the columns that tell them apart. */
export const SCOPES = {
  all: [],
  version: ['version'],
  language: ['language'],
  both: ['version', 'language'],
  path: ['path', 'version', 'language'],
} as const;
export type Scope = keyof typeof SCOPES;

/** Where a visit ends: its reader showed no page of the site for this long. */
const VISIT_PAUSE = "interval '30 minutes'";
/** A search that another one follows so soon was refined. */
const REFINED_WITHIN = "interval '30 seconds'";
const NEXT = 'lead(at) OVER (PARTITION BY site_id, visitor ORDER BY at, id)';

function eventsOf(dimension: Dimension, which: RawBuilder<unknown>): RawBuilder<unknown> {
  const where = sql.raw(dimensions[dimension].where);
  if (dimension === 'search') {
    const refined = sql.raw(`coalesce(${NEXT} - at <= ${REFINED_WITHIN}, false) AS refined`);
    return sql`(SELECT *, ${refined} FROM analytics_events WHERE ${where} AND ${which})`;
  }
  const plain = sql`SELECT *, false AS refined FROM analytics_events WHERE ${where} AND ${which}`;
  if (dimension !== 'exit') return sql`(${plain})`;
  const isLast = sql.raw(`next_at IS NULL OR next_at - at > ${VISIT_PAUSE}`);
  return sql`(SELECT * FROM (SELECT *, ${sql.raw(NEXT)} AS next_at FROM (${plain}) shown) shown WHERE ${isLast})`;
}

/** The columns of figures, in the order of `dayFigures`. */
export const FIGURE_COLUMNS = 'events, human, ai, visitors, human_visitors, ai_visitors, opened, empty, refined, amount, last_at';

/**
 * Figures of days, from events: first by visitor, because counting distinct values is slow otherwise.
 * @param which condition on events: their site and time
 * @param filter further condition, on what is left of them
 */
export function dayFigures(
  dimension: Dimension,
  scope: Scope,
  which: RawBuilder<unknown>,
  filter: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const { key, detail = "''" } = dimensions[dimension];
  const columns = ['path', 'version', 'language'].map((name) =>
    (SCOPES[scope] as readonly string[]).includes(name) ? name : `'' AS ${name}`,
  );
  // Figures of a scope that is the whole site would be there twice.
  const named = SCOPES[scope].filter((name) => scope !== 'path' || name === 'path').map((name) => `${name} <> ''`);
  const group = sql.raw(['site_id', 'day', ...SCOPES[scope], 'key', 'detail'].join(', '));
  return sql`
    SELECT site_id, day, ${sql.raw(columns.join(', '))}, key, detail,
      sum(events) AS events, sum(human) AS human, sum(ai) AS ai,
      count(*) FILTER (WHERE human > 0 OR ai > 0) AS visitors,
      count(*) FILTER (WHERE human > 0) AS human_visitors,
      count(*) FILTER (WHERE ai > 0) AS ai_visitors,
      sum(opened) AS opened, sum(empty) AS empty, sum(refined) AS refined, sum(amount) AS amount, max(last_at) AS last_at
    FROM (
      SELECT ${group}, visitor, count(*) AS events,
        count(*) FILTER (WHERE class = 'human') AS human,
        count(*) FILTER (WHERE class LIKE 'ai.%') AS ai,
        count(*) FILTER (WHERE kind = 'search' AND target <> '') AS opened,
        count(*) FILTER (WHERE kind = 'search' AND amount = 0) AS empty,
        count(*) FILTER (WHERE refined) AS refined, sum(amount) AS amount, max(at) AS last_at
      FROM (
        SELECT *, (at AT TIME ZONE 'UTC')::date AS day, ${sql.raw(key)} AS key, ${sql.raw(detail)} AS detail
        FROM ${eventsOf(dimension, which)} counted
      ) counted
      WHERE ${sql.raw(named.length === 0 ? 'true' : named.join(' AND '))} AND ${filter}
      GROUP BY ${group}, visitor
    ) by_visitor
    GROUP BY ${group}`;
}
