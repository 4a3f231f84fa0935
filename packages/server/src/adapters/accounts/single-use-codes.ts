import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { findTotpSecret, useTotpStep } from '../../kernel/access/second-factor-queries.ts';
import type { Queries } from '../../ports/database.ts';

const STEP_MS = 30_000;
const VERIFY = '/two-factor/verify-totp';
/** In place of a code that must not be accepted; the library counts it as a wrong one. */
const REFUSED = 'refused';
/** The same for the code before the current one. */
const OUTDATED = 'outdated';

/**
 * Lets each code of an authenticator app work once, and only the current one, so for 30 seconds
 * (OWASP ASVS 5.0, 6.5.5). Who connects an app is signed in already, and may also enter the code
 * before it, which they were typing (RFC 6238, 5.2).
 */
export function singleUseCodes(queries: Queries): BetterAuthPlugin {
  const refuse = createAuthMiddleware(async (context) => {
    const { code } = context.body as { code: string };
    const { userId, isSignedIn } = await findSender(context);
    // Without a person, the library refuses every code.
    const encrypted = userId && (await findTotpSecret(queries, userId));
    if (!encrypted) return;
    const secret = await symmetricDecrypt({ key: context.context.secretConfig, data: encrypted });
    const now = Math.floor(Date.now() / STEP_MS);
    const step = [now, now - 1].find((candidate) => isCodeOf(code, secret, candidate));
    const isOutdated = step !== now && !isSignedIn;
    if (step !== undefined && !isOutdated && (await useTotpStep(queries, userId, step))) return;
    return {
      context: {
        body: { ...context.body, code: step !== undefined && isOutdated ? OUTDATED : REFUSED },
      },
    };
  });
  const explain = createAuthMiddleware(async ({ body, context: { returned } }) => {
    const isWrong = returned instanceof APIError && returned.body?.code === 'INVALID_CODE';
    if (isWrong && (body as { code: string }).code === OUTDATED)
      throw new APIError('UNAUTHORIZED', { code: 'OUTDATED_CODE' });
  });
  const matcher = ({ path }: { path?: string }) => path === VERIFY;
  return {
    id: 'single-use-codes',
    hooks: { before: [{ matcher, handler: refuse }], after: [{ matcher, handler: explain }] },
  };
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Returns who sends a code: whoever is signed in, or else whose sign-in waits for a second factor.
 */
export async function findSender(
  context: Context,
): Promise<{ userId: string | undefined; isSignedIn: boolean }> {
  const signedInId = (await getSessionFromCtx(context))?.user.id;
  return {
    userId: signedInId ?? (await findPending(context)),
    isSignedIn: signedInId !== undefined,
  };
}

async function findPending({ context, getSignedCookie }: Context): Promise<string | undefined> {
  const identifier = await getSignedCookie(
    context.createAuthCookie('two_factor').name,
    context.secret,
  );
  return identifier
    ? (await context.internalAdapter.findVerificationValue(identifier))?.value
    : undefined;
}

/**
 * Whether a code is that of a time step (RFC 6238 with the values that apps expect: SHA-1, six
 * digits).
 */
function isCodeOf(code: string, secret: string, step: number): boolean {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) as number) & 15;
  const expected = String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  const [sent, wanted] = [Buffer.from(code), Buffer.from(expected)];
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
