import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countExportJobs } from '../db/exports/export-jobs.ts';
import type { AnswerReport } from '../services/assistant/answer-draft.ts';
import type { Deps } from '../services/deps.ts';
import { checkReadiness } from '../services/readiness.ts';

/** What is measured about one server. */
export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a stream while it is open; call the result when it ends. */
  openStream(protocol: string): () => void;
  /** Counts an answer that has ended. */
  observeAnswer(report: AnswerReport): void;
  /** The Prometheus text format. */
  render(): Promise<{ type: string; text: string }>;
}

export function createMetrics(deps: Pick<Deps, 'jobs' | 'database' | 'blobs' | 'liveSites'>): Metrics {
  const { jobs, database } = deps;
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
  const answers = new Counter({
    name: 'docent_answers_total',
    help: 'Answers of the assistant, by how they ended.',
    labelNames: ['model', 'outcome'],
    registers: [registry],
  });
  const firstText = new Histogram({
    name: 'docent_answer_first_text_seconds',
    help: 'Time from the beginning of an answer to its first text, most of it the time of the model.',
    labelNames: ['model'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const tokens = new Counter({
    name: 'docent_answer_tokens_total',
    help: 'Tokens that the models counted.',
    labelNames: ['model', 'kind'],
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
  new Gauge({
    name: 'docent_exports',
    help: 'Export jobs that are known, by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      for (const { status, count } of await countExportJobs(database.queries)) this.set({ status }, count);
    },
  });
  new Gauge({
    name: 'docent_dependency_up',
    help: '1 where the dependency answers, 0 where it does not.',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const { dependencies } = await checkReadiness(deps);
      for (const [dependency, isUp] of Object.entries(dependencies)) this.set({ dependency }, isUp ? 1 : 0);
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
    observeAnswer({ model, outcome, usage, firstTextMs }) {
      answers.inc({ model, outcome });
      if (firstTextMs !== null) firstText.observe({ model }, firstTextMs / 1000);
      tokens.inc({ model, kind: 'input' }, usage?.inputTokens ?? 0);
      tokens.inc({ model, kind: 'output' }, usage?.outputTokens ?? 0);
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
