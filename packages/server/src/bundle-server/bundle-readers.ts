import { createHash, randomUUID } from 'node:crypto';
import { comparableGroup } from '@docent/format/access/audience.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type { BundleConfig } from '../kernel/config/bundle-config.ts';
import type { Deps } from '../kernel/deps.ts';
import { readerOf } from '../kernel/http/reader-of.ts';
import { hashSecret } from '../kernel/ids.ts';
import type { ReaderSessions, ReaderTokens } from '../kernel/process-state.ts';
import { openSecret, sealSecret } from '../kernel/sealed-secrets.ts';
import type { LiveSite, SiteAccess } from '../ports/live-sites.ts';
import type { AccessRow, ReaderStore } from '../ports/readers/reader-store.ts';
import type { MethodName, StoredReader } from '../ports/readers/reader-tables.ts';
import { changedMethods, prepareMethods } from '../readers/access/change-methods.ts';
import { type LoginDeps, sharedWays } from '../readers/routes/login-routes.ts';
import { methodChanges, readerGroups, sessionDays } from '../readers/routes/method-schemas.ts';
import { guardReaders, refuseNobody } from '../readers/routes/reader-gate.ts';
import { createReaderTokens } from '../readers/sign-in/reader-tokens.ts';
import { endOfSession } from '../readers/store/end-of-session.ts';
import { BUNDLE_SITE, type BundlePart } from './bundle-app.ts';
import { bundleSites } from './bundle-site.ts';
import type { BundleStore } from './bundle-store.ts';

const { password, jwt, oidc, oauth, saml } = methodChanges;
const settingsSchema = z.strictObject({
  sessionDays: sessionDays.default(7),
  groups: readerGroups.optional(),
  ...z.object({ password, jwt, oidc, oauth, saml }).partial().shape,
});

/** Who may read a bundle, as its operator sets it. */
interface BundleAccess extends AccessRow {
  /** Only readers with any of these groups are let in. */
  groups: readonly string[] | undefined;
}

type OpenOptions = Omit<LoginDeps, 'readerStore' | 'readerSessions' | 'readerTokens' | 'config'> & {
  config: Pick<BundleConfig, 'trustedProxies'>;
  store: BundleStore;
  publicUrl: string;
};

/** The readers of a bundle, for the other parts of its server. */
export interface BundleReaders {
  access: SiteAccess;
  deps: { readerSessions: ReaderSessions; readerTokens: ReaderTokens };
  part: BundlePart;
}

/**
 * Makes a bundle ask its readers to sign in, with the pages and the checks of the platform. Their
 * sessions are in their cookies, so that they outlast the process; what may not be used twice is
 * marked in the folder of the bundle.
 * @param settings the text of `DOCENT_BUNDLE_ACCESS`
 * @throws DocentError `invalid_setting`
 */
export async function openBundleReaders(
  settings: string,
  { store, publicUrl, config, ...options }: OpenOptions,
): Promise<BundleReaders> {
  const row = await readAccess(settings, options);
  const access = { isPrivate: true, canSignIn: true };
  const readerStore = createCookieStore(row, { ...options, store });
  const names = { ...config, sitesDomain: undefined };
  const tokens = createReaderTokens({ ...options, readerStore, config: names });
  const deps = {
    readerSessions: createCookieSessions(row, { ...options, store }),
    readerTokens: {
      async verify(site: LiveSite, token: string) {
        const reader = await tokens.verify(site, token);
        requireGroup(row, reader);
        return reader;
      },
    },
  };
  let liveSites: ReturnType<typeof bundleSites>;
  const part: BundlePart = {
    addRoutes(app, served) {
      liveSites = bundleSites({ served, store, publicUrl, access });
      const ways = sharedWays({ ...options, ...deps, readerStore, config: names });
      guardReaders(app, { ...deps, liveSites }, ways);
    },
    async refusalOf(request) {
      const site = (await liveSites.find(BUNDLE_SITE)) as LiveSite;
      if (await readerOf(deps, request, site)) return undefined;
      return (reply) => refuseNobody(request, reply, site);
    },
  };
  return { access, deps, part };
}

