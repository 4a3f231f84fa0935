import type { NamedLimit } from '@docent/format/access/limits.ts';
import type { Action } from '@docent/format/access/may.ts';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import * as z from 'zod';
import type { App } from '../http/base-app.ts';
import { problems } from '../http/problem.ts';
import { limitHeaders, type ResponseHeader } from '../http/response-headers.ts';
import { etagOf, type ParamName, pathParams } from './fields.ts';
import { actorOf, type IdentifyDeps, requireActor } from './identify.ts';
import { declareLimits } from './rate-limits.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
/**
 * A response in another form than JSON, such as a stream of events, which `run` sends with `reply`.
 */
interface SentAnswer {
  description: string;
  content: Record<string, { schema: z.ZodType }>;
}
/**
 * What `run` returns: the content of the response. With 204, and if `run` has sent the response,
 * the result is not sent.
 */
type Result<Answer> = Answer extends z.ZodNull | SentAnswer ? unknown : z.output<Answer>;

/** A call of an operation: the request as the schemas of the operation parsed it. */
interface Call<Route, Query, Headers, Body> {
  params: { [Name in ParamName<Route>]: string };
  query: Parsed<Query>;
  headers: Parsed<Headers>;
  body: Parsed<Body>;
  /** To set further headers. */
  reply: FastifyReply;
  request: FastifyRequest;
}

interface Operation<Route, Query, Headers, Body, Answer, Caller> {
  /** Method and URL, for example `GET /v1/keys/:keyId`; `fields.ts` describes the parameters. */
  route: Route;
  operationId: string;
  summary: string;
  description: string;
  query?: Query | undefined;
  headers?: Headers;
  body?: Body | undefined;
  /** The response; `z.null()` with a description for 204. */
  answer: Answer;
  /** The status of success if it is neither 200 nor 204. */
  status?: 201 | 202;
  /** Statuses of errors besides those that every operation of this shape has. */
  refusals?: number[];
  responseHeaders?: readonly ResponseHeader[];
  /**
   * The properties that one request can change: their values identify the state, for the `ETag`.
   */
  changeableOf?: (result: Result<Answer>) => object;
  run(call: Call<Route, Query, Headers, Body> & Caller): Result<Answer> | Promise<Result<Answer>>;
}

/** What distinguishes the operations of one kind: who may call them, and at which addresses. */
interface Access<Caller> {
  security: FastifySchema['security'];
  onRequest: onRequestAsyncHookHandler[];
  /** Statuses of errors that all of them have. */
  refusals?: number[];
  responseHeaders?: readonly ResponseHeader[];
  /** What precedes the URL, and whether the description omits the operation there. */
  places?: readonly { prefix: string; hide: boolean }[];
  callerOf: (request: FastifyRequest) => Caller;
}

/**
 * Returns a function that registers the operations of one tag of the API description.
 * @param accessOf reads the properties that only operations of this kind have
 */
export function operationsBy<Own, Caller>(
  app: App,
  tag: string,
  accessOf: (operation: Own) => Access<Caller>,
) {
  return <
    Answer extends z.ZodType | SentAnswer,
    const Route extends `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
    Query extends z.ZodType | undefined = undefined,
    Headers extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    operation: Operation<Route, Query, Headers, Body, Answer, Caller> & Own,
  ): void => {
    const { route, query, headers, body, answer, changeableOf } = operation;
    const {
      security,
      onRequest,
      places = [{ prefix: '', hide: false }],
      callerOf,
      ...access
    } = accessOf(operation);
    const [method, path] = route.split(' ') as [string, string];
    const status = answer instanceof z.ZodNull ? 204 : (operation.status ?? 200);
    const shownHeaders = [
      ...(changeableOf ? (['ETag'] as const) : []),
      ...(operation.responseHeaders ?? []),
      ...(access.responseHeaders ?? []),
    ];
    const refusals = [
      ...(access.refusals ?? []),
      ...(query || headers || body ? [400] : []),
      ...(body ? [413, 415] : []),
      ...(operation.refusals ?? []),
    ];
    for (const { prefix, hide } of places) {
      // The schemas are type parameters here, so Fastify cannot derive the types of the request.
      const options: RouteOptions = {
        method,
        url: prefix + path,
        schema: {
          hide,
          operationId: operation.operationId,
          summary: operation.summary,
          description: operation.description,
          ...(shownHeaders.length > 0 && { 'x-response-headers': shownHeaders }),
          tags: [tag],
          security,
          ...(path.includes(':') && { params: pathParams(path) }),
          ...(query && { querystring: query }),
          ...(headers && { headers }),
          ...(body && { body }),
          response: { [status]: answer, ...problems(...refusals) },
        },
        onRequest,
        handler: async (request, reply) => {
          const { params, query, headers, body } = request as unknown as Call<
            Route,
            Query,
            Headers,
            Body
          >;
          const result = await operation.run({
            params,
            query,
            headers,
            body,
            reply,
            request,
            ...callerOf(request),
          });
          if (!(answer instanceof z.ZodType)) return reply;
          if (changeableOf) reply.header('etag', etagOf(changeableOf(result)));
          return reply.code(status).send(status === 204 ? null : result);
        },
      };
      app.route(options);
    }
  };
}

interface KeyOperation {
  permission: Action;
  /**
   * The limit that its calls count against. The use case counts; `showLimit` shows what remains.
   */
  limit?: NamedLimit;
}

/**
 * Registers operations that manage an organization: for its admin keys, its members and the
 * operator.
 */
export function operationsOf(app: App, deps: IdentifyDeps, tag: string) {
  return operationsBy(app, tag, ({ permission, limit }: KeyOperation) => ({
    security: [{ adminKey: [] }],
    onRequest: [...(limit ? [declareLimits([limit])] : []), requireActor(deps, permission)],
    refusals: [401, 403, 404, ...(limit ? [429] : [])],
    responseHeaders: limit ? limitHeaders : [],
    callerOf: (request) => ({ actor: actorOf(request) }),
  }));
}

interface OpenOperation {
  /** Empty by default. */
  security?: FastifySchema['security'];
  /** Checks the caller. */
  onRequest?: onRequestAsyncHookHandler;
}

/** Registers operations that need no key; their hook or use case decides who may call them. */
export function openOperationsOf(app: App, tag: string) {
  return operationsBy(app, tag, ({ security = [], onRequest }: OpenOperation) => ({
    security,
    onRequest: onRequest ? [onRequest] : [],
    callerOf: () => ({}),
  }));
}
