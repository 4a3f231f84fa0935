import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../deps.ts';

/** @throws DocentError `invalid_request` if password sign-in is off */
export function requirePasswords({
  passwords,
  sso,
}: Pick<Deps['config'], 'passwords' | 'sso'>): void {
  if (passwords) return;
  throw new DocentError(
    'invalid_request',
    `Passwords are turned off on this server (DOCENT_PASSWORDS); sign in with ${sso?.name}.`,
  );
}
