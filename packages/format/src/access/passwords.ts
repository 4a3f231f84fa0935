/** The name of the product, which every attacker tries. */
const PRODUCT = 'docent';
/**
 * Characters that may surround a common password without making it a good one, as in
 * `password2026`.
 */
const MAX_DECORATION = 5;
const MIN_OWN_CHARACTERS = 6;
const MIN_DIFFERENT_CHARACTERS = 5;
/** Shorter words occur in good passwords by chance. */
const MIN_WORD = 4;

/**
 * Returns why a password is easy to guess, as the end of a sentence that begins with "A password
 * must not"; `undefined` if it is not. It follows NIST SP 800-63B, 3.1.1.2, and OWASP ASVS 5.0,
 * 6.2.4 and 6.2.11.
 * @param email address of the account
 * @param common the most common passwords, in lower case
 */
export function weaknessOf(
  password: string,
  email: string,
  common: readonly string[],
): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return 'repeat a few characters';
  const words = [PRODUCT, email.toLowerCase(), ...email.toLowerCase().split(/[@.+_-]/)].filter(
    ({ length }) => length >= MIN_WORD,
  );
  const remainder = words
    .sort((item, other) => other.length - item.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), text);
  if (remainder.length < MIN_OWN_CHARACTERS)
    return 'consist of your email address or the name of the product';
  if ([text, ...undecorated(text)].some((candidate) => common.includes(candidate)))
    return 'be one of the most common ones, nor begin or end with one';
  return undefined;
}

/** Returns what is left without the digits and signs at either end, if those are few. */
function undecorated(text: string): string[] {
  const core = text.replace(/^[^\p{L}]+/u, '').replace(/(?<![^\p{L}])[^\p{L}]+$/u, '');
  return core.length >= MIN_WORD && text.length - core.length <= MAX_DECORATION ? [core] : [];
}
