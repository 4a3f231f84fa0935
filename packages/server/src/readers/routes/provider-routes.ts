import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { beginSignIn, endSignIn, type ProviderDeps, providerOf } from '../sign-in/providers.ts';
import { beginSamlSignIn } from '../sign-in/saml.ts';
import { admit, type SessionDeps } from './admit.ts';
import {
  type Begun,
  forgetSignIn,
  type ProviderName,
  rememberSignIn,
  SIGN_IN_SECONDS,
  signInOf,
} from './begun-sign-ins.ts';
import { samlServiceOf } from './saml-service.ts';
import { redirectIn, sendForm } from './sign-in-pages.ts';
import type { Handle } from './sign-in-ways.ts';

export type ProviderSignInDeps = ProviderDeps & SessionDeps & Pick<Deps, 'logger'>;

export const CALLBACK_PATH = 'login/oauth-callback';

/** Sends the browser to the provider of a site. */
export function sendToProvider(kind: ProviderName): Handle<ProviderSignInDeps> {
  return async (deps, request, reply, site) => {
    const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
    const { methods } = await deps.readerStore.accessOf(site.siteId);
    const settings = methods[kind];
    if (!settings)
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
      const { address, ...proof } = await begin(deps, kind, methods, site);
      const expiresAt = deps.clock.now().getTime() + SIGN_IN_SECONDS * 1000;
      const { generation } = settings;
      rememberSignIn(reply, deps, site, { ...proof, kind, generation, redirect, expiresAt });
      return reply.header('referrer-policy', 'no-referrer').redirect(address, 303);
    } catch (error) {
      return sendFault(deps, error, (problem) =>
        sendForm(reply, site, methods, 403, { redirect, problem }),
      );
    }
  };
}

async function begin(
  deps: ProviderSignInDeps,
  kind: ProviderName,
  methods: StoredMethods,
  site: LiveSite,
): Promise<Pick<Begun, 'state' | 'challenge'> & { address: string }> {
  if (methods.saml && kind === 'saml') return beginSamlSignIn(methods.saml, samlServiceOf(site));
  const provider = kind === 'saml' ? undefined : providerOf(methods, kind);
  if (!provider) throw new DocentError('sign_in_required', 'This way to sign in has ended.');
  const callback = `${site.publicUrl}/${CALLBACK_PATH}`;
  const { address, challenge } = await beginSignIn(deps, provider, callback);
  return { address, challenge, state: challenge.state };
}

/** Takes the answer of a provider of OAuth, which brings the browser back. */
export const takeProviderAnswer: Handle<ProviderSignInDeps> = async (
  deps,
  request,
  reply,
  site,
) => {
  const answer = new URL(`${site.publicUrl}/${CALLBACK_PATH}`);
  answer.search = request.url.slice(request.url.indexOf('?') + 1);
  return finishSignIn(deps, request, reply, site, (methods, { kind, challenge }) => {
    const provider = kind === 'saml' ? undefined : providerOf(methods, kind);
    return provider && challenge && endSignIn(deps, provider, answer, challenge);
  });
};

/**
 * Finishes the sign-in that began in this browser, once, as long as the provider is the same.
 * @param verify returns who signed in; undefined if the answer is of another kind of provider
 */
export async function finishSignIn(
  deps: ProviderSignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
  verify: (methods: StoredMethods, begun: Begun) => Promise<SignIn> | undefined,
): Promise<FastifyReply> {
  const { methods, sessionDays } = await deps.readerStore.accessOf(site.siteId);
  const begun = signInOf(deps, request, site);
  const redirect = begun?.redirect ?? '/';
  const refuse = (problem: string) => {
    forgetSignIn(reply, site);
    return sendForm(reply, site, methods, 403, { redirect, problem });
  };
  if (!begun || methods[begun.kind]?.generation !== begun.generation)
    return refuse('The sign-in did not begin in this browser, or took too long. Try again.');
  const proof = hashSecret(`${site.siteId} ${begun.state}`);
  if (!(await deps.readerStore.useProof(proof, new Date(begun.expiresAt))))
    return refuse('The sign-in was used before. Try again.');
  try {
    const signIn = await verify(methods, begun);
    if (!signIn) return refuse('The answer is of another provider. Try again.');
    forgetSignIn(reply, site);
    return await admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
  } catch (error) {
    return sendFault(deps, error, refuse);
  }
}

function sendFault(
  { logger }: ProviderSignInDeps,
  error: unknown,
  send: (problem: string) => FastifyReply,
): FastifyReply {
  if (!(error instanceof DocentError)) throw error;
  logger.warn({ reason: error.message }, 'a reader could not sign in with the provider of a site');
  return send(error.message);
}
