import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/**
 * The part of the protocol that is asserted on, with the field numbers of its specification (OTLP
 * 1, `opentelemetry.proto`).
 */
const SCHEMA = `syntax = "proto3";
message Traces { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; repeated Link links = 13;
  Status status = 15;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }
message Resource { repeated KeyValue attributes = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message Metrics { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message ScopeMetrics { repeated Metric metrics = 2; }
message Metric { string name = 1; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message NumberDataPoint { double as_double = 4; sfixed64 as_int = 6; repeated KeyValue attributes = 7; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message HistogramDataPoint {
  fixed64 count = 4; double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7;
  repeated KeyValue attributes = 9;
}`;

const { root } = protobuf.parse(SCHEMA);

type Attributes = Record<string, string | number | boolean>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  /** 2 if the work failed. */
  status: number;
  links: { traceId: string; spanId: string }[];
  attributes: Attributes;
  resource: Attributes;
}

interface ReceivedPoint {
  attributes: Attributes;
  asDouble?: number;
  count?: number;
  sum?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
}

export interface ReceivedMetric {
  name: string;
  unit: string;
  kind: 'gauge' | 'sum' | 'histogram';
  isMonotonic?: boolean;
  points: ReceivedPoint[];
}

/** A receiver of OTLP over HTTP that keeps what it receives. */
export interface OtlpCollector {
  url: string;
  spans: ReceivedSpan[];
  /** What the newest export contained. */
  metrics: ReceivedMetric[];
  /** Everything that was received, as it was sent. */
  bytes(): Buffer;
  /** The status of the next responses; 200 at first. */
  status: number;
  /** Number of requests received. */
  requests: number;
  close(): void;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: Buffer[] = [];
  const server = http.createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    collector.requests += 1;
    const isProtobuf =
      request.method === 'POST' && request.headers['content-type'] === 'application/x-protobuf';
    if (isProtobuf && collector.status === 200) {
      bodies.push(body);
      if (request.url === '/v1/traces') collector.spans.push(...spansIn(body));
      if (request.url === '/v1/metrics') collector.metrics = metricsIn(body);
    }
    response
      .writeHead(isProtobuf ? collector.status : 415, { 'content-type': 'application/x-protobuf' })
      .end();
  });
  const collector: OtlpCollector = {
    url: '',
    spans: [],
    metrics: [],
    status: 200,
    requests: 0,
    bytes: () => Buffer.concat(bodies),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}

interface KeyValue {
  key: string;
  value?: Record<string, string | number | boolean>;
}

/** What the decoder returns: the fields of the schema above, bytes as Base64. */
interface Decoded {
  resource: { attributes: KeyValue[] };
  scopeSpans: { spans: DecodedSpan[] }[];
  scopeMetrics: { metrics: DecodedMetric[] }[];
}

interface DecodedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code?: number };
  links: { traceId: string; spanId: string }[];
  attributes: KeyValue[];
}

interface DecodedPoints {
  dataPoints: (Omit<ReceivedPoint, 'attributes'> & { attributes: KeyValue[] })[];
  isMonotonic?: boolean;
}

interface DecodedMetric {
  name: string;
  unit?: string;
  gauge?: DecodedPoints;
  sum?: DecodedPoints;
  histogram?: DecodedPoints;
}

function decode(type: 'Traces' | 'Metrics', field: string, body: Buffer): Decoded[] {
  const message = root.lookupType(type);
  return message.toObject(message.decode(body), { longs: Number, bytes: String, arrays: true })[
    field
  ];
}

function attributesOf(list: readonly KeyValue[] = []): Attributes {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, Object.values(value ?? {})[0] ?? '']),
  );
}

function hex(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

function spansIn(body: Buffer): ReceivedSpan[] {
  return decode('Traces', 'resourceSpans', body).flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => spanOf(span, attributesOf(resource.attributes))),
    ),
  );
}

function spanOf(span: DecodedSpan, resource: Attributes): ReceivedSpan {
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentId: hex(span.parentSpanId),
    name: span.name,
    kind: span.kind,
    status: span.status?.code ?? 0,
    links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
    attributes: attributesOf(span.attributes),
    resource,
  };
}

function metricsIn(body: Buffer): ReceivedMetric[] {
  return decode('Metrics', 'resourceMetrics', body).flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(metricOf)),
  );
}

function metricOf({ name, unit = '', gauge, sum, histogram }: DecodedMetric): ReceivedMetric {
  const { dataPoints = [], isMonotonic } = gauge ?? sum ?? histogram ?? {};
  const points = dataPoints.map((point) => ({
    ...point,
    attributes: attributesOf(point.attributes),
  }));
  const kind = gauge ? 'gauge' : sum ? 'sum' : 'histogram';
  return { name, unit, kind, ...(isMonotonic !== undefined && { isMonotonic }), points };
}
