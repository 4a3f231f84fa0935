import { Counter, Gauge } from 'prom-client';
import { createMetrics, type Metrics } from '../kernel/http/metrics.ts';
import type { BundleKeeper } from './bundle-keeper.ts';

/** The metrics of a bundle server: those of every server, and the served bundle. */
export function createBundleMetrics(keeper: BundleKeeper): Metrics {
  const metrics = createMetrics();
  const registers = [metrics.registry];
  new Gauge({
    name: 'docent_bundle_info',
    help: 'The bundle being served, by its labels; absent before there is one.',
    labelNames: ['version', 'export_version', 'sha256'],
    registers,
    collect() {
      this.reset();
      const { current } = keeper;
      if (!current) return;
      const { options, exportVersion } = current.manifest;
      this.set(
        { version: options.version ?? '', export_version: exportVersion, sha256: current.sha256 },
        1,
      );
    },
  });
  new Gauge({
    name: 'docent_bundle_configured_is_served',
    help: '1 if the configured bundle is being served, 0 if it is missing or could not be loaded.',
    registers,
    collect() {
      this.set(keeper.current && !keeper.isAwaiting && keeper.fault === undefined ? 1 : 0);
    },
  });
  new Counter({
    name: 'docent_bundle_checks_total',
    help: 'Checks for the configured bundle, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(keeper.checks)) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'docent_bundle_last_good_look_timestamp_seconds',
    help: 'Time at which the configured bundle was last found; 0 if never.',
    registers,
    collect() {
      this.set((keeper.goodAt?.getTime() ?? 0) / 1000);
    },
  });
  return metrics;
}
