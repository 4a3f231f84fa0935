import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';
import type { DeploymentStatus, EndReason } from '../tables.ts';

/** The live deployment of a site, and its last deployment. */
export interface SiteState {
  siteId: string;
  live: { id: string; publishedAt: Date; pages: number; bytes: number } | null;
  last: {
    id: string;
    status: DeploymentStatus;
    endReason: EndReason | null;
    summary: string;
    createdAt: Date;
    endedAt: Date | null;
  } | null;
}

interface Row {
  siteId: string;
  liveId: string | null;
  publishedAt: Date;
  pages: number;
  bytes: number;
  lastId: string | null;
  status: DeploymentStatus;
  endReason: EndReason | null;
  summary: string;
  createdAt: Date;
  endedAt: Date | null;
}

/** Returns the states of these sites. */
export async function readSiteStates(queries: QueryRunner, siteIds: readonly string[]): Promise<Map<string, SiteState>> {
  if (siteIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    SELECT
      sites.id AS "siteId",
      live.id AS "liveId", coalesce(live.ended_at, live.updated_at) AS "publishedAt",
      live.page_count AS pages, live.build_bytes AS bytes,
      last.id AS "lastId", last.status, last.end_reason AS "endReason", last.summary,
      last.created_at AS "createdAt", last.ended_at AS "endedAt"
    FROM sites
    LEFT JOIN deployments live ON live.id = sites.live_deployment_id
    LEFT JOIN LATERAL (
      SELECT * FROM deployments WHERE site_id = sites.id AND preview_id IS NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1
    ) last ON true
    WHERE sites.id IN (${sql.join(siteIds)})`.execute(queries);
  return new Map(rows.map((row) => [row.siteId, stateOf(row)]));
}

function stateOf({ siteId, liveId, publishedAt, pages, bytes, lastId, ...last }: Row): SiteState {
  return {
    siteId,
    live: liveId === null ? null : { id: liveId, publishedAt, pages, bytes },
    last: lastId === null ? null : { id: lastId, ...last },
  };
}
