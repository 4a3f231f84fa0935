import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api } from '../../api/client.ts';

/**
 * Whether passkeys work here: browsers bind them to a name, so not where the platform has only an
 * IP address.
 */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname)
  );
}

/** Signs in with a passkey that the person chooses in the browser. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = (await api.get(
    '/v1/auth/passkey/generate-authenticate-options',
  )) as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('No passkey was used. Try again, or sign in with your password.');
  });
  await api.post('/v1/auth/passkey/verify-authentication', { body: { response: { ...response } } });
}

/** Lets the browser make a passkey, and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = (await api.get(
    '/v1/auth/passkey/generate-register-options',
  )) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON }).catch((error: Error) => {
    const isKnown = error.name === 'InvalidStateError';
    throw new Error(
      isKnown
        ? 'This device has a passkey of your account already.'
        : 'No passkey was made. Try again.',
    );
  });
  await api.post('/v1/auth/passkey/verify-registration', {
    body: { response: { ...response }, name },
  });
}
