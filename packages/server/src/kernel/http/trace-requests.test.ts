import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FAKE_DIMENSIONS,
  type FakeModels,
  startFakeModels,
} from '../../../../../test/support/fake-models.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../../../../../test/support/fake-openai.ts';
import {
  call,
  fetchSite,
  fixtureSite,
  publishArchive,
  tarball,
  until,
} from '../../../../../test/support/http.ts';
import {
  type OtlpCollector,
  type ReceivedSpan,
  startOtlpCollector,
} from '../../../../../test/support/otlp-collector.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  root,
  sourceMain,
  startDocent,
  temporaryFolder,
} from '../../../../../test/support/start-docent.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const QUESTION = 'Does the zyzzyva of Ada Lovelace install?';

let collector: OtlpCollector;
let model: FakeOpenAi;
let searchModels: FakeModels;
let docent: RunningDocent;

beforeAll(async () => {
  collector = await startOtlpCollector();
  model = await startFakeOpenAi([[{ text: 'Run the installer.' }]]);
  searchModels = await startFakeModels();
  docent = await startDocent({
    env: {
      DOCENT_MODEL: 'openai-compatible:tiny',
      DOCENT_MODEL_URL: model.url,
      DOCENT_EMBEDDINGS: 'openai-compatible:toy',
      DOCENT_EMBEDDINGS_URL: searchModels.url,
      DOCENT_RERANKER: 'openai-compatible:judge',
      DOCENT_RERANKER_URL: searchModels.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
});
afterAll(async () => {
  await docent.kill();
  collector.close();
  await model.close();
  await searchModels.close();
  await removeTemporaryFolders();
});

/** Waits for a span that the collector has received, or will. */
const spanWhere = (fits: (span: ReceivedSpan) => boolean) =>
  until(async () => collector.spans.find(fits));
const childOf = (parent: ReceivedSpan) => (span: ReceivedSpan) =>
  span.traceId === parent.traceId && span.parentId === parent.spanId;

it('exports a page as a span of its route, below the traceparent of its reader', async () => {
  const page = await fetchSite(docent, docent.domain, '/?token=s3cret-in-a-query', {
    headers: { traceparent },
  });
  expect(page.status).toBe(200);
  const span = await spanWhere((candidate) => candidate.parentId === CALLER.spanId);
  expect(span).toMatchObject({
    traceId: CALLER.traceId,
    kind: 2,
    name: expect.stringMatching(/^GET \/sites\/:slug/),
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'docent.site': docent.domain,
    },
    resource: {
      'service.name': 'docent',
      'deployment.environment.name': 'test',
      'service.instance.id': expect.any(String),
    },
  });
});

it('a traceparent that is not valid starts a new trace', async () => {
  for (const invalid of [
    'nonsense',
    `00-${'0'.repeat(32)}-${CALLER.spanId}-01`,
    `ff-${CALLER.traceId}-${CALLER.spanId}-01`,
  ]) {
    const before = collector.spans.length;
    const path = '/discovery/v1/nothing';
    expect((await fetch(docent.apiUrl + path, { headers: { traceparent: invalid } })).status).toBe(
      404,
    );
    const span = await until(async () =>
      collector.spans.slice(before).find(({ name }) => name === 'GET'),
    );
    expect(span).toMatchObject({ parentId: '', attributes: { 'http.response.status_code': 404 } });
    expect(span.traceId).not.toBe(CALLER.traceId);
  }
});

it('exports the query and the model call of an answer as its children, and sends the model the traceparent of the call', async () => {
  const asked = await call(
    docent,
    docent.assistantKey,
    'POST',
    `/discovery/v1/assistant/${docent.domain}/message`,
    {
      fp: 'anonymous',
      messages: [{ role: 'user', content: QUESTION }],
    },
  );
  expect(await asked.text()).toContain('installer');
  const request = await spanWhere(({ name }) => name.endsWith('/assistant/:domain/message'));
  expect(request).toMatchObject({
    kind: 2,
    parentId: '',
    attributes: { 'docent.site': docent.domain },
  });
  const chat = await spanWhere(
    ({ name, traceId }) => name.startsWith('chat ') && traceId === request.traceId,
  );
  expect(chat).toMatchObject({
    kind: 3,
    parentId: request.spanId,
    attributes: { 'gen_ai.request.model': 'openai-compatible:tiny' },
  });
  expect(model.headers.map((headers) => headers.traceparent)).toContain(
    `00-${chat.traceId}-${chat.spanId}-01`,
  );
  const query = await spanWhere(
    (span) => childOf(request)(span) && span.attributes['db.system.name'] === 'postgresql',
  );
  expect(query).toMatchObject({ kind: 3, name: expect.stringMatching(/^[A-Z]+( \w+)?$/) });
});

it('exports the calls of embedding model and reranker as children of the search, and sends both servers the traceparent', async () => {
  const ends = `/v1/search/${docent.domain}`;
  const [request, embeddings, rerank] = await until(async () => {
    const body = { query: 'zyzzyva velocipede', pageSize: 5 };
    expect((await call(docent, docent.assistantKey, 'POST', ends, body)).status).toBe(200);
    const embedding = collector.spans.find(
      (span) => span.name === 'embeddings openai-compatible:toy' && isSearch(span),
    );
    const judging = collector.spans.find(
      (span) => span.name === 'rerank openai-compatible:judge' && isSearch(span),
    );
    return embedding && judging && ([searchOf(judging), embedding, judging] as const);
  });
  expect(request?.name).toBe('POST /v1/search/:domain');
  expect(embeddings).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': 'openai-compatible:toy',
      'gen_ai.embeddings.dimension.count': FAKE_DIMENSIONS,
      'docent.embedded.texts': 1,
    },
  });
  expect(rerank).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'rerank',
      'gen_ai.request.model': 'openai-compatible:judge',
    },
  });
  const received = searchModels.requests.map(({ traceparent: sent }) => sent);
  for (const span of [embeddings, rerank])
    expect(received).toContain(`00-${span.traceId}-${span.spanId}-01`);
});

