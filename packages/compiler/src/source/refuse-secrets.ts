import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { findSecrets } from './find-secrets.ts';
import type { SourceTree } from './source-tree.ts';

const EXAMPLE = /example|x{6}|(.)\1{7}|0123456|1234567|abcdefg/i;
const NOT_TEXT = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:zip|pdf))/;
const MAX_BYTES_OF_OTHERS = 64 * 1024;

/**
 * Returns the problem with publishing a file that contains a secret (see `findSecrets`).
 * @param type media type that the file would be served with
 */
export function refuseSecret(
  path: string,
  bytes: Uint8Array,
  type: string,
): Diagnostic | undefined {
  // Images and videos are searched only at their start: a key with a wrong file name is short.
  const searched = NOT_TEXT.test(type) ? bytes.subarray(0, MAX_BYTES_OF_OTHERS) : bytes;
  const secret = findSecrets(textOf(searched)).find(({ isCertain }) => isCertain);
  return secret && refusal(path, `The file holds ${secret.kind} and is not published.`);
}

const MAX_BYTES_OF_TEXT = 1024 * 1024;

/** Returns the warning about a file that is published although it holds what may be a secret. */
export function possibleSecret(
  path: string,
  bytes: Uint8Array,
  type: string,
): Diagnostic | undefined {
  if (NOT_TEXT.test(type) || bytes.byteLength > MAX_BYTES_OF_TEXT) return undefined;
  const text = textOf(bytes);
  const secret = findSecrets(text).find(({ isCertain }) => !isCertain);
  return (
    secret &&
    possible(path, lineOf(text, secret.start), `The file holds what may be ${secret.kind}.`)
  );
}

/** Removes zero bytes, so that the text is the same in UTF-8 and in UTF-16. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll('\0', '');
}

const ENV_TEMPLATE = /[._-](?:examples?|samples?|templates?|dist|defaults?|schema)(?:[._-]|$)/;
/** `.envrc`, `prod.env`, `env.production`; not pages, which document such files. */
const ENV_KIN = /(?:^|[._-])env(?:rc$|[._-]|$)/;
const PAGE = /\.mdx?$/;
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,99})[ \t]*=[ \t]*["']?([^\s"']{6,500})/gm;
const SECRET_NAME = /KEY|SECRET|TOKEN|PASS|PWD|CREDENTIAL|AUTH/i;
const PLACEHOLDER =
  /^(?:[<${[(*.`]|your|my[-_]|change|replace|insert|todo|dummy|fake|placeholder|test|https?:\/\/[^@]*$)/i;
const MAX_ENV_BYTES = 256 * 1024;

/**
 * Returns whether a file is an environment file with secrets: `.env` and `.env.*` by name; files
 * with a similar name if they assign a value to a name such as `API_KEY`. Templates are allowed.
 */
export function envFiles(source: Pick<SourceTree, 'paths' | 'readBytes'>): Diagnostic[] {
  const isSecret = (path: string) => {
    const name = nameOf(path);
    if (ENV_TEMPLATE.test(`.${name}`)) return false;
    if (name === '.env' || name.startsWith('.env.')) return true;
    return (
      ENV_KIN.test(name) &&
      !PAGE.test(name) &&
      assignsSecret(textOf(startOf(source, path, MAX_ENV_BYTES)))
    );
  };
  const message = 'The file is for settings and secrets, and is not published.';
  return source.paths().flatMap((path) => (isSecret(path) ? refusal(path, message) : []));
}

/**
 * `server.pem`, `tls.key`, `id_ed25519`: file types that no site serves, so nothing else checks them.
 */
const KEY_FILE = /\.(?:pem|key|pkcs8|p8|ppk|asc|gpg)$|^id_[a-z0-9]+$/;
const MAX_KEY_BYTES = 64 * 1024;

/** Returns whether a file is named like a key and contains a private one. */
export function keyFiles(source: Pick<SourceTree, 'paths' | 'readBytes'>): Diagnostic[] {
  const keys = source.paths().filter((path) => KEY_FILE.test(nameOf(path)));
  return keys.flatMap(
    (path) => refuseSecret(path, startOf(source, path, MAX_KEY_BYTES), 'text/plain') ?? [],
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function startOf(
  source: Pick<SourceTree, 'readBytes'>,
  path: string,
  maxBytes: number,
): Uint8Array {
  return (source.readBytes(path) ?? new Uint8Array()).subarray(0, maxBytes);
}

function assignsSecret(text: string): boolean {
  return text
    .matchAll(ASSIGNMENT)
    .some(
      ([, name = '', value = '']) =>
        SECRET_NAME.test(name) && !PLACEHOLDER.test(value) && !EXAMPLE.test(value),
    );
}

const REMEDY =
  'Remove it from the repository and from its history, and replace the secret: everyone who can read the repository has it.';
const POSSIBLE_REMEDY =
  'If it is real, remove it and replace it. In an example, write a placeholder: `<password>`.';

function refusal(path: string, message: string): Diagnostic {
  return {
    severity: 'error',
    code: 'secret-file',
    message,
    remedy: REMEDY,
    file: path,
  };
}

const MAX_PLACES_OF_PAGE = 20;

/**
 * Returns the problems with secrets in a page: certain ones are masked in it, possible ones are
 * published as they are.
 */
export function secretsInPage(
  source: Pick<SourceTree, 'readText' | 'secretsIn'>,
  file: string,
): Diagnostic[] {
  const secrets = source.secretsIn(file);
  if (secrets.length === 0) return [];
  const text = source.readText(file) ?? '';
  return secrets.slice(0, MAX_PLACES_OF_PAGE).map(({ kind, start, isCertain }) => {
    const line = lineOf(text, start);
    if (!isCertain) return possible(file, line, `The page shows what may be ${kind}.`);
    const message = `The page shows ${kind}. It is masked in what is published.`;
    return { severity: 'error', code: 'secret-in-page', message, remedy: REMEDY, file, line };
  });
}

function possible(file: string, line: number, message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'possible-secret',
    message,
    remedy: POSSIBLE_REMEDY,
    file,
    line,
  };
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
