import { halfSet } from './setting.ts';

/**
 * What is exported over OTLP, and how. Endpoints, headers, certificates and the resource are read
 * by the packages.
 */
export interface TelemetryConfig {
  traces: boolean;
  metrics: boolean;
  /** Of new traces; the callers' decisions count if the name says `parentbased`. */
  sampler: { isParentBased: boolean; ratio: number };
  /** How long spans are gathered before they are exported. */
  spanDelayMs: number;
  metricIntervalMs: number;
}

type Variables = Record<string, string | undefined>;

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];

/**
 * Reads the standard variables of OpenTelemetry.
 * @returns undefined unless an endpoint is set: nothing is exported, and nothing is loaded
 * @throws DocentError `invalid_setting`
 */
export function telemetryFrom(env: Variables): TelemetryConfig | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const traces = isExported(env, 'TRACES');
  const metrics = isExported(env, 'METRICS');
  if (!traces && !metrics) return undefined;
  return {
    traces,
    metrics,
    sampler: samplerFrom(env),
    spanDelayMs: milliseconds(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
    metricIntervalMs: milliseconds(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000),
  };
}

function isExported(env: Variables, signal: 'TRACES' | 'METRICS'): boolean {
  const name = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
    ? `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
    : ENDPOINT;
  const endpoint = env[name];
  const exporter = `OTEL_${signal}_EXPORTER`;
  if (!endpoint || env[exporter] === 'none') return false;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw halfSet(name, 'expected an http or https address; correct it.');
  if (env[exporter] && env[exporter] !== 'otlp')
    throw halfSet(exporter, 'expected otlp or none; correct it, or remove it.');
  for (const protocol of [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    if (env[protocol] && env[protocol] !== 'http/protobuf')
      throw halfSet(
        protocol,
        `expected http/protobuf, the only protocol that is spoken; use the collector's port for OTLP over HTTP.`,
      );
  }
  return true;
}

function samplerFrom(env: Variables): TelemetryConfig['sampler'] {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const root = name.replace(/^parentbased_/, '');
  if (!SAMPLERS.includes(root)) {
    const all = [...SAMPLERS, ...SAMPLERS.map((sampler) => `parentbased_${sampler}`)].join(', ');
    throw halfSet('OTEL_TRACES_SAMPLER', `expected one of ${all}; correct it, or remove it.`);
  }
  return {
    isParentBased: root !== name,
    ratio: root === 'always_on' ? 1 : root === 'always_off' ? 0 : ratioFrom(env),
  };
}

function ratioFrom({ OTEL_TRACES_SAMPLER_ARG: text }: Variables): number {
  const ratio = Number(text || 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw halfSet(
    'OTEL_TRACES_SAMPLER_ARG',
    'expected a number from 0 to 1; correct it, or remove it.',
  );
}

function milliseconds(env: Variables, name: string, preset: number): number {
  const text = env[name];
  if (!text) return preset;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw halfSet(name, 'expected a whole number of milliseconds; correct it, or remove it.');
}