async function readAccess(
  text: string,
  { passwords, secret, clock }: Pick<Deps, 'passwords' | 'secret' | 'clock'>,
): Promise<BundleAccess> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON.');
  }
  const result = settingsSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw invalid(`"${issue?.path.join('.')}": ${issue?.message}.`);
  }
  const { sessionDays, groups, ...input } = result.data;
  if (!Object.values(input).some(Boolean))
    throw invalid('it names no way to sign in: add password, jwt, oidc, oauth or saml.');
  if (groups && input.password)
    throw invalid('"groups": a password gives no groups; remove one of the two.');
  // The same in each process, until what readers prove is another.
  const stampOf = (name: MethodName) => ({
    generation: createHash('sha256')
      .update(JSON.stringify([groups, input[name as keyof typeof input]]))
      .digest('hex'),
    changedAt: clock.now().toISOString(),
  });
  try {
    const prepared = await prepareMethods({ passwords }, input);
    const methods = changedMethods({ secret }, {}, prepared, stampOf);
    return { isPrivate: true, sessionDays, methods, groups: groups?.map(comparableGroup) };
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    const [field] = error.errors ?? [];
    throw invalid(
      field ? `"${field.path.slice(1).replace('/', '.')}": ${field.message}` : error.message,
    );
  }
}

function invalid(problem: string): DocentError {
  const message = `DOCENT_BUNDLE_ACCESS: ${problem}`;
  return new DocentError('invalid_setting', message, {
    errors: [{ path: '/DOCENT_BUNDLE_ACCESS', message }],
  });
}

/** @throws DocentError `sign_in_required` */
function requireGroup(
  { groups }: Pick<BundleAccess, 'groups'>,
  reader: Pick<StoredReader, 'groups'>,
): void {
  if (!groups || reader.groups.some((group) => groups.includes(comparableGroup(group)))) return;
  throw new DocentError(
    'sign_in_required',
    'The sign-in failed: you are in none of the groups that may read this site.',
  );
}

/** A session, as the cookie of its reader has it. */
interface CookieSession {
  id: string;
  method: MethodName;
  generation: string;
  readerId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type CookieDeps = Pick<Deps, 'clock' | 'secret'> & {
  store: Pick<BundleStore, 'mark' | 'isMarked'>;
};
const USE = 'sessions of readers of bundles';
const endMark = (id: string) => hashSecret(`session ${id}`);
const MAX_COOKIE_CHARACTERS = 3000;

function createCookieStore(row: BundleAccess, { clock, secret, store }: CookieDeps): ReaderStore {
  const longest = () => endOfSession(clock.now(), row.sessionDays, undefined);
  return {
    accessOf: async () => row,
    useProof: (id, expiresAt) => store.mark(id, expiresAt),
    isUsedProof: (id) => store.isMarked(id),
    async startSession(_site, { method, generation, reader, expiresAt }) {
      requireGroup(row, reader);
      const end = endOfSession(clock.now(), row.sessionDays, expiresAt);
      const session: CookieSession = {
        id: randomUUID(),
        method: method as MethodName,
        generation,
        readerId: hashSecret(reader.id),
        expiresAt: end.getTime(),
      };
      const sealed = sealSecret(secret, USE, JSON.stringify(session));
      return { token: Buffer.from(sealed, 'base64').toString('base64url'), expiresAt: end };
    },
    async endSession(_siteId, sessionId) {
      await store.mark(endMark(sessionId), longest());
    },
  };
}

function createCookieSessions(
  { methods }: BundleAccess,
  { clock, secret, store }: CookieDeps,
): ReaderSessions {
  return {
    async find(_siteId, token) {
      const text =
        token.length > MAX_COOKIE_CHARACTERS ? undefined : openSecret(secret, USE, token);
      if (text === undefined) return undefined;
      const { id, method, generation, readerId, ...session } = JSON.parse(text) as CookieSession;
      const expiresAt = new Date(session.expiresAt);
      if (methods[method]?.generation !== generation || expiresAt <= clock.now()) return undefined;
      if (await store.isMarked(endMark(id))) return undefined;
      const reader = { id: readerId, groups: [], content: {}, apiPlaygroundInputs: {}, expiresAt };
      return { id, method, reader };
    },
    findByAgent: async () => undefined,
    invalidate() {},
  };
}
