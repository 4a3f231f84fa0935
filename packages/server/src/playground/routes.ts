import { Readable } from 'node:stream';
import { ipLimitKey } from '@docent/format/access/ip.ts';
import {
  ANSWER_TYPE,
  type ApiCall,
  CALL_PATH,
  CALL_TYPE,
  splitMessage,
} from '@docent/format/api-reference/playground/api-call.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { ownOriginsOf, shownSite } from '../kernel/http/asked-site.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../kernel/http/browser-origins.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import { type CallApiDeps, type CallingSite, callApi } from './call-api.ts';

export interface PlaygroundDeps extends CallApiDeps {
  /** Absent on the machine of an author, who calls an API by hand. */
  limiter?: RateLimiter;
  config: Pick<Config, 'trustedProxies'>;
}

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_CALL_BYTES = 10 * 1024 * 1024;
/**
 * Calls that run at a time, their bodies included: of the process, of a site, and of a client, as
 * many as browsers send.
 */
const MAX_RUNNING = 50;
const MAX_RUNNING_OF_SITE = 25;
const MAX_RUNNING_OF_CLIENT = 6;
const RETRY_SECONDS = 5;
const PER_CLIENT = { name: 'playground-ip', points: 60, windowSeconds: 60 };
const PER_SITE = { name: 'playground-site', points: 600, windowSeconds: 60 };

const pair = z.tuple([z.string().regex(/^[!#$%&'*+.^`|~\w-]{1,200}$/), z.string().max(16_384)]);
const callSchema = z.object({
  page: z.string().max(2_000),
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/)
    .refine((method) => !['CONNECT', 'TRACE', 'TRACK'].includes(method)),
  url: z.string().max(16_384),
  headers: z.array(pair).max(100),
  server: z
    .object({ index: z.int().min(0), variables: z.record(z.string(), z.string().max(2_000)) })
    .optional(),
});

/**
 * Proxies the API calls of a site's pages (`api.playground.proxy`). `GET` reports that this server
 * does so; `POST` accepts a call (`CALL_TYPE`). Only the site's own pages are answered. The API's
 * response is sent with a custom media type that no browser displays or runs, so nothing of it
 * becomes a document of this origin.
 */
export function playgroundRoutes(
  app: App,
  deps: PlaygroundDeps,
  base: string,
  siteOf: (request: FastifyRequest) => Promise<CallingSite>,
): void {
  const onRequest = [requireOwnOrigin(async (request) => (await siteOf(request)).origins ?? [])];
  const running = createRunningCalls();

  app.get(base, { onRequest }, async (request, reply) => {
    await siteOf(request);
    return reply.header('cache-control', 'no-store').send({ callsApis: true });
  });

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(CALL_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    // Before the body is read: bodies of calls that are refused take no memory.
    const begin = async (request: FastifyRequest, reply: FastifyReply) => {
      const site = await siteOf(request);
      if (!site.isProxying) throw new DocentError('call_refused', 'The site does not proxy calls.');
      await count(request, site);
      const client = clientOf(deps, request);
      reply.raw.once('close', running.begin(site.name, client && ipLimitKey(client)));
    };
    const options = {
      onRequest: [...onRequest, begin],
      bodyLimit: MAX_CALL_BYTES + MAX_HEAD_BYTES,
    };
    scope.post(base, options, async (request, reply) => {
      const site = await siteOf(request);
      const { call, body } = readCall(request.body);
      const { head, body: answered } = await callApi(deps, site, call, body, abortOnClose(reply));
      reply.header('cache-control', 'no-store').type(ANSWER_TYPE);
      return reply.send(Readable.from(framed(head, answered), { objectMode: false }));
    });
  });

  async function count(request: FastifyRequest, { name }: CallingSite): Promise<void> {
    const { limiter } = deps;
    if (!limiter) return;
    const client = clientOf(deps, request);
    const states = [client && (await limiter.consume(PER_CLIENT, ipLimitKey(client)))];
    if (states[0]?.allowed !== false) states.push(await limiter.consume(PER_SITE, name));
    const past = states.find((state) => state?.allowed === false);
    if (!past) return;
    const message = `The site proxies at most ${past.limit.points} calls per minute; try again in ${past.resetSeconds} seconds.`;
    throw new DocentError('rate_limited', message, { retryAfterSeconds: past.resetSeconds });
  }
}

/** Counts calls that have begun and not ended. */
function createRunningCalls() {
  const counts = new Map<string, number>();
  return {
    /**
     * @returns ends the call
     * @throws DocentError `rate_limited`, `dependency_unavailable`
     */
    begin(site: string, client: string | undefined): () => void {
      const maxima: [key: string, max: number, code: 'rate_limited' | 'dependency_unavailable'][] =
        [
          ['all', MAX_RUNNING, 'dependency_unavailable'],
          [`site ${site}`, MAX_RUNNING_OF_SITE, 'rate_limited'],
        ];
      if (client !== undefined)
        maxima.push([`client ${client}`, MAX_RUNNING_OF_CLIENT, 'rate_limited']);
      for (const [key, max, code] of maxima) {
        if ((counts.get(key) ?? 0) < max) continue;
        throw new DocentError(code, `At most ${max} calls run at a time; try again.`, {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      for (const [key] of maxima) counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        for (const [key] of maxima) {
          const left = (counts.get(key) ?? 1) - 1;
          if (left === 0) counts.delete(key);
          else counts.set(key, left);
        }
      };
    },
  };
}

function readCall(message: unknown): { call: ApiCall; body: Uint8Array } {
  const parts = message instanceof Uint8Array ? splitMessage(message, MAX_HEAD_BYTES) : undefined;
  const read = callSchema.safeParse(parts && parsed(parts.head));
  if (!parts || !read.success) {
    const fault = read.error?.issues[0];
    const place = fault ? `/${fault.path.join('/')}: ${fault.message}` : 'there is no first line';
    throw new DocentError('invalid_request', `The call is invalid (${place}).`);
  }
  return { call: read.data, body: (message as Uint8Array).subarray(parts.bodyAt) };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

async function* framed(head: object, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  yield* body;
}

/** The parts of a site that calls to its APIs need. */
function callingSite(site: LiveSite, isProxying: boolean): CallingSite {
  const { slug, build, pageContent } = site;
  return {
    name: slug,
    isProxying,
    origins: ownOriginsOf(site),
    pageHtml: async (href) => {
      const page = build.pages.find((builtPage) => builtPage.href === href);
      return page && (await pageContent(page.path))?.html;
    },
  };
}

/**
 * Proxies calls of the API pages of each site; only if the operator allows them
 * (`DOCENT_PLAYGROUND_PROXY`).
 * @param isProxying whether the author of a site enabled them
 */
export function sitePlaygroundRoutes(
  app: App,
  deps: PlaygroundDeps & Pick<Deps, 'liveSites'>,
  isProxying = ({ build }: LiveSite) => build.config.api?.isProxied === true,
): void {
  playgroundRoutes(app, deps, `${SITE_ROUTE}/${CALL_PATH}`, async (request) => {
    const site = await shownSite(deps, request);
    return callingSite(site, isProxying(site));
  });
}
