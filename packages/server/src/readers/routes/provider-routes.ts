import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import { cookiesOf, cookieText } from '../../kernel/http/cookies.ts';
import { isEncrypted } from '../../kernel/http/reader-of.ts';
import { hashSecret } from '../../kernel/ids.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { findAccess } from '../access/access-rows.ts';
import { useProof } from '../sign-in/proof-rows.ts';
import {
  beginSignIn,
  type Challenge,
  endSignIn,
  type Provider,
  type ProviderDeps,
  providerOf,
} from '../sign-in/providers.ts';
import { admit, type SessionDeps } from './admit.ts';
import { redirectIn, sendForm } from './sign-in-pages.ts';

type SignInDeps = ProviderDeps & SessionDeps & Pick<Deps, 'logger'>;

/** A sign-in that began in this browser, as its cookie keeps it. */
interface Begun extends Challenge {
  kind: Provider['kind'];
  generation: string;
  redirect: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const CALLBACK_PATH = 'login/oauth-callback';
const SIGN_IN_SECONDS = 600;

/** Sends the browser to the provider of a site. */
export function sendToProvider(kind: Provider['kind']) {
  return async (
    deps: SignInDeps,
    request: FastifyRequest,
    reply: FastifyReply,
    site: LiveSite,
  ): Promise<FastifyReply> => {
    const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
    const { methods } = await findAccess(deps.database.queries, site.siteId);
    const provider = providerOf(methods, kind);
    if (!provider)
      return sendForm(reply, site, methods, 403, {
        redirect,
        problem: 'This way to sign in has ended.',
      });
    reply.header('cache-control', 'no-store');
    // The provider leads back to one address, and the cookie must be there. A proxy in front may
    // have another host than the request.
    const { host } = new URL(site.publicUrl);
    if (site.settings.publicUrl === null && request.host !== host)
      return reply.redirect(
        `${site.publicUrl}/login/${kind}?${new URLSearchParams({ redirect })}`,
        303,
      );
    try {
      const { address, challenge } = await beginSignIn(
        deps,
        provider,
        `${site.publicUrl}/${CALLBACK_PATH}`,
      );
      const expiresAt = deps.clock.now().getTime() + SIGN_IN_SECONDS * 1000;
      const begun: Begun = {
        ...challenge,
        kind,
        generation: provider.settings.generation,
        redirect,
        expiresAt,
      };
      const sealed = sealSecret(
        deps.secret,
        'sign-ins of readers',
        JSON.stringify([site.siteId, begun]),
      );
      return reply
        .header('set-cookie', cookieOf(site, encodeURIComponent(sealed), SIGN_IN_SECONDS))
        .header('referrer-policy', 'no-referrer')
        .redirect(address, 303);
    } catch (error) {
      return sendFault(deps, error, (problem) =>
        sendForm(reply, site, methods, 403, { redirect, problem }),
      );
    }
  };
}

/** Takes the answer of a provider, which brings the browser back. */
export async function takeProviderAnswer(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const { queries } = deps.database;
  const { methods, sessionDays } = await findAccess(queries, site.siteId);
  const begun = begunIn(deps, request, site);
  const redirect = begun?.redirect ?? '/';
  const refuse = (problem: string) => {
    reply.header('set-cookie', cookieOf(site, '', 0));
    return sendForm(reply, site, methods, 403, { redirect, problem });
  };
  const provider = begun && providerOf(methods, begun.kind);
  if (!provider || provider.settings.generation !== begun.generation)
    return refuse('The sign-in did not begin in this browser, or took too long. Try again.');
  if (
    !(await useProof(
      queries,
      hashSecret(`${site.siteId} ${begun.state}`),
      new Date(begun.expiresAt),
    ))
  )
    return refuse('The sign-in was used before. Try again.');
  const answer = new URL(`${site.publicUrl}/${CALLBACK_PATH}`);
  answer.search = request.url.slice(request.url.indexOf('?') + 1);
  try {
    const signIn = await endSignIn(deps, provider, answer, begun);
    reply.header('set-cookie', cookieOf(site, '', 0));
    return await admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
  } catch (error) {
    return sendFault(deps, error, refuse);
  }
}

function begunIn(
  { secret, clock }: SignInDeps,
  request: FastifyRequest,
  site: LiveSite,
): Begun | undefined {
  for (const value of cookiesOf(request, cookieNameOf(site)).slice(0, 4)) {
    const text = openSecret(
      secret,
      'sign-ins of readers',
      decodeURIComponent(/^(?:[\w.-]|%[0-7][0-9a-f])*$/i.test(value) ? value : ''),
    );
    if (text === undefined) continue;
    const [siteId, begun] = JSON.parse(text) as [string, Begun];
    if (siteId === site.siteId && begun.expiresAt > clock.now().getTime()) return begun;
  }
  return undefined;
}

function cookieNameOf(site: LiveSite): string {
  return `${isEncrypted(site) ? '__Host-' : ''}docent-sign-in-${site.siteId.toLowerCase()}`;
}

/** Sent with the navigation from the provider, so not only to requests of the site itself. */
function cookieOf(site: LiveSite, value: string, seconds: number): string {
  const name = cookieNameOf(site);
  return cookieText({ name, value, seconds, isEncrypted: isEncrypted(site) });
}

function sendFault(
  { logger }: SignInDeps,
  error: unknown,
  send: (problem: string) => FastifyReply,
): FastifyReply {
  if (!(error instanceof DocentError)) throw error;
  logger.warn({ reason: error.message }, 'a reader could not sign in with the provider of a site');
  return send(error.message);
}
