import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type OtlpCollector,
  startOtlpCollector,
} from '../../../../../test/support/otlp-collector.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import type { JobContext, JobDefinition, JobQueue } from '../../ports/job-queue.ts';
import { publishSiteJob } from '../../ports/jobs.ts';
import type { OutsideCall } from '../../ports/outside-calls.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { openTelemetry } from './open-telemetry.ts';
import { traceCalls, traceJobs } from './traced-parts.ts';

let collector: OtlpCollector;
let telemetry: Telemetry;
beforeAll(async () => {
  collector = await startOtlpCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  telemetry = openTelemetry({
    traces: true,
    metrics: false,
    sampler: { isParentBased: true, ratio: 1 },
    spanDelayMs: 60_000,
    metricIntervalMs: 60_000,
    version: '0',
    processId: 'test',
    logger: silentLogger,
  });
});
afterAll(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  collector.close();
});

it('a call to another server carries the traceparent of its span, unless the caller has set one, and only its host is exported', async () => {
  const sent: OutsideCall[] = [];
  const answer = { status: 202, statusText: '', headers: [], body: (async function* () {})() };
  const receive = async (call: OutsideCall) => {
    sent.push(call);
    return answer;
  };
  const calls = traceCalls({ call: receive }, telemetry);
  const call = {
    url: 'https://user:pw@hooks.example/secret-path?token=1',
    method: 'POST',
    timeoutMs: 1000,
  };
  await telemetry.span('outer', {}, () => calls.call({ ...call, headers: [['accept', '*/*']] }));
  await calls.call({ ...call, headers: [['Traceparent', 'theirs']] });
  const failing = traceCalls(
    { call: () => Promise.reject(new TypeError('with a secret')) },
    telemetry,
  );
  await expect(failing.call({ ...call, headers: [] })).rejects.toThrow('with a secret');
  await telemetry.close();
  const outer = collector.spans.find(({ name }) => name === 'outer');
  const [first, second, third] = collector.spans.filter(({ name }) => name === 'POST');
  expect(first).toMatchObject({
    traceId: outer?.traceId,
    parentId: outer?.spanId,
    attributes: { 'server.address': 'hooks.example', 'http.response.status_code': 202 },
  });
  expect(sent[0]?.headers).toEqual([
    ['accept', '*/*'],
    ['traceparent', `00-${first?.traceId}-${first?.spanId}-01`],
  ]);
  expect(second?.traceId).not.toBe(first?.traceId);
  expect(sent[1]?.headers).toEqual([['Traceparent', 'theirs']]);
  expect(third).toMatchObject({ status: 2, attributes: { 'error.type': 'TypeError' } });
  for (const secret of ['secret', 'token', 'user', 'pw@'])
    expect(collector.bytes().includes(secret)).toBe(false);
});

it('a worker without telemetry reads the payload of a job that was added with it, and the other way round', async () => {
  const stored: unknown[] = [];
  const handled: unknown[] = [];
  const queue: JobQueue = {
    enqueue: async (_job, payload) => void stored.push(JSON.parse(JSON.stringify(payload))),
    async work<Payload extends object>(
      job: JobDefinition<Payload>,
      handler: (payload: Payload, context: JobContext) => Promise<void>,
    ) {
      const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };
      for (const payload of [...stored, { deploymentId: 'old' }])
        await handler(job.parse(payload), context);
    },
    depth: async () => ({}),
    close: async () => {},
  };
  const traced = traceJobs(queue, telemetry);
  await telemetry.span('request', {}, () => traced.enqueue(publishSiteJob, { deploymentId: 'd' }));
  expect(stored).toEqual([
    { deploymentId: 'd', traceparent: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/) },
  ]);
  expect(publishSiteJob.parse(stored[0])).toEqual({ deploymentId: 'd' });
  await traced.work(publishSiteJob, async (payload) => void handled.push(payload));
  expect(handled).toEqual([{ deploymentId: 'd' }, { deploymentId: 'old' }]);
});
