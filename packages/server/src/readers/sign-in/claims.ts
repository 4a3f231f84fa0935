import { DocentError } from '@docent/format/errors.ts';

/** What a provider says of a reader, by the name of the claim or attribute. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME_CHARACTERS = 200;

/**
 * Refuses email addresses of other domains, and those that the provider doubts.
 * @param domains empty: all are let in
 * @throws DocentError `sign_in_required`
 */
export function requireDomain(
  domains: readonly string[],
  { email, email_verified: isVerified }: Claims,
): void {
  if (domains.length === 0) return;
  const domain =
    typeof email === 'string' ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : '';
  // Some providers send a text.
  if (String(isVerified) !== 'false' && domains.includes(domain)) return;
  throw refusedSignIn('email addresses of this domain are not let in.');
}

/** Returns what owners see of a reader. */
export function nameOf({ email, name, sub, id }: Claims): string | undefined {
  const values = [email, name, sub, id].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return (values[0] as string | undefined)
    ?.replace(/[^\P{C}]/gu, ' ')
    .slice(0, MAX_NAME_CHARACTERS);
}

/** Returns those of the values that are texts, as pages know the reader. */
export function contentOf(values: Claims): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

export function refusedSignIn(reason: string): DocentError {
  return new DocentError('sign_in_required', `The sign-in failed: ${reason}`);
}
