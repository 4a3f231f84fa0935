import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnswerReport } from '../process-state.ts';

import { addCacheMetrics } from './cache-metrics.ts';
import type { CountedReply, CountedRequest } from './repeat-answers.ts';

/** What is measured about answers of the assistant. */
export interface AnswerMetrics {
  /** Counts a stream while it is open; call the returned function when it ends. */
  openStream(protocol: string): () => void;
  /** Counts a completed response. */
  observeAnswer(report: AnswerReport): void;
}

export interface Metrics extends AnswerMetrics {
  /** Takes what else a process measures. */
  registry: Registry;
  observe(request: Pick<CountedRequest, 'method' | 'routeOptions'>, reply: CountedReply): void;
  /** Returns the Prometheus text format. */
  render(): Promise<{ type: string; text: string }>;
  /** The same as objects. */
  values(): ReturnType<Registry['getMetricsAsJSON']>;
}

const FIRST_SAMPLE_MS = 25;

/** The metrics that every server has: of the process, of requests and of answers. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  addCacheMetrics(registry);
  let processMetrics: Promise<void> | undefined;
  const withProcess = async (): Promise<Registry> => {
    processMetrics ??= beginProcessMetrics(registry);
    await processMetrics;
    return registry;
  };
  const durations = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const streams = new Gauge({
    name: 'docent_streams_open',
    help: 'Answers currently being streamed.',
    labelNames: ['protocol'],
    registers: [registry],
  });
  const answers = new Counter({
    name: 'docent_answers_total',
    help: 'Answers of the assistant, by outcome.',
    labelNames: ['model', 'outcome'],
    registers: [registry],
  });
  const firstText = new Histogram({
    name: 'docent_answer_first_text_seconds',
    help: 'Time from the start of an answer to its first text, mostly spent in the model.',
    labelNames: ['model'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const tokens = new Counter({
    name: 'docent_answer_tokens_total',
    help: 'Tokens, as counted by the models.',
    labelNames: ['model', 'kind'],
    registers: [registry],
  });
  return {
    registry,
    observe(request, reply) {
      // The pattern of the route, not the path: the number of paths, and so of series, is
      // unbounded.
      const route = request.routeOptions.url ?? 'none';
      durations.observe(
        { method: request.method, route, status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
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
    render: async () => ({
      type: registry.contentType,
      text: await (await withProcess()).metrics(),
    }),
    values: async () => (await withProcess()).getMetricsAsJSON(),
  };
}

/**
 * The delays of the event loop are sampled every 10 ms. That took two thirds of the CPU time of
 * an idle process, so it begins when somebody first asks for metrics, which wait for a sample.
 */
async function beginProcessMetrics(register: Registry): Promise<void> {
  collectDefaultMetrics({ register });
  await setTimeout(FIRST_SAMPLE_MS);
}
