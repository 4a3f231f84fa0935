import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type GaugeMetricData,
  type Histogram,
  type HistogramMetricData,
  type MetricData,
  type SumMetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily } from '../../ports/telemetry.ts';

type Value = MetricFamily['values'][number];
type Times = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>;

/**
 * Converts the metrics of the registry to those of OTLP, under the same names: counters to sums,
 * gauges to gauges, histograms to histograms, all since the start of the process. Types that the
 * registry has and OTLP lacks are left out.
 */
export function metricDataOf(
  families: readonly MetricFamily[],
  startedAt: Date,
  now: Date,
): MetricData[] {
  const times = { startTime: hrTime(startedAt), endTime: hrTime(now) };
  return families.flatMap((family) => {
    const data = dataOf(family, times);
    return data && data.dataPoints.length > 0 ? [data] : [];
  });
}

function dataOf(
  { name, help, type, values }: MetricFamily,
  times: Times,
): SumMetricData | GaugeMetricData | HistogramMetricData | undefined {
  const common = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () =>
    values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
  if (type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
  if (type === 'gauge')
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() };
  if (type === 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogramPoints(values, times),
    };
  return undefined;
}

/**
 * The registry lists a histogram as one value for each bucket, which includes the smaller ones,
 * then the sum and the count.
 */
function histogramPoints(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, Value[]>();
  for (const entry of values) {
    const { le: _, ...labels } = entry.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    series.set(key, [...(series.get(key) ?? []), entry]);
  }
  return [...series.values()].map((entries) => {
    const { le: _, ...labels } = entries[0]?.labels ?? {};
    return { ...times, attributes: attributesOf(labels), value: histogramOf(entries) };
  });
}

function histogramOf(entries: readonly Value[]): Histogram {
  const ofKind = (ending: string) =>
    entries.find(({ metricName }) => metricName?.endsWith(ending))?.value ?? 0;
  const buckets = entries.flatMap(({ labels: { le }, value }) =>
    le === undefined ? [] : [{ limit: boundOf(le), value }],
  );
  buckets.sort((a, b) => a.limit - b.limit);
  return {
    buckets: {
      boundaries: buckets.map(({ limit }) => limit).filter(Number.isFinite),
      counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
    },
    sum: ofKind('_sum'),
    count: ofKind('_count'),
  };
}

function boundOf(le: string | number): number {
  return le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
}

function attributesOf(labels: Value['labels']): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

/** The names of the registry end in their unit (UCUM in OTLP). */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

function hrTime(date: Date): HrTime {
  return millisToHrTime(date.getTime());
}
