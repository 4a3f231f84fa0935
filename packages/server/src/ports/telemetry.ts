/**
 * Facts about a piece of work. Never a secret, a question, a name of a person, or a query string.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** What the work is to other processes; `internal` by default. */
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  attributes?: SpanAttributes;
  /**
   * W3C `traceparent` of the work that caused this; by default it is the current span. Ignored if
   * it is invalid.
   */
  parent?: string | undefined;
  /** W3C `traceparent` of work that led to this and did not wait for it. */
  link?: string | undefined;
  /** How long ago the work began, in milliseconds. */
  agoMs?: number;
}

/** A piece of work that is measured from `open` to `end`. */
export interface OpenSpan {
  /** For the `traceparent` header of requests that are part of the work (W3C Trace Context). */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Runs `work` as part of this: spans that it opens are children. */
  run<Result>(work: () => Result): Result;
  /**
   * @param error what the work failed with; only its class is exported, since a message may contain
   *   anything
   */
  end(error?: unknown): void;
}

/** A metric with its values, as the registry of metrics lists it. */
export interface MetricFamily {
  name: string;
  help: string;
  type: string | number;
  values: readonly {
    value: number;
    labels: Partial<Record<string, string | number>>;
    metricName?: string | undefined;
  }[];
}

/**
 * Exports spans and metrics. Nothing here throws or waits for the receiver: what cannot be exported
 * is dropped.
 */
export interface Telemetry {
  open(name: string, options?: SpanOptions): OpenSpan;
  /** Runs `work` in a span that ends with it. */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: (span: OpenSpan) => Promise<Result>,
  ): Promise<Result>;
  /** Returns the span that the caller is part of. */
  current(): OpenSpan | undefined;
  /** Exports what `read` returns, at intervals. */
  exportMetrics(read: () => Promise<readonly MetricFamily[]>): void;
  /** Exports what is pending, within a few seconds. */
  close(): Promise<void>;
}

/** Runs `work` in a span, if telemetry is on. */
export function inSpan<Result>(
  telemetry: Telemetry | undefined,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return telemetry ? telemetry.span(name, {}, work) : work();
}
