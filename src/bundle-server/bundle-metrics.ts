import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isDirectLocal } from '../core/access/client-address.ts';
import type { BundleKeeper } from './bundle-keeper.ts';

/** What is measured about a bundle server. */
export interface BundleMetrics {
  observe(request: IncomingMessage, response: ServerResponse): void;
  /** Whether whoever asks may read them: they are for the local network, where scrapers are. */
  isFor(request: IncomingMessage): boolean;
  /** The Prometheus text format. */
  render(): Promise<{ type: string; text: string }>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

export function createBundleMetrics(keeper: BundleKeeper): BundleMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  });
  new Gauge({
    name: 'docent_bundle_info',
    help: 'The bundle that is served, by its labels; none before there is one.',
    labelNames: ['version', 'export_version', 'sha256'],
    registers,
    collect() {
      this.reset();
      const { current } = keeper;
      if (!current) return;
      const { options, exportVersion } = current.manifest;
      this.set({ version: options.version ?? '', export_version: exportVersion, sha256: current.sha256 }, 1);
    },
  });
  new Gauge({
    name: 'docent_bundle_wanted_is_served',
    help: '1 where the bundle that is asked for is served, 0 where it is not there or could not be taken.',
    registers,
    collect() {
      this.set(keeper.current && !keeper.isAwaiting && keeper.fault === undefined ? 1 : 0);
    },
  });
  new Counter({
    name: 'docent_bundle_looks_total',
    help: 'Looks for the bundle that is asked for, by how they ended.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(keeper.looks)) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'docent_bundle_last_good_look_timestamp_seconds',
    help: 'When the bundle that is asked for was last found; 0 where it never was.',
    registers,
    collect() {
      this.set((keeper.goodAt?.getTime() ?? 0) / 1000);
    },
  });
  return {
    observe(request, response) {
      const startedAt = performance.now();
      response.once('close', () => {
        // Whatever a client calls its method, there are no more series than these.
        const method = METHODS.has(request.method ?? '') ? (request.method as string) : 'other';
        durations.observe({ method, status: response.statusCode }, (performance.now() - startedAt) / 1000);
      });
    },
    isFor: ({ headers, socket }) => isDirectLocal(socket.remoteAddress, headers),
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
