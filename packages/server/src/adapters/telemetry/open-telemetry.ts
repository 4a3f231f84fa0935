import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { inTime } from '../../lib/in-time.ts';
import type { Logger } from '../../ports/logger.ts';
import type {
  MetricFamily,
  OpenSpan,
  SpanAttributes,
  SpanOptions,
  Telemetry,
} from '../../ports/telemetry.ts';
import { metricDataOf } from './metric-data.ts';

interface OpenTelemetryOptions {
  traces: boolean;
  metrics: boolean;
  sampler: { isParentBased: boolean; ratio: number };
  spanDelayMs: number;
  metricIntervalMs: number;
  version: string;
  /** Distinguishes the processes of one service. */
  processId: string;
  logger: Logger;
}

const SCOPE = 'docent';
const CLOSE_WITHIN_MS = 3000;
/** A collector that is away fails every export; the log need not say it each time. */
const REPORT_EVERY_MS = 60_000;
const MAX_ATTRIBUTE_CHARACTERS = 256;
const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/**
 * Exports over OTLP (protobuf over HTTP) to the endpoints of the environment. Nothing is registered
 * globally: packages that would report to a global provider, with attributes that nobody here has
 * checked, report nothing.
 */
export function openTelemetry(options: OpenTelemetryOptions): Telemetry {
  setGlobalErrorHandler(reportSometimes(options.logger));
  const resource = resourceOf(options);
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(options.sampler),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: options.traces
      ? [
          new BatchSpanProcessor({
            exporter: new OTLPTraceExporter(),
            scheduledDelayMillis: options.spanDelayMs,
          }),
        ]
      : [],
  });
  let meters: MeterProvider | undefined;
  return {
    ...tracing(provider.getTracer(SCOPE, options.version)),
    exportMetrics: (read) => {
      if (options.metrics) meters ??= exportingMetrics(read, resource, options);
    },
    close: () => inTime(flush([provider, meters]), CLOSE_WITHIN_MS, () => {}),
  };
}

async function flush(
  providers: readonly ({ shutdown(): Promise<void> } | undefined)[],
): Promise<void> {
  await Promise.allSettled(providers.map((provider) => provider?.shutdown()));
}

/** The variables take precedence: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`. */
function resourceOf({
  version,
  processId,
}: Pick<OpenTelemetryOptions, 'version' | 'processId'>): Resource {
  const ours = {
    'service.name': SCOPE,
    'service.version': version,
    'service.instance.id': processId,
  };
  return resourceFromAttributes(ours).merge(detectResources({ detectors: [envDetector] }));
}

function samplerOf({ isParentBased, ratio }: OpenTelemetryOptions['sampler']) {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function reportSometimes(logger: Logger): (error: unknown) => void {
  let nextAt = 0;
  return (error) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + REPORT_EVERY_MS;
    const reason = error instanceof Error ? error.message : 'unknown';
    logger.warn(
      { reason },
      'telemetry could not be exported; it is dropped until the collector answers',
    );
  };
}

function exportingMetrics(
  read: () => Promise<readonly MetricFamily[]>,
  resource: Resource,
  { metricIntervalMs, version }: OpenTelemetryOptions,
): MeterProvider {
  const startedAt = new Date();
  const collect = async () => {
    const metrics = metricDataOf(await read(), startedAt, new Date());
    return {
      resourceMetrics: { resource, scopeMetrics: [{ scope: { name: SCOPE, version }, metrics }] },
      errors: [],
    };
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(metricIntervalMs, 30_000),
    metricProducers: [{ collect }],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** The current span travels with the asynchronous calls that it makes. */
function tracing(tracer: Tracer): Pick<Telemetry, 'open' | 'span' | 'current'> {
  const storage = new AsyncLocalStorage<TracedSpan>();
  const open = (name: string, options: SpanOptions = {}) => {
    const { kind = 'internal', attributes = {}, parent, link, agoMs = 0 } = options;
    const remote = remoteContext(parent);
    const around = remote
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : storage.getStore()?.context;
    const linked = remoteContext(link);
    const span = tracer.startSpan(
      name,
      {
        kind: KINDS[kind],
        attributes: present(attributes),
        ...(linked && { links: [{ context: linked }] }),
        ...(agoMs > 0 && { startTime: Date.now() - agoMs }),
      },
      around ?? ROOT_CONTEXT,
    );
    return new TracedSpan(span, storage);
  };
  return {
    open,
    current: () => storage.getStore(),
    span: async (name, options, work) => {
      const span = open(name, options);
      try {
        const result = await span.run(() => work(span));
        span.end();
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
}

function remoteContext(traceparent: string | undefined) {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context ? { ...context, isRemote: true } : undefined;
}

function present(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

class TracedSpan implements OpenSpan {
  readonly #span: Span;
  readonly #storage: AsyncLocalStorage<TracedSpan>;

  constructor(span: Span, storage: AsyncLocalStorage<TracedSpan>) {
    this.#span = span;
    this.#storage = storage;
  }

  /** The context of its children. */
  get context() {
    return trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(present(attributes));
  }

  run<Result>(work: () => Result): Result {
    return this.#storage.run(this, work);
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.set({ 'error.type': error instanceof Error ? error.name : 'unknown' });
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}
