import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from '../services/deps.ts';

/** What is measured about one server. */
export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a stream while it is open; call the result when it ends. */
  openStream(protocol: string): () => void;
  /** The Prometheus text format. */
  render(): Promise<{ type: string; text: string }>;
}

export function createMetrics({ jobs }: Pick<Deps, 'jobs'>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const streams = new Gauge({
    name: 'docent_streams_open',
    help: 'Answers that are being streamed now.',
    labelNames: ['protocol'],
    registers: [registry],
  });
  new Gauge({
    name: 'docent_jobs_depth',
    help: 'Jobs that wait or run.',
    labelNames: ['job'],
    registers: [registry],
    async collect() {
      for (const [job, count] of Object.entries(await jobs.depth())) this.set({ job }, count);
    },
  });
  return {
    observe(request, reply) {
      // The pattern of the route, not the path: paths are without end, and so would be the series.
      const route = request.routeOptions.url ?? 'none';
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    },
    openStream(protocol) {
      streams.inc({ protocol });
      return () => streams.dec({ protocol });
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
