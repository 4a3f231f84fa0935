import type { QueryRunner } from '../../ports/database.ts';
import type { RowOf } from '../../ports/tables.ts';
import { columnsOf } from '../db/query-parts.ts';

/** Returns the encrypted secret of a person's authenticator app. */
export async function findTotpSecret(
  queries: QueryRunner,
  userId: string,
): Promise<string | undefined> {
  const factor = await queries
    .selectFrom('user_two_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return factor?.secret;
}

/** Returns the recovery codes of a person as they are stored: encrypted. */
export async function findRecoveryCodes(
  queries: QueryRunner,
  userId: string,
): Promise<string | undefined> {
  const factor = await queries
    .selectFrom('user_two_factors')
    .select('backup_codes as codes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return factor?.codes;
}

/**
 * Marks the code of a time step as used.
 * @returns `false` if it, or a later one, was used before; exactly one of several concurrent calls
 *   gets `true`
 */
export async function useTotpStep(
  queries: QueryRunner,
  userId: string,
  step: number,
): Promise<boolean> {
  const used = await queries
    .updateTable('user_two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .returning('id')
    .execute();
  return used.length > 0;
}

/** Returns the id of the person whose passkey has this credential id, as authenticators name it. */
export async function findPasskeyOwner(
  queries: QueryRunner,
  credentialId: string,
): Promise<string | undefined> {
  const passkey = await queries
    .selectFrom('user_passkeys')
    .select('user_id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return passkey?.user_id;
}

const deviceColumns = [
  'id',
  'ip_address as ipAddress',
  'user_agent as userAgent',
  'trusted_at as trustedAt',
  'used_at as usedAt',
  'expires_at as expiresAt',
] as const;

/** A browser that skips the second factor. */
export type TrustedDevice = RowOf<'user_trusted_devices', typeof deviceColumns>;

/** Returns the browsers of a person that skip the second factor, the latest used first. */
export async function listTrustedDevices(
  queries: QueryRunner,
  userId: string,
  now: Date,
): Promise<TrustedDevice[]> {
  return queries
    .selectFrom('user_trusted_devices')
    .select(deviceColumns)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function insertTrustedDevice(
  queries: QueryRunner,
  device: TrustedDevice & { userId: string; identifier: string },
): Promise<void> {
  await queries.insertInto('user_trusted_devices').values(columnsOf(device)).execute();
}

/**
 * Gives a trusted device, which was used now, its next identifier.
 * @returns when it ends; `undefined` if it is not trusted
 */
export async function renewTrustedDevice(
  queries: QueryRunner,
  device: { userId: string; from: string; to: string },
  now: Date,
): Promise<Date | undefined> {
  const renewed = await queries
    .updateTable('user_trusted_devices')
    .set({ identifier: device.to, used_at: now })
    .where('user_id', '=', device.userId)
    .where('identifier', '=', device.from)
    .returning('expires_at')
    .executeTakeFirst();
  return renewed?.expires_at;
}

/** Ends the trust in a person's device. @returns whether there was one */
export async function deleteTrustedDevice(
  queries: QueryRunner,
  userId: string,
  id: string,
): Promise<boolean> {
  const deleted = await queries
    .deleteFrom('user_trusted_devices')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('identifier')
    .executeTakeFirst();
  if (!deleted) return false;
  await queries
    .deleteFrom('user_verifications')
    .where('identifier', '=', deleted.identifier)
    .execute();
  return true;
}

/**
 * Ends what stands in for a person's password or second factor: links to set a password or to
 * change the address, sign-ins that wait for a code, trusted devices.
 */
export async function deletePendingProofs(queries: QueryRunner, userId: string): Promise<void> {
  await queries.deleteFrom('user_verifications').where('value', '=', userId).execute();
  await queries.deleteFrom('user_trusted_devices').where('user_id', '=', userId).execute();
}
