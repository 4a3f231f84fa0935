/** Methods that prove the possession of something (RFC 8176, 2). */
const POSSESSION: ReadonlySet<unknown> = new Set(['hwk', 'otp', 'pop', 'sc', 'sms', 'swk', 'tel']);

/**
 * Whether an ID token, whose signature was checked, says that somebody signed in with two factors:
 * by `mfa` in `amr`, by something that they have together with another method, or by a value of
 * `acr` (OpenID Connect Core 1.0, 2; RFC 8176).
 */
export function hasSecondFactor(idToken: string, acrValues: readonly string[]): boolean {
  const claims = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  const { acr, amr } = JSON.parse(claims) as { acr?: unknown; amr?: unknown };
  if (typeof acr === 'string' && acrValues.includes(acr)) return true;
  const methods = new Set<unknown>(Array.isArray(amr) ? amr : []);
  return (
    methods.has('mfa') ||
    (methods.size > 1 && [...methods].some((method) => POSSESSION.has(method)))
  );
}
