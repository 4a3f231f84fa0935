import { describe, expect, it } from 'vitest';
import { telemetryFrom } from './telemetry-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('the variables of OpenTelemetry', () => {
  it.each([
    ['none', {}],
    ['no endpoint', { OTEL_SERVICE_NAME: 'docs', OTEL_TRACES_EXPORTER: 'otlp' }],
    ['OTEL_SDK_DISABLED', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['no exporter', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('export nothing with %s', (_, env) => {
    expect(telemetryFrom(env)).toBeUndefined();
  });

  it('export traces and metrics with an endpoint for both, or those with an endpoint of their own', () => {
    expect(telemetryFrom(ENDPOINT)).toMatchObject({ traces: true, metrics: true });
    const ours = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' };
    expect(telemetryFrom(ours)).toMatchObject({ traces: true, metrics: false });
    expect(telemetryFrom({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({
      traces: false,
      metrics: true,
    });
  });

  it.each([
    [undefined, undefined, { isParentBased: true, ratio: 1 }],
    ['always_off', undefined, { isParentBased: false, ratio: 0 }],
    ['traceidratio', '0.25', { isParentBased: false, ratio: 0.25 }],
    ['parentbased_traceidratio', undefined, { isParentBased: true, ratio: 1 }],
  ])('sample by %s %s', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, sampler) => {
    expect(
      telemetryFrom({ ...ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }),
    ).toMatchObject({ sampler });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' }, 'OTEL_METRICS_EXPORTER'],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER'],
    [
      { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      'OTEL_TRACES_SAMPLER_ARG',
    ],
    [{ ...ENDPOINT, OTEL_METRIC_EXPORT_INTERVAL: '10s' }, 'OTEL_METRIC_EXPORT_INTERVAL'],
  ])('are refused by name where a value cannot work: %o', (env, name) => {
    expect(() => telemetryFrom(env)).toThrow(new RegExp(`^${name}: expected`));
  });
});
