import { isDeepStrictEqual } from 'node:util';
import { DocentError } from '@docent/format/errors.ts';
import { sealSecret } from '../../kernel/sealed-secrets.ts';
import type {
  OAuthSettings,
  OidcSettings,
  StoredMethod,
} from '../../ports/readers/reader-tables.ts';

/**
 * Provider settings of an owner. Without a secret, the stored one stays, as long as it is for the
 * same client of the same provider.
 */
export type OidcInput = OidcSettings & { clientSecret?: string | null | undefined };
export type OAuthInput = OAuthSettings & { clientSecret?: string | null | undefined };

/** Host names without a domain are reached only if the operator allows private addresses. */
const LOCAL =
  /^(?:localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[(?:::1|f[cd][\da-f:]*|fe[89ab][\da-f:]*)\]|[^.:]+)$/i;

/**
 * Returns the settings of a provider as they are stored: with the secret encrypted, and unchanged
 * if nothing changes, so that no session ends.
 * @param field name of the settings in errors
 * @param stamp of the credentials if anything changes
 * @throws DocentError `invalid_request`
 */
export function storedProvider<Settings extends OidcSettings | OAuthSettings>(
  serverSecret: string,
  field: 'oidc' | 'oauth',
  { clientSecret, ...settings }: Settings & { clientSecret?: string | null | undefined },
  before: (Settings & StoredMethod & { secret: string | null }) | undefined,
  stamp: StoredMethod,
) {
  requireEncryption(field, settings);
  // Absent in what was stored before there was the choice, whose sessions go on.
  if ('endsSession' in settings && !settings.endsSession) delete settings.endsSession;
  const placeOf = ({
    clientId,
    ...place
  }: {
    clientId?: string;
    issuer?: string;
    tokenUrl?: string;
  }) => [clientId, place.issuer, place.tokenUrl];
  const isSameClient =
    before !== undefined && isDeepStrictEqual(placeOf(settings), placeOf(before));
  if (clientSecret === undefined && before?.secret && !isSameClient)
    throw new DocentError(
      'invalid_request',
      'Another provider or client needs its secret: the stored one is for the former.',
      {
        errors: [
          { path: `/${field}/clientSecret`, message: 'Send the secret of this client, or null.' },
        ],
      },
    );
  const secret =
    clientSecret === undefined
      ? (before?.secret ?? null)
      : clientSecret && sealSecret(serverSecret, 'providers of readers', clientSecret);
  const next = { ...settings, secret };
  const { generation: _, changedAt: __, ...former } = before ?? {};
  return before && isDeepStrictEqual({ ...former }, { ...next }) ? before : { ...next, ...stamp };
}

/**
 * Returns whether what is sent to an address, or read from it, could be read or changed on the way.
 */
export function travelsInTheClear(address: string): boolean {
  return /^http:/i.test(address) && !LOCAL.test(new URL(address).hostname);
}

/** Codes, access tokens and keys must not travel in the clear. */
export function requireEncryption(field: string, settings: object): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== 'string' || !travelsInTheClear(value)) continue;
    const message = 'Must be an https address.';
    throw new DocentError('invalid_request', message, {
      errors: [{ path: `/${field}/${name}`, message }],
    });
  }
}
