import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { NamedLimit } from '../core/access/limits.ts';
import type { Action, Actor } from '../core/access/may.ts';
import { limitHeaders, type ResponseHeader } from './api-document/response-headers.ts';
import type { App } from './base-app.ts';
import { actorOf, type IdentifyDeps, requireActor } from './identify.ts';
import { problems } from './problem.ts';
import { declareLimits } from './rate-limits.ts';
import { etagOf, type ParamName, pathParams } from './routes/fields.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
/** What `run` returns: the content of the response. With 204 the result is not sent. */
type Result<Answer extends z.ZodType> = Answer extends z.ZodNull ? unknown : z.output<Answer>;

/** A call of an operation: the caller, and the request as the schemas of the operation parsed it. */
interface Call<Route, Query, Headers, Body> {
  actor: Actor;
  params: { [Name in ParamName<Route>]: string };
  query: Parsed<Query>;
  headers: Parsed<Headers>;
  body: Parsed<Body>;
  /** To set further headers. */
  reply: FastifyReply;
  request: FastifyRequest;
}

/** An operation that manages an organization: for its admin keys, its members and the operator. */
interface Operation<Route, Query, Headers, Body, Answer extends z.ZodType> {
  /** Method and URL, for example `GET /v1/keys/:keyId`; `fields.ts` describes the parameters. */
  route: Route;
  operationId: string;
  summary: string;
  description: string;
  permission: Action;
  query?: Query;
  headers?: Headers;
  body?: Body;
  /** The response; `z.null()` with a description for 204. */
  answer: Answer;
  /** The status of success if it is neither 200 nor 204. */
  status?: 201 | 202;
  /** Statuses of errors besides those that every operation of this shape has. */
  refusals?: number[];
  responseHeaders?: readonly ResponseHeader[];
  /** The properties that one request can change: their values identify the state, for the `ETag`. */
  changeableOf?: (result: z.output<Answer>) => object;
  /** The limit that its calls count against. The use case counts; `showLimit` shows what remains. */
  limit?: NamedLimit;
  run(call: Call<Route, Query, Headers, Body>): Result<Answer> | Promise<Result<Answer>>;
}

/** Returns a function that registers the operations of one tag of the API description. */
export function operationsOf(app: App, deps: IdentifyDeps, tag: string) {
  return <
    Answer extends z.ZodType,
    const Route extends `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /v1/${string}`,
    Query extends z.ZodType | undefined = undefined,
    Headers extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    operation: Operation<Route, Query, Headers, Body, Answer>,
  ): void => {
    const { route, permission, query, headers, body, answer, limit, changeableOf } = operation;
    const [method, url] = route.split(' ') as [string, string];
    const status = answer instanceof z.ZodNull ? 204 : (operation.status ?? 200);
    const shownHeaders = [
      ...(changeableOf ? (['ETag'] as const) : []),
      ...(operation.responseHeaders ?? []),
      ...(limit ? limitHeaders : []),
    ];
    const refusals = [
      ...[401, 403, 404],
      ...(query || headers || body ? [400] : []),
      ...(body ? [413, 415] : []),
      ...(limit ? [429] : []),
      ...(operation.refusals ?? []),
    ];
    const onRequest: onRequestAsyncHookHandler[] = [requireActor(deps, permission)];
    if (limit) onRequest.unshift(declareLimits([limit]));
    // The schemas are type parameters here, so Fastify cannot derive the types of the request.
    const options: RouteOptions = {
      method,
      url,
      schema: {
        operationId: operation.operationId,
        summary: operation.summary,
        description: operation.description,
        ...(shownHeaders.length > 0 && { 'x-response-headers': shownHeaders }),
        tags: [tag],
        security: [{ adminKey: [] }],
        ...(url.includes(':') && { params: pathParams(url) }),
        ...(query && { querystring: query }),
        ...(headers && { headers }),
        ...(body && { body }),
        response: { [status]: answer, ...problems(...refusals) },
      },
      onRequest,
      handler: async (request, reply) => {
        const { params, query, headers, body } = request as unknown as Call<Route, Query, Headers, Body>;
        const result = await operation.run({ params, query, headers, body, actor: actorOf(request), reply, request });
        if (changeableOf) reply.header('etag', etagOf(changeableOf(result as z.output<Answer>)));
        return reply.code(status).send(status === 204 ? null : result);
      },
    };
    app.route(options);
  };
}
