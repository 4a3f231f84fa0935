import { FIGURES, type Figure, figuresOf } from '@docent/format/figures.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import manifest from '../../../../package.json' with { type: 'json' };
import { countExportJobs } from '../exports/manage-exports.ts';
import type { Deps } from '../kernel/deps.ts';
import { createMetrics, type Metrics } from '../kernel/http/metrics.ts';
import { findProcesses } from '../kernel/jobs/process-queries.ts';
import { countWaiting } from '../kernel/jobs/slot-queries.ts';
import { inTime } from '../lib/in-time.ts';
import { exportSiteJob, publishSiteJob } from '../ports/jobs.ts';
import type { Readiness } from './readiness.ts';

/** A gauge that takes longer is left out: scraping must not wait for what is away. */
const COLLECT_WITHIN_MS = 2000;

type MetricsDeps = Pick<Deps, 'jobs' | 'database'> & { processId?: string | undefined };

/**
 * The metrics of a process of the platform: those of every server, its jobs, and what it depends
 * on.
 */
export function createPlatformMetrics(deps: MetricsDeps, readiness: Readiness): Metrics {
  const metrics = createMetrics();
  addFigures(metrics.registry);
  addOwnGauges(metrics.registry, deps, readiness);
  addCountedGauges(metrics.registry, deps);
  return metrics;
}

/** What this process has counted. */
function addFigures(registry: Registry): void {
  for (const [figure, { label, help }] of Object.entries(FIGURES)) {
    new Counter({
      name: `docent_${figure}_total`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of figuresOf(figure as Figure))
          this.inc({ [label]: value }, count);
      },
    });
  }
}

/** What a process knows without asking anybody. */
function addOwnGauges(registry: Registry, { database }: MetricsDeps, readiness: Readiness): void {
  const registers = [registry];
  new Gauge({
    name: 'docent_build_info',
    help: 'Always 1; its label is the version.',
    labelNames: ['version'],
    registers,
  }).set({ version: manifest.version }, 1);
  new Gauge({
    name: 'docent_dependency_up',
    help: '1 if the dependency responds, 0 if it does not.',
    labelNames: ['dependency'],
    registers,
    collect() {
      for (const [dependency, { isUp }] of readiness.dependencies)
        this.set({ dependency }, isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'docent_dependency_latency_seconds',
    help: 'How long the last check of the dependency took.',
    labelNames: ['dependency'],
    registers,
    collect() {
      for (const [dependency, { seconds }] of readiness.dependencies)
        this.set({ dependency }, seconds);
    },
  });
  new Gauge({
    name: 'docent_disk_free_bytes',
    help: 'Free space of the data folder.',
    registers,
    collect() {
      if (readiness.freeDiskBytes !== undefined) this.set(readiness.freeDiskBytes);
    },
  });
  new Gauge({
    name: 'docent_database_connections',
    help: 'Connections of this process to the database, and what waits for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(database.connections()))
        this.set({ state }, count);
    },
  });
}

/**
 * What is counted in the database, and so is the same for all processes: only the oldest of them
 * exports it, so that sums are right. It is left out while the database does not answer.
 */
function addCountedGauges(registry: Registry, deps: MetricsDeps): void {
  const { jobs, database, processId } = deps;
  const isCounting = async () => {
    if (processId === undefined) return true;
    const ids = (await findProcesses(database.queries)).map(({ id }) => id).sort();
    return ids[0] === undefined || ids[0] === processId;
  };
  const addGauge = (
    name: string,
    help: string,
    label: string,
    count: () => Promise<Iterable<readonly [string, number]>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        this.reset();
        const counting = isCounting().then((isIt) => (isIt ? count() : []));
        const counts = await inTime(
          counting.catch(() => []),
          COLLECT_WITHIN_MS,
          () => [],
        );
        for (const [value, number] of counts) this.set({ [label]: value }, number);
      },
    });
  addGauge(
    'docent_jobs_depth',
    'Waiting and running jobs; those that wait for a slot of their organization, too.',
    // Not `job`: Prometheus has a label of its own with that name.
    'kind',
    async () => {
      const [depth, publishes, exports] = await Promise.all([
        jobs.depth(),
        countWaiting(database.queries, 'deployments'),
        countWaiting(database.queries, 'export_jobs'),
      ]);
      const waiting: Record<string, number> = {
        [publishSiteJob.name]: publishes.count,
        [exportSiteJob.name]: exports.count,
      };
      const names = new Set([...Object.keys(depth), ...Object.keys(waiting)]);
      return [...names].map((job) => [job, (depth[job] ?? 0) + (waiting[job] ?? 0)] as const);
    },
  );
  addGauge(
    'docent_jobs_oldest_seconds',
    'Age of the oldest job that has not begun.',
    'kind',
    async () => {
      const [publishes, exports] = await Promise.all([
        countWaiting(database.queries, 'deployments'),
        countWaiting(database.queries, 'export_jobs'),
      ]);
      return [
        [publishSiteJob.name, publishes.oldestSeconds],
        [exportSiteJob.name, exports.oldestSeconds],
      ];
    },
  );
  addGauge('docent_exports', 'Export jobs, by status.', 'status', async () =>
    (await countExportJobs(database.queries)).map(({ status, count }) => [status, count] as const),
  );
}
