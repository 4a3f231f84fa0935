import { createHash } from 'node:crypto';
import { hostnameOf } from '@docent/format/access/host-name.ts';
import { DocentError } from '@docent/format/errors.ts';
import { createLocalJWKSet, errors, importJWK, type JWTPayload, jwtVerify } from 'jose';
import type { Deps } from '../../kernel/deps.ts';
import { defaultHostnameOf } from '../../kernel/sites/site-address.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import {
  type StoredMethods,
  TOKEN_ALGORITHMS,
  type TokenKeys,
} from '../../ports/readers/reader-tables.ts';
import { readUserObject } from './user-object.ts';

export type TokenDeps = Pick<Deps, 'readerStore' | 'clock' | 'providerDocuments'> & {
  config: Parameters<typeof defaultHostnameOf>[1];
};

const MAX_TOKEN_CHARACTERS = 32 * 1024;
/** How far the clocks of servers may differ. */
const SKEW_SECONDS = 5;
/**
 * How long a token is valid that signs a browser in, and then only once; and one that comes with
 * each call of the API.
 */
const LIFETIME_SECONDS = { 'sign-in': 60, api: 3600 };

/**
 * Verifies a token of the owner's sign-in page (RFC 7519): its signature with the site's keys, its
 * lifetime, its site, and what it says of the reader.
 * @param use a token of a `sign-in` is used up
 * @throws DocentError `sign_in_required` saying what is wrong, in words for the owner;
 *   `dependency_unavailable`
 */
export async function verifyReaderToken(
  deps: TokenDeps,
  site: LiveSite,
  method: NonNullable<StoredMethods['jwt']>,
  token: string,
  use: 'sign-in' | 'api',
): Promise<SignIn> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw refused('it is too long.');
  const payload = await verifiedPayload(deps, method.keys, token);
  const now = deps.clock.now();
  const seconds = Number(payload.exp) - now.getTime() / 1000;
  if (seconds > LIFETIME_SECONDS[use] + SKEW_SECONDS)
    throw refused(`it expires more than ${LIFETIME_SECONDS[use]} seconds from now.`);
  const facts = readUserObject(payload);
  if (typeof facts === 'string') throw refused(facts);
  if (facts.host !== undefined && !hostsOf(deps, site).includes(facts.host.toLowerCase()))
    throw refused('its "host" is not one of this site.');
  if (facts.expiresAt && facts.expiresAt <= now) throw refused('its "expiresAt" is in the past.');
  const proof = proofOf(site, payload, token);
  const isNew =
    use === 'sign-in'
      ? await deps.readerStore.useProof(
          proof,
          new Date((Number(payload.exp) + SKEW_SECONDS) * 1000),
        )
      : !(await deps.readerStore.isUsedProof(proof));
  if (!isNew) throw refused('it was used before.');
  const { email, sub } = payload;
  const name = [email, sub].find((value) => typeof value === 'string' && value.length <= 200) as
    | string
    | undefined;
  const reader = {
    id: `jwt:${typeof sub === 'string' ? sub.slice(0, 300) : proof}`,
    ...facts.user,
  };
  const end = new Date(Number(payload.exp) * 1000);
  const expiresAt =
    use === 'sign-in' || (facts.expiresAt && facts.expiresAt < end) ? facts.expiresAt : end;
  return { method: 'jwt', generation: method.generation, reader, name, expiresAt };
}

async function verifiedPayload(
  { providerDocuments, clock }: TokenDeps,
  keys: TokenKeys,
  token: string,
): Promise<JWTPayload> {
  const options = {
    currentDate: clock.now(),
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['exp'],
  };
  try {
    if (keys.kind === 'key') {
      const key = await importJWK(keys.jwk, keys.alg);
      return (await jwtVerify(token, key, { ...options, algorithms: [keys.alg] })).payload;
    }
    const verifyWith = async (isStale: boolean) => {
      const set = createLocalJWKSet(
        (await providerDocuments.read(keys.url, isStale)) as unknown as Parameters<
          typeof createLocalJWKSet
        >[0],
      );
      return (await jwtVerify(token, set, { ...options, algorithms: [...TOKEN_ALGORITHMS] }))
        .payload;
    };
    return await verifyWith(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verifyWith(true);
      throw error;
    });
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('it has expired.');
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refused(
        'it is not signed with the key of this site, or its form is not that of a JWT.',
      );
    throw error;
  }
}

/**
 * Identifies a token: by its `jti`, or else by what is signed. The signature is not part of it,
 * because some have several forms.
 */
function proofOf({ siteId }: LiveSite, { jti }: JWTPayload, token: string): string {
  const signed = token.slice(0, token.lastIndexOf('.'));
  return createHash('sha256')
    .update(JSON.stringify([siteId, jti === undefined ? 'token' : 'jti', jti ?? signed]))
    .digest('hex');
}

/** Names of the site in tokens: hosts, with or without a port. */
function hostsOf(
  { config }: Pick<TokenDeps, 'config'>,
  { slug, hostnames, publicUrl }: LiveSite,
): string[] {
  const { host } = new URL(publicUrl);
  const names = [host, hostnameOf(host), ...hostnames, defaultHostnameOf(slug, config)];
  return names.filter((name) => name !== undefined).map((name) => name.toLowerCase());
}

function refused(reason: string): DocentError {
  return new DocentError('sign_in_required', `The token of the reader is refused: ${reason}`);
}
