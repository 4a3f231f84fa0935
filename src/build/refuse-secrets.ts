import { parseKey } from '../core/access/keys.ts';
import type { Diagnostic } from '../core/diagnostics.ts';

/** What names a secret's beginning, and the whole of it. Every expression reads each character a bounded number of times. */
const secrets: readonly { what: string; begin: string; whole: RegExp }[] = [
  {
    what: 'a private key',
    begin: '-----BEGIN ',
    // A header alone is an example; a key has its characters behind it, on lines or as `\n` in a JSON text.
    whole:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn]|[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\n|\\n)){0,20}[A-Za-z0-9+/]{40}/y,
  },
  { what: 'an access key of AWS', begin: 'AKIA', whole: /(?<![A-Za-z0-9])AKIA[A-Z2-7]{16}(?![A-Za-z0-9])/y },
  { what: 'a token of GitHub', begin: 'ghp_', whole: /ghp_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  { what: 'a token of GitHub', begin: 'github_pat_', whole: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/y },
  { what: 'a live key of Stripe', begin: 'sk_live_', whole: /sk_live_[A-Za-z0-9]{24,200}(?![A-Za-z0-9])/y },
];

const OWN_KEY = /svc_(?:dsc_)?[0-9A-Za-z]{39}(?![0-9A-Za-z])/y;
const EXAMPLE = /example|x{6}|(.)\1{7}|0123456|1234567|abcdefg/i;
const NOT_TEXT = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:zip|pdf))/;

/**
 * What is wrong with publishing a file that holds a secret: private keys, credentials of clouds, our own keys. Keys that documentation
 * shows as examples (`AKIAIOSFODNN7EXAMPLE`) are none.
 * @param type media type that the file would be served with
 */
export function refuseSecret(path: string, bytes: Uint8Array, type: string): Diagnostic | undefined {
  if (NOT_TEXT.test(type)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const found = secrets.find(({ begin, whole }) => occurs(text, begin, whole, (secret) => !EXAMPLE.test(secret)));
  const what =
    found?.what ?? (occurs(text, 'svc_', OWN_KEY, (key) => parseKey(key) !== undefined) ? 'a key of this platform' : undefined);
  return what === undefined ? undefined : refusal(path, `The file holds ${what} and is not published.`);
}

function occurs(text: string, begin: string, whole: RegExp, counts: (secret: string) => boolean): boolean {
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    whole.lastIndex = at;
    const match = whole.exec(text);
    if (match && counts(match[0])) return true;
  }
  return false;
}

/** Files of settings with their secrets, `.env` and its kin, by their names; templates for them are none. */
export function envFiles(paths: Iterable<string>): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const isEnv = name === '.env' || name.startsWith('.env.');
    if (isEnv && !/\.(?:example|sample|template|dist|defaults?|schema)$/.test(name))
      found.push(refusal(path, 'The file is one of settings and secrets, and is not published.'));
  }
  return found;
}

function refusal(path: string, message: string): Diagnostic {
  return {
    severity: 'error',
    code: 'secret-file',
    message,
    remedy: 'Remove it from the repository and from its history, and replace the secret: whoever can read the repository has it.',
    file: path,
  };
}
