import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { formsUnreadableBy } from '@docent/format/build/stored-forms.ts';
import { sql } from 'kysely';
import { pendingMigrations } from '../kernel/db/migrate.ts';
import { findProcesses } from '../kernel/jobs/process-queries.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { QueryRunner } from '../ports/database.ts';
import { findNamedBuilds } from '../publishing/published-builds.ts';
import { answered, type Finding, fail, ok, warn } from './finding.ts';

const MAX_CLOCK_SECONDS = 2;
const STUCK_MINUTES = 60;
const SAMPLE = 20;
const MAX_NAMED = 5;

/** @param isServer whether it is a PostgreSQL server, with a clock of its own */
export async function checkServer(queries: QueryRunner, isServer: boolean): Promise<Finding[]> {
  const startedAt = Date.now();
  const { rows } = await sql<{ version: string; now: Date }>`
    SELECT current_setting('server_version') AS version, clock_timestamp() AS now`.execute(queries);
  const latencyMs = Date.now() - startedAt;
  const { version = '', now = new Date() } = rows[0] ?? {};
  const findings = [
    answered('database', `PostgreSQL ${version}${isServer ? '' : ' (embedded)'}`, latencyMs),
  ];
  if (!isServer) return findings;
  const offset = Math.abs(now.getTime() - startedAt - latencyMs / 2) / 1000;
  if (offset > MAX_CLOCK_SECONDS)
    findings.push(
      warn(
        'clock',
        `it differs from that of the database by ${offset.toFixed(0)} s`,
        'Synchronize the clocks of all machines with NTP.',
      ),
    );
  else findings.push(ok('clock', 'it agrees with that of the database'));
  return findings;
}

export async function checkMigrations(queries: QueryRunner): Promise<Finding[]> {
  const pending = await pendingMigrations(queries);
  if (pending.length === 0) return [ok('migrations', 'the database is up to date')];
  return [
    warn(
      'migrations',
      `${pending.length} pending: ${pending.join(', ')}`,
      'Run "docent migrate", or start the server, which does it.',
    ),
  ];
}

/** The processes that share a PostgreSQL database. */
export async function checkProcesses(queries: QueryRunner): Promise<Finding[]> {
  const processes = await findProcesses(queries);
  const versions = [...new Set(processes.map(({ version }) => version))].sort();
  if (processes.length === 0) return [warn('processes', 'none is running', 'Start the server.')];
  const text = `${processes.length} running, of version ${versions.join(' and ')}`;
  if (processes.some(({ reads }) => formsUnreadableBy(reads).length > 0))
    return [
      warn(
        'processes',
        `${text}; one is too old to read what a newer one writes`,
        'End the processes of the older version.',
      ),
    ];
  const isMixed = versions.length > 1;
  return [
    isMixed
      ? warn('processes', text, 'Complete the upgrade: replace the processes of the older version.')
      : ok('processes', text),
  ];
}

/** Work that has waited or run for longer than any should. */
export async function checkJobs(queries: QueryRunner): Promise<Finding[]> {
  const { rows } = await sql<{ kind: string; id: string; site: string; status: string }>`
    SELECT work.kind, work.id, sites.slug AS site, work.status FROM (
      SELECT 'deployment' AS kind, id, site_id, status, updated_at FROM deployments WHERE status IN ('queued', 'in_progress')
      UNION ALL
      SELECT 'export', id, site_id, status, updated_at FROM export_jobs WHERE status IN ('queued', 'running')
    ) work JOIN sites ON sites.id = work.site_id
    WHERE work.updated_at < now() - make_interval(mins => ${STUCK_MINUTES}) ORDER BY work.updated_at`.execute(
    queries,
  );
  if (rows.length === 0) return [ok('jobs', 'none is stuck')];
  const named = rows
    .slice(0, MAX_NAMED)
    .map(({ kind, id, site, status }) => `${kind} ${id} of ${site} (${status})`);
  return [
    warn(
      'jobs',
      `${rows.length} without progress for an hour: ${named.join(', ')}`,
      'See "The queue does not move" in the runbooks: check that a worker runs, and its log.',
    ),
  ];
}

/** Hostnames that are not verified. */
export async function checkHostnames(queries: QueryRunner): Promise<Finding[]> {
  const { rows } = await sql<{ hostname: string; site: string; problem: string | null }>`
    SELECT hostname, sites.slug AS site, problem FROM hostname_claims JOIN sites ON sites.id = site_id
    WHERE status <> 'verified' ORDER BY hostname`.execute(queries);
  if (rows.length === 0) return [ok('hostnames', 'all are verified')];
  const named = rows.slice(0, MAX_NAMED).map(({ hostname, site }) => `${hostname} of ${site}`);
  return [
    warn(
      'hostnames',
      `${rows.length} not verified: ${named.join(', ')}`,
      'Create the DNS records that "docent hostnames" shows.',
    ),
  ];
}

/**
 * Whether the newest live builds have their manifests and search indexes; `docent verify-store`
 * checks all files.
 */
export async function checkFiles(queries: QueryRunner, blobs: BlobStore): Promise<Finding[]> {
  const live = (await findNamedBuilds(queries)).filter(({ isLive }) => isLive);
  const sample = live.sort((a, b) => (a.deploymentId < b.deploymentId ? 1 : -1)).slice(0, SAMPLE);
  const broken: string[] = [];
  for (const { site, manifestKey } of sample) {
    const manifest = await blobs.read(manifestKey);
    const index =
      manifest &&
      /"searchIndex":\{"sha256":"([0-9a-f]{64})"/.exec(Buffer.from(manifest).toString('utf8'))?.[1];
    const isWhole =
      manifest && (index === undefined || (await blobs.stat(fileKey({ sha256: index }))));
    if (!isWhole) broken.push(site);
  }
  if (broken.length === 0)
    return [
      ok('files', `${sample.length} of ${live.length} live sites looked at, nothing is missing`),
    ];
  return [
    fail(
      'files',
      `missing for ${broken.join(', ')}`,
      'Run "docent verify-store", and publish or rebuild these sites.',
    ),
  ];
}

/** Returns how much there is of everything, for support. */
export async function countRows(queries: QueryRunner): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    SELECT relname AS name, greatest(reltuples, 0)::bigint AS count FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition ORDER BY relname`.execute(
    queries,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Returns the last publishes and exports that failed, with the reasons that their owners saw. */
export async function recentFailures(queries: QueryRunner): Promise<object[]> {
  const { rows } = await sql<object>`
    SELECT * FROM (
      SELECT 'deployment' AS kind, id, ended_at AS at, left(summary, 500) AS reason FROM deployments WHERE status = 'failure'
      UNION ALL
      SELECT 'export', id, ended_at, left(error, 500) FROM export_jobs WHERE status = 'failed'
    ) failed ORDER BY at DESC NULLS LAST LIMIT 50`.execute(queries);
  return rows;
}
