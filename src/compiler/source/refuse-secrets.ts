import { parseKey } from '../../core/access/keys.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { SourceTree } from './source-tree.ts';

/** Every expression reads each character a bounded number of times. */
const secrets: readonly { what: string; whole: RegExp }[] = [
  {
    what: 'a private key',
    // A header alone is an example; a real key is followed by its characters, on lines or as `\n` in JSON.
    whole:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\{1,2}[rn]|[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\n|\\n)){0,20}[A-Za-z0-9+/]{40}/g,
  },
  {
    what: 'a private key',
    // Base64 of "-----BEGIN … PRIVATE KEY", as in Kubernetes secrets and configuration files.
    whole:
      /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS0tLS0t|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS0t|BPUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/]{40}/g,
  },
  { what: 'an AWS access key', whole: /(?<![A-Za-z0-9])AKIA[A-Z2-7]{16}(?![A-Za-z0-9])/g },
  { what: 'a GitHub token', whole: /ghp_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { what: 'a GitHub token', whole: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/g },
  { what: 'a GitLab token', whole: /glpat-[A-Za-z0-9_-]{20,64}(?![A-Za-z0-9_-])/g },
  { what: 'a live Stripe key', whole: /sk_live_[A-Za-z0-9]{24,200}(?![A-Za-z0-9])/g },
];

const OWN_KEY = /svc_(?:dsc_)?[0-9A-Za-z]{39}(?![0-9A-Za-z])/g;
const EXAMPLE = /example|x{6}|(.)\1{7}|0123456|1234567|abcdefg/i;
const NOT_TEXT = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:zip|pdf))/;
const MAX_BYTES_OF_OTHERS = 64 * 1024;

/**
 * Returns the problem with publishing a file that contains a secret: private keys, cloud credentials, our own keys. Keys that
 * documentation uses as examples (`AKIAIOSFODNN7EXAMPLE`) are allowed.
 * @param type media type that the file would be served with
 */
export function refuseSecret(path: string, bytes: Uint8Array, type: string): Diagnostic | undefined {
  // Images and videos are searched only at their start: a key with a wrong file name is short.
  const searched = NOT_TEXT.test(type) ? bytes.subarray(0, MAX_BYTES_OF_OTHERS) : bytes;
  const text = textOf(searched);
  const found = secrets.find(({ whole }) => text.matchAll(whole).some(([secret]) => !EXAMPLE.test(secret)));
  const hasOwnKey = () => text.matchAll(OWN_KEY).some(([key]) => parseKey(key) !== undefined);
  const what = found?.what ?? (hasOwnKey() ? 'a Docent API key' : undefined);
  return what === undefined ? undefined : refusal(path, `The file holds ${what} and is not published.`);
}

/** Removes zero bytes, so that the text is the same in UTF-8 and in UTF-16. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replaceAll('\0', '');
}

const ENV_TEMPLATE = /[._-](?:examples?|samples?|templates?|dist|defaults?|schema)(?:[._-]|$)/;
/** `.envrc`, `prod.env`, `env.production`; not pages, which document such files. */
const ENV_KIN = /(?:^|[._-])env(?:rc$|[._-]|$)/;
const PAGE = /\.mdx?$/;
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,99})[ \t]*=[ \t]*["']?([^\s"']{6,500})/gm;
const SECRET_NAME = /KEY|SECRET|TOKEN|PASS|PWD|CREDENTIAL|AUTH/i;
const PLACEHOLDER = /^(?:[<${[(*.`]|your|my[-_]|change|replace|insert|todo|dummy|fake|placeholder|test|https?:\/\/[^@]*$)/i;
const MAX_ENV_BYTES = 256 * 1024;

/**
 * Returns whether a file is an environment file with secrets: `.env` and `.env.*` by name; files with a similar name if they
 * assign a value to a name such as `API_KEY`. Templates are allowed.
 */
export function envFiles(source: Pick<SourceTree, 'paths' | 'readBytes'>): Diagnostic[] {
  const isSecret = (path: string) => {
    const name = nameOf(path);
    if (ENV_TEMPLATE.test(`.${name}`)) return false;
    if (name === '.env' || name.startsWith('.env.')) return true;
    return ENV_KIN.test(name) && !PAGE.test(name) && assignsSecret(textOf(startOf(source, path, MAX_ENV_BYTES)));
  };
  const message = 'The file is for settings and secrets, and is not published.';
  return source.paths().flatMap((path) => (isSecret(path) ? refusal(path, message) : []));
}

/** `server.pem`, `tls.key`, `id_ed25519`: file types that no site serves, so nothing else checks them. */
const KEY_FILE = /\.(?:pem|key|pkcs8|p8|ppk|asc|gpg)$|^id_[a-z0-9]+$/;
const MAX_KEY_BYTES = 64 * 1024;

/** Returns whether a file is named like a key and contains a private one. */
export function keyFiles(source: Pick<SourceTree, 'paths' | 'readBytes'>): Diagnostic[] {
  const keys = source.paths().filter((path) => KEY_FILE.test(nameOf(path)));
  return keys.flatMap((path) => refuseSecret(path, startOf(source, path, MAX_KEY_BYTES), 'text/plain') ?? []);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function startOf(source: Pick<SourceTree, 'readBytes'>, path: string, maxBytes: number): Uint8Array {
  return (source.readBytes(path) ?? new Uint8Array()).subarray(0, maxBytes);
}

function assignsSecret(text: string): boolean {
  return text
    .matchAll(ASSIGNMENT)
    .some(([, name = '', value = '']) => SECRET_NAME.test(name) && !PLACEHOLDER.test(value) && !EXAMPLE.test(value));
}

function refusal(path: string, message: string): Diagnostic {
  return {
    severity: 'error',
    code: 'secret-file',
    message,
    remedy:
      'Remove it from the repository and from its history, and replace the secret: everyone who can read the repository has it.',
    file: path,
  };
}
