import { Gauge } from 'prom-client';
import { countExportJobs } from '../db/exports/export-jobs.ts';
import type { Deps } from '../services/deps.ts';
import { checkReadiness } from '../services/readiness.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** The metrics of a process of the platform: those of every server, its jobs, and what it depends on. */
export function createPlatformMetrics(deps: Pick<Deps, 'jobs' | 'database' | 'blobs' | 'liveSites'>): Metrics {
  const metrics = createMetrics();
  const registers = [metrics.registry];
  new Gauge({
    name: 'docent_jobs_depth',
    help: 'Queued and running jobs.',
    labelNames: ['job'],
    registers,
    async collect() {
      for (const [job, count] of Object.entries(await deps.jobs.depth())) this.set({ job }, count);
    },
  });
  new Gauge({
    name: 'docent_exports',
    help: 'Export jobs, by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      for (const { status, count } of await countExportJobs(deps.database.queries)) this.set({ status }, count);
    },
  });
  new Gauge({
    name: 'docent_dependency_up',
    help: '1 if the dependency responds, 0 if it does not.',
    labelNames: ['dependency'],
    registers,
    async collect() {
      const { dependencies } = await checkReadiness(deps);
      for (const [dependency, isUp] of Object.entries(dependencies)) this.set({ dependency }, isUp ? 1 : 0);
    },
  });
  return metrics;
}
