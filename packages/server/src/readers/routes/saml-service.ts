import type { SamlService } from '../sign-in/saml.ts';

export const SAML_METADATA_PATH = 'login/saml-metadata';
export const SAML_CALLBACK_PATH = 'login/saml-callback';

/** Returns what a site is for a provider of SAML. */
export function samlServiceOf({ publicUrl }: { publicUrl: string }): SamlService {
  return {
    entityId: `${publicUrl}/${SAML_METADATA_PATH}`,
    callbackUrl: `${publicUrl}/${SAML_CALLBACK_PATH}`,
  };
}
