import { relayPage } from '@docent/theme/plain-page.ts';
import { ownOriginsOf } from '../../kernel/http/asked-site.ts';
import { isSameOrigin } from '../../kernel/http/browser-origins.ts';
import { formOf } from '../../kernel/http/forms.ts';
import { endSamlSignIn, samlMetadata } from '../sign-in/saml.ts';
import { finishSignIn, type ProviderSignInDeps } from './provider-routes.ts';
import { SAML_CALLBACK_PATH, samlServiceOf } from './saml-service.ts';
import { baseOf, scriptPolicyOf, sendPage } from './sign-in-pages.ts';
import type { Handle } from './sign-in-ways.ts';

/** Describes the site to a provider of SAML. */
export const sendSamlMetadata: Handle<unknown> = async (_deps, _request, reply, site) => {
  return reply
    .header('content-type', 'application/samlmetadata+xml')
    .send(await samlMetadata(samlServiceOf(site)));
};

/**
 * Takes the answer of a provider of SAML, which its page makes the browser send. `RelayState` of
 * the form, which anyone can write, is not read: the cookie says where the reader wanted to go.
 */
export const takeSamlAnswer: Handle<ProviderSignInDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const response = form.get('SAMLResponse') ?? '';
  const isOurs = isSameOrigin(request) || ownOriginsOf(site).includes(request.headers.origin ?? '');
  // Browsers send no cookies with the form of another site, so a page of ours sends it again.
  if (!isOurs && !form.has('relayed')) {
    const { page, script } = relayPage({
      action: `${baseOf(site)}/${SAML_CALLBACK_PATH}`,
      fields: { SAMLResponse: response, relayed: '1' },
    });
    return sendPage(reply, 200, page, scriptPolicyOf(script));
  }
  return finishSignIn(deps, request, reply, site, ({ saml }, { kind, state }) =>
    saml && kind === 'saml'
      ? endSamlSignIn(deps, saml, samlServiceOf(site), { requestId: state, response })
      : undefined,
  );
};
