import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';

const names = {
  passkey: {
    modelName: 'user_passkeys',
    fields: {
      userId: 'user_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
};

/**
 * Passkeys (Web Authentication, level 3). One stands for the password and the second factor, so the
 * authenticator must have verified the person, by a PIN or a finger: the library alone would accept
 * a touch.
 * @param origin of the platform, to which the keys are bound
 */
export function passkeys(origin: string): BetterAuthPlugin[] {
  const keys = passkey({
    rpID: new URL(origin).hostname,
    rpName: 'Docent',
    origin,
    schema: names,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) =>
        requireVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) =>
        requireVerified(verification.authenticationInfo.userVerified),
    },
  });
  return [keys, askForVerification];
}

/**
 * The library only prefers it, so an authenticator could leave it out, and would then be refused.
 */
const askForVerification: BetterAuthPlugin = {
  id: 'passkey-verification',
  hooks: {
    after: [
      {
        matcher: ({ path }) => path === '/passkey/generate-authenticate-options',
        handler: createAuthMiddleware(async ({ context, json }) => {
          if (context.returned instanceof Error) return;
          return json({ ...(context.returned as object), userVerification: 'required' });
        }),
      },
    ],
  },
};

function requireVerified(isVerified: boolean | undefined): void {
  if (!isVerified)
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message: 'The person was not verified.',
    });
}
