import { isDeepStrictEqual } from 'node:util';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { MethodName, StoredMethod, StoredMethods } from '../../ports/readers/reader-tables.ts';
import {
  type OAuthInput,
  type OidcInput,
  requireEncryption,
  storedProvider,
} from './provider-settings.ts';
import { readSamlInput, type SamlInput, storedSaml } from './saml-settings.ts';
import { readTokenKey } from './token-keys.ts';

/** Changes of the ways to sign in. What is absent stays; `null` ends, with its sessions. */
export interface MethodChanges {
  password?: { password: string } | null | undefined;
  members?: object | null | undefined;
  mail?: object | null | undefined;
  jwt?: JwtInput | null | undefined;
  oidc?: OidcInput | null | undefined;
  oauth?: OAuthInput | null | undefined;
  saml?: SamlInput | null | undefined;
}

/** The stored keys stay if neither is named. */
interface JwtInput {
  loginUrl: string | null;
  publicKey?: string | undefined;
  jwksUrl?: string | undefined;
}

/** The same, with what takes long done. */
interface PreparedChanges extends Omit<MethodChanges, 'password' | 'saml'> {
  password: { hash: string } | null | undefined;
  saml: Awaited<ReturnType<typeof readSamlInput>> | null | undefined;
}

/** Hashes the password, and reads documents. @throws DocentError `invalid_request` */
export async function prepareMethods(
  { passwords }: Pick<Deps, 'passwords'>,
  { password, saml, ...changes }: MethodChanges,
): Promise<PreparedChanges> {
  return {
    ...changes,
    password: password && { hash: await passwords.hash(password.password, 2) },
    saml: saml && (await readSamlInput(saml)),
  };
}

/**
 * Returns the ways to sign in after changes.
 * @param stampOf returns the stamp of a way that has other credentials now
 * @throws DocentError `invalid_request` naming the field
 */
export function changedMethods(
  { secret }: Pick<Deps, 'secret'>,
  before: StoredMethods,
  { password, members, mail, jwt, oidc, oauth, saml }: PreparedChanges,
  stampOf: (name: MethodName) => StoredMethod,
): StoredMethods {
  return withoutEnded({
    ...before,
    ...(password !== undefined && {
      password: password && { ...password, ...stampOf('password') },
    }),
    ...(members !== undefined && { members: members && (before.members ?? stampOf('members')) }),
    ...(mail !== undefined && { mail: mail && (before.mail ?? stampOf('mail')) }),
    ...(jwt !== undefined && { jwt: jwt && jwtFrom(jwt, before.jwt, stampOf('jwt')) }),
    ...(oidc !== undefined && {
      oidc: oidc && storedProvider(secret, 'oidc', oidc, before.oidc, stampOf('oidc')),
    }),
    ...(oauth !== undefined && {
      oauth: oauth && storedProvider(secret, 'oauth', oauth, before.oauth, stampOf('oauth')),
    }),
    ...(saml !== undefined && { saml: saml && storedSaml(saml, before.saml, stampOf('saml')) }),
  });
}

function jwtFrom(
  { loginUrl, publicKey, jwksUrl }: JwtInput,
  before: StoredMethods['jwt'],
  stamp: StoredMethod,
): StoredMethods['jwt'] {
  if (publicKey !== undefined && jwksUrl !== undefined)
    throw invalid('/jwt/jwksUrl', 'Send either a public key or the address of a set of keys.');
  requireEncryption('jwt', { jwksUrl });
  const keys =
    publicKey === undefined
      ? jwksUrl && ({ kind: 'set', url: jwksUrl } as const)
      : readTokenKey(publicKey);
  if (typeof keys === 'string') throw invalid('/jwt/publicKey', keys);
  if (keys && !isDeepStrictEqual(keys, before?.keys)) return { loginUrl, keys, ...stamp };
  if (!before)
    throw invalid(
      '/jwt',
      'Tokens need a key: send publicKey or jwksUrl, or create a key pair first (POST …/access/jwt-key).',
    );
  return { ...before, loginUrl };
}

function withoutEnded(
  methods: { [Name in MethodName]?: StoredMethods[Name] | null },
): StoredMethods {
  return Object.fromEntries(Object.entries(methods).filter(([, method]) => method));
}

export function invalid(path: string, message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path, message }] });
}