/** The search that a span is part of, if it is. */
const searchOf = ({ traceId }: ReceivedSpan) =>
  collector.spans.find(
    (span) =>
      span.traceId === traceId && span.name.startsWith('POST ') && span.name.includes('/search/'),
  );
const isSearch = (span: ReceivedSpan) => searchOf(span) !== undefined;

it('exports a publish as a trace of its own with the build in it, linked to the request that added it', async () => {
  const { status } = await publishArchive(docent, 'traced', tarball(fixtureSite('small')));
  expect(status).toBe('success');
  const request = await spanWhere(
    ({ name }) => name.startsWith('PUT ') && name.endsWith('/source'),
  );
  const send = await spanWhere(
    (span) => span.name === 'send publish-site' && span.traceId === request.traceId,
  );
  expect(send).toMatchObject({ kind: 4, parentId: request.spanId });
  const job = await spanWhere(
    ({ name, links }) =>
      name === 'process publish-site' && links.some(({ spanId }) => spanId === send.spanId),
  );
  expect(job).toMatchObject({
    kind: 5,
    parentId: '',
    links: [{ traceId: request.traceId, spanId: send.spanId }],
  });
  const build = await spanWhere((span) => span.name === 'build site' && childOf(job)(span));
  await spanWhere((span) => span.name === 'blob put' && childOf(build)(span));
  await spanWhere((span) => span.name === 'COMMIT' && span.traceId === job.traceId);
});

it('exports the metrics of /metrics under the same names', async () => {
  const exported = await until(async () =>
    collector.metrics.some(({ name }) => name === 'docent_http_request_duration_seconds')
      ? collector.metrics
      : undefined,
  );
  const text = await (await fetch(`${docent.apiUrl}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm)].map(
    ([, name]) => name,
  );
  expect(names.filter((name) => text.includes(`\n${name}`)).length).toBeGreaterThan(20);
  const known = new Set(names);
  expect(exported.filter(({ name }) => !known.has(name))).toEqual([]);
  expect(exported.find(({ name }) => name === 'docent_build_info')).toMatchObject({
    kind: 'gauge',
    points: [{ asDouble: 1 }],
  });
  expect(exported.find(({ name }) => name === 'docent_answers_total')).toMatchObject({
    kind: 'sum',
    isMonotonic: true,
  });
  const durations = exported.find(({ name }) => name === 'docent_http_request_duration_seconds');
  expect(durations).toMatchObject({ kind: 'histogram', unit: 's' });
  for (const { count = 0, bucketCounts = [], explicitBounds = [], sum = 0 } of durations?.points ??
    []) {
    expect(bucketCounts.reduce((total, each) => total + each, 0)).toBe(count);
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
    expect(sum).toBeGreaterThan(0);
  }
});

it('what is exported contains neither questions, nor keys, nor query strings', () => {
  const bytes = collector.bytes();
  for (const secret of [
    QUESTION,
    'zyzzyva',
    's3cret-in-a-query',
    docent.adminKey,
    docent.assistantKey,
    'Run the installer',
  ])
    expect(bytes.includes(secret)).toBe(false);
});

describe('a collector that fails', () => {
  it('does not affect requests, and receives again when it is back', async () => {
    collector.status = 500;
    const before = collector.requests;
    expect((await fetchSite(docent, docent.domain, '/')).status).toBe(200);
    await until(async () => (collector.requests > before ? true : undefined));
    expect((await fetchSite(docent, docent.domain, '/')).status).toBe(200);
    collector.status = 200;
    const count = collector.spans.length;
    await until(async () => {
      await (await fetchSite(docent, docent.domain, '/')).text();
      return collector.spans.length > count ? true : undefined;
    });
  });

  it('a shutdown exports what is pending', async () => {
    const path = `/v1/project/update-status/none-${process.pid}`;
    const last = { ...CALLER, spanId: 'c0ffee00c0ffee00' };
    await (
      await call(docent, docent.adminKey, 'GET', path, undefined, {
        traceparent: `00-${last.traceId}-${last.spanId}-01`,
      })
    ).text();
    expect(await docent.stop()).toBe(0);
    expect(collector.spans.some(({ parentId }) => parentId === last.spanId)).toBe(true);
  });
});

it.each([
  ['without an endpoint, nothing of OpenTelemetry is loaded', {}, false],
  [
    'disabled, nothing of OpenTelemetry is loaded',
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    false,
  ],
  ['with an endpoint, it is loaded', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
])('%s', async (_, variables, isLoaded) => {
  const file = join(await temporaryFolder(), 'modules');
  const watch = pathToFileURL(join(root, 'test/support/watch-modules.ts'));
  const env = { NODE_OPTIONS: `--import=${watch}`, TEST_MODULES_FILE: file, ...variables };
  const watched = await startDocent({ isBasic: true, program: sourceMain, env });
  expect((await fetchSite(watched, watched.domain, '/')).status).toBe(200);
  await watched.stop();
  const modules = (await readFile(file, 'utf8')).split('\n');
  expect(modules.some((url) => url.endsWith('/src/start/compose.ts'))).toBe(true);
  // A package for sign-in uses the interface of OpenTelemetry, which does nothing by itself.
  expect(
    modules.some((url) => /\/@opentelemetry\/(?!api\/)|\/adapters\/telemetry\//.test(url)),
  ).toBe(isLoaded);
});
