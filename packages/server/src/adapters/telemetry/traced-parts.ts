import type { BlobStore } from '../../ports/blob-store.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import type { QueryReport } from '../../ports/database.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { JobDefinition, JobQueue } from '../../ports/job-queue.ts';
import type { OutsideCalls } from '../../ports/outside-calls.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { OpenSpan, SpanAttributes, SpanOptions, Telemetry } from '../../ports/telemetry.ts';

/** Most queries outside a span are polls, which would be most of what is exported. */
export function traceQueries(telemetry: Telemetry): (query: QueryReport) => void {
  return ({ operation, table, durationMs, error }) => {
    if (!telemetry.current()) return;
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.collection.name': table,
    };
    const name = table === undefined ? operation : `${operation} ${table}`;
    telemetry.open(name, { kind: 'client', attributes, agoMs: durationMs }).end(error);
  };
}

/** Keys stay out: those of sources and bundles lead to what is private. */
export function traceBlobs(
  store: BlobStore,
  telemetry: Telemetry,
  system: 's3' | 'file-system',
): BlobStore {
  const inside = <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    if (!telemetry.current()) return work();
    const attributes = { 'docent.store': system, 'docent.store.operation': operation };
    return telemetry.span(
      `blob ${operation}`,
      { kind: system === 's3' ? 'client' : 'internal', attributes },
      work,
    );
  };
  return {
    put: (...input) => inside('put', () => store.put(...input)),
    get: (...input) => inside('get', () => store.get(...input)),
    read: (...input) => inside('read', () => store.read(...input)),
    stat: (...input) => inside('stat', () => store.stat(...input)),
    delete: (...input) => inside('delete', () => store.delete(...input)),
    list: (prefix) => store.list(prefix),
    presign: (...input) => store.presign(...input),
    close: () => store.close(),
  };
}

/** The model's server gets the `traceparent` of the call. */
export function traceModel(model: ChatModel, telemetry: Telemetry): ChatModel {
  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart> {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.name };
    const span = telemetry.open(`chat ${model.name}`, { kind: 'client', attributes });
    let fault: unknown;
    try {
      for await (const part of model.stream(
        { ...request, traceparent: span.traceparent },
        signal,
      )) {
        if (part.type === 'finish') span.set(usageOf(part));
        yield part;
      }
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      span.end(fault);
    }
  }
  return { ...model, stream };
}

function usageOf({ reason, usage }: ChatPart & { type: 'finish' }) {
  return {
    'gen_ai.response.finish_reasons': reason,
    'gen_ai.usage.input_tokens': usage.inputTokens ?? undefined,
    'gen_ai.usage.output_tokens': usage.outputTokens ?? undefined,
  };
}

/** As `traceModel`, by the same conventions: one call is one span. */
export function traceEmbedder(embedder: Embedder, telemetry: Telemetry): Embedder {
  return {
    ...embedder,
    embed: (texts, as, signal) =>
      modelSpan(
        telemetry,
        'embeddings',
        embedder.name,
        { 'docent.embedded.texts': texts.length },
        async (span) => {
          const vectors = await embedder.embed(texts, as, signal, span.traceparent);
          span.set({ 'gen_ai.embeddings.dimension.count': vectors[0]?.length });
          return vectors;
        },
      ),
  };
}

/** The conventions have no operation for it, and let systems name their own. */
export function traceReranker(reranker: Reranker, telemetry: Telemetry): Reranker {
  return {
    ...reranker,
    rerank: (query, passages, signal) =>
      modelSpan(
        telemetry,
        'rerank',
        reranker.name,
        { 'docent.reranked.passages': passages.length },
        (span) => reranker.rerank(query, passages, signal, span.traceparent),
      ),
  };
}

function modelSpan<Result>(
  telemetry: Telemetry,
  operation: string,
  model: string,
  more: SpanAttributes,
  work: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model, ...more };
  return telemetry.span(`${operation} ${model}`, { kind: 'client', attributes }, work);
}

/** What is called gets the `traceparent`, unless the caller has set one. */
export function traceCalls(calls: OutsideCalls, telemetry: Telemetry): OutsideCalls {
  return {
    call: (call) => {
      const attributes = {
        'http.request.method': call.method,
        'server.address': URL.parse(call.url)?.hostname,
      };
      return telemetry.span(call.method, { kind: 'client', attributes }, async (span) => {
        const isSet = call.headers.some(([name]) => name.toLowerCase() === 'traceparent');
        const headers = isSet
          ? call.headers
          : [...call.headers, ['traceparent', span.traceparent] as const];
        const answer = await calls.call({ ...call, headers });
        span.set({ 'http.response.status_code': answer.status });
        return answer;
      });
    },
  };
}

/**
 * A job is a trace of its own, linked to what added it. The `traceparent` is stored beside the
 * payload; a worker without telemetry, or of an older version, does not read it.
 */
export function traceJobs(queue: JobQueue, telemetry: Telemetry): JobQueue {
  return {
    enqueue: (job, payload, ...rest) => {
      const options: SpanOptions = {
        kind: 'producer',
        attributes: { 'messaging.destination.name': job.name },
      };
      const send = (span: OpenSpan) =>
        queue.enqueue(job, { ...payload, traceparent: span.traceparent }, ...rest);
      return telemetry.current()
        ? telemetry.span(`send ${job.name}`, options, send)
        : queue.enqueue(job, payload, ...rest);
    },
    work: (job, handler, { givenUp, ...options } = {}) =>
      queue.work(
        withTraceparent(job),
        ({ payload, traceparent }, context) => {
          const attributes = {
            'messaging.destination.name': job.name,
            'docent.job.attempt': context.attempt,
          };
          return telemetry.span(
            `process ${job.name}`,
            { kind: 'consumer', attributes, link: traceparent },
            () => handler(payload, context),
          );
        },
        { ...options, ...(givenUp && { givenUp: ({ payload }) => givenUp(payload) }) },
      ),
    depth: () => queue.depth(),
    close: () => queue.close(),
  };
}

function withTraceparent<Payload extends object>(
  job: JobDefinition<Payload>,
): JobDefinition<{ payload: Payload; traceparent: string | undefined }> {
  return {
    ...job,
    parse: (stored) => ({ payload: job.parse(stored), traceparent: traceparentIn(stored) }),
  };
}

function traceparentIn(stored: unknown): string | undefined {
  const isNamed = typeof stored === 'object' && stored !== null && 'traceparent' in stored;
  return isNamed && typeof stored.traceparent === 'string' ? stored.traceparent : undefined;
}
