import { createHmac } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { replacePasswordHash } from '../../kernel/access/member-queries.ts';
import { PASSWORD_LENGTH, type Passwords, type SsoSettings } from '../../ports/accounts.ts';
import type { Database } from '../../ports/database.ts';
import type { Logger } from '../../ports/logger.ts';
import { notingOutages as noting } from './database-fault.ts';
import { DEVICE_SECONDS, type deviceCookie } from './device-cookie.ts';
import { organizationSessions } from './organization-sessions.ts';
import { passkeys } from './passkeys.ts';
import { hashedRecoveryCodes, recoveryCodeOptions } from './recovery-codes.ts';
import { ADDRESS_HEADER, BASE_PATH, RESET_SECONDS } from './request-names.ts';
import { endFormerSession, limitSessions } from './sessions.ts';
import { singleUseCodes } from './single-use-codes.ts';
import { hashedIdentifiers, keepTrustedDevices, TRUST_SECONDS } from './trusted-devices.ts';

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Names of the library's tables and columns in our migrations. */
const tableNames = {
  user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    modelName: 'user_sessions',
    fields: {
      ...times,
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'user_credentials',
    fields: {
      ...times,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'user_verifications', fields: { ...times, expiresAt: 'expires_at' } },
};

const twoFactorNames = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'user_two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/** A session that is unused for this long ends. */
const SESSION_SECONDS = 30 * 24 * 3600;
/**
 * How long the signed copy of a session in a cookie is accepted as the session, which saves a query
 * per request.
 */
const CACHE_SECONDS = 60;

export type Library = ReturnType<typeof openLibrary>;

export interface AccountsOptions {
  database: Database;
  logger: Logger;
  /** Address of the platform. Its scheme decides whether cookies are sent over HTTPS only. */
  publicUrl: string;
  secret: string;
  /** Days after which a session ends, however much it is used. */
  sessionDays: number;
  createId: () => string;
  sso?: SsoSettings | undefined;
  passwords: Passwords;
}

export interface LibraryOptions extends AccountsOptions {
  origin: string;
  isSecure: boolean;
  cookiePrefix: string;
  cookieName: string;
  devices: ReturnType<typeof deviceCookie>;
}

/** Settings that single sign-on adds. */
export type LibraryAdditions = Pick<BetterAuthOptions, 'databaseHooks' | 'onAPIError'> & {
  plugins?: BetterAuthPlugin[];
  user?: Pick<NonNullable<BetterAuthOptions['user']>, 'validateUserInfo'>;
  transaction?: boolean;
};

/** The library with our settings. */
export function openLibrary(
  options: LibraryOptions,
  { plugins = [], user, transaction = true, databaseHooks, ...additions }: LibraryAdditions = {},
) {
  const {
    database,
    logger,
    secret,
    createId,
    origin,
    isSecure,
    cookiePrefix,
    cookieName,
    devices,
    sessionDays,
  } = options;
  const cookieAttributes = {
    secure: isSecure,
    sameSite: 'lax',
    httpOnly: true,
    path: '/',
  } as const;
  // Not the secret that signs links, so that neither can replace the other.
  const librarySecret = createHmac('sha256', secret).update('accounts').digest('base64url');
  return betterAuth({
    appName: 'Docent',
    baseURL: origin,
    basePath: BASE_PATH,
    secret: librarySecret,
    database: (settings: BetterAuthOptions) =>
      noting(kyselyAdapter(database.queries, { type: 'postgres', transaction })(settings)),
    ...tableNames,
    ...additions,
    user: { ...tableNames.user, ...user },
    account: {
      ...tableNames.account,
      updateAccountOnSignIn: false,
      additionalFields: { issuer: { type: 'string', required: false, input: false } },
    },
    session: {
      ...tableNames.session,
      additionalFields: {
        organizationId: {
          type: 'string',
          required: false,
          input: false,
          fieldName: 'organization_id',
        },
        endsAt: { type: 'date', required: false, input: false, fieldName: 'ends_at' },
      },
      expiresIn: SESSION_SECONDS,
      updateAge: 24 * 3600,
      cookieCache: { enabled: true, maxAge: CACHE_SECONDS },
    },
    verification: { ...tableNames.verification, storeIdentifier: hashedIdentifiers },
    databaseHooks: {
      ...databaseHooks,
      session: limitSessions(sessionDays),
      verification: keepTrustedDevices(options),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: noting(renewing(options)),
    },
    // After the second factor, which takes back the session of a sign-in that still needs a code.
    plugins: [
      twoFactor({
        issuer: 'Docent',
        schema: twoFactorNames,
        trustDeviceMaxAge: TRUST_SECONDS,
        backupCodeOptions: recoveryCodeOptions(librarySecret, options.passwords.form),
      }),
      hashedRecoveryCodes(database.queries),
      singleUseCodes(database.queries),
      ...passkeys(origin),
      endFormerSession(),
      organizationSessions(),
      rememberDevices(devices, cookieAttributes),
      ...plugins,
    ],
    advanced: {
      cookiePrefix,
      cookies: { session_token: { name: cookieName } },
      useSecureCookies: false,
      defaultCookieAttributes: cookieAttributes,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: createId, validateSchema: false },
    },
    trustedOrigins: [origin],
    // The routes count requests with the platform's own limiter.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => logger.error({ reason: message }, 'accounts'),
    },
  });
}

/** Returns the passwords; the right password of an outdated hash is stored anew. */
function renewing({
  passwords,
  database,
  logger,
}: AccountsOptions): Pick<Passwords, 'hash' | 'verify'> {
  return {
    hash: (password) => passwords.hash(password),
    async verify({ hash, password }) {
      const isRight = await passwords.verify({ hash, password });
      if (!passwords.isOutdated(hash)) return isRight;
      try {
        // Also of a wrong password, whose response would otherwise be faster than that for an
        // unknown address.
        const next = await passwords.hash(password);
        if (isRight) await replacePasswordHash(database.queries, hash, next);
      } catch (error) {
        logger.warn({ error: String(error) }, 'the hash of a password could not be renewed');
      }
      return isRight;
    },
  };
}

/** Gives every browser that has a session the cookie of a device that signed in. */
function rememberDevices(devices: LibraryOptions['devices'], attributes: object): BetterAuthPlugin {
  const handler = createAuthMiddleware(async (context) => {
    const email = context.context.newSession?.user.email;
    if (
      email === undefined ||
      devices.read(context.headers?.get('cookie') ?? undefined, email) !== undefined
    )
      return;
    context.setCookie(devices.name, devices.create(email), {
      ...attributes,
      maxAge: DEVICE_SECONDS,
    });
  });
  return { id: 'devices', hooks: { after: [{ matcher: () => true, handler }] } };
}
