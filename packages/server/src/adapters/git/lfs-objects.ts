import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rootCertificates } from 'node:tls';
import type { IpRange } from '@docent/format/access/ip.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { isObject, listAt, objectAt, textAt } from '@docent/format/json-value.ts';
import { readGitAddress } from '@docent/format/sources/git-address.ts';
import type { GitRemote } from '../../ports/git/git-repositories.ts';
import { OutsideFault } from '../../ports/outside-files.ts';
import { guardedLookup, parseGuardedUrl } from '../outside-files/guarded-agent.ts';
import { boundedOutput, type GitRun } from './run-git.ts';

/** A file in Git LFS: what the repository has in its place. */
export interface LfsPointer {
  /** SHA-256 of the content. */
  oid: string;
  size: number;
}

/** Longer files are no pointers. */
export const MAX_POINTER_BYTES = 300;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Servers refuse longer lists. */
const BATCH = 100;
const TIMEOUT_MS = 30_000;
const JSON_TYPE = 'application/vnd.git-lfs+json';
const OID = /^oid sha256:([0-9a-f]{64})$/m;
const SIZE = /^size (\d{1,15})$/m;

type Headers = Record<string, string>;

/** Reads a pointer to a file in Git LFS; undefined if the text is none. */
export function readPointer(text: string): LfsPointer | undefined {
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1\n')) return undefined;
  const [oid, size] = [OID.exec(text)?.[1], SIZE.exec(text)?.[1]];
  return oid && size ? { oid, size: Number(size) } : undefined;
}

interface LfsPlace {
  remote: GitRemote;
  /** Keeps the contents, each under its hash. */
  folder: string;
  allowedRanges: readonly IpRange[];
  /** Of all files together. */
  maxBytes: number;
  /** With access to the remote, to ask it by ssh. */
  run: GitRun;
}

/**
 * Fetches the content of files in Git LFS that is not in the folder yet, by the batch API: from
 * public addresses over https alone, with the credentials of the repository for its own server.
 * @throws DocentError `git_refused`, `git_unavailable`
 */
export async function fetchLfsObjects(
  pointers: readonly LfsPointer[],
  place: LfsPlace,
): Promise<void> {
  const sizes = new Map(pointers.map(({ oid, size }) => [oid, size]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > place.maxBytes)
    throw new DocentError(
      'git_refused',
      `The files in Git LFS have ${Math.ceil(bytes / 1e6)} MB, which is too much for this server; use fewer, or ask the operator to raise DOCENT_GIT_MAX_MB.`,
    );
  await mkdir(place.folder, { recursive: true });
  const missing: LfsPointer[] = [];
  for (const [oid, size] of sizes)
    if (!(await isThere(join(place.folder, oid)))) missing.push({ oid, size });
  if (missing.length === 0) return;
  try {
    const { href, headers } = await endpointOf(place);
    for (let at = 0; at < missing.length; at += BATCH) {
      const objects = missing.slice(at, at + BATCH);
      for (const action of await actionsFor(objects, href, headers, place))
        await download(action, place);
    }
  } catch (error) {
    place.run.signal?.throwIfAborted();
    if (error instanceof DocentError) throw error;
    const isRefused = error instanceof OutsideFault && error.kind === 'refused';
    throw new DocentError(
      isRefused ? 'git_refused' : 'git_unavailable',
      `The files in Git LFS of ${place.remote.url} could not be fetched: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

async function endpointOf({ remote, run }: LfsPlace): Promise<{ href: string; headers: Headers }> {
  const address = readGitAddress(remote.url);
  if (typeof address === 'string') throw new DocentError('git_refused', address);
  if (address.protocol === 'https') {
    const path = remote.url.replace(/(?<!\/)\/+$/, '');
    const ending = path.endsWith('.git') || remote.provider === 'azure' ? '' : '.git';
    return { href: `${path}${ending}/info/lfs`, headers: authorizationOf(remote) };
  }
  const { username, hostname, port, pathname } = new URL(remote.url);
  const path = decodeURIComponent(pathname).replace(/^\/+/, '').replaceAll("'", '');
  const command = ['/bin/sh', '-c', `eval "$GIT_SSH_COMMAND"' "$@"'`, 'sh'];
  const target = [...(port ? ['-p', port] : []), '--', `${username || 'git'}@${hostname}`];
  let text = '';
  const output = boundedOutput(
    [...command, ...target, `git-lfs-authenticate '${path}' download`],
    run,
  );
  for await (const chunk of output) if (text.length < MAX_ANSWER_BYTES) text += chunk.toString();
  const answer = parsed(text);
  return { href: textAt(answer, 'href') ?? '', headers: headersIn(answer, 'header') };
}

function authorizationOf({ credentials }: GitRemote): Headers {
  if (credentials.kind !== 'token') return {};
  const pair = Buffer.from(`${credentials.username}:${credentials.token}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

interface Download extends LfsPointer {
  href: string;
  headers: Headers;
}

async function actionsFor(
  objects: readonly LfsPointer[],
  endpoint: string,
  headers: Headers,
  place: LfsPlace,
): Promise<Download[]> {
  const answer = await send(`${endpoint.replace(/(?<!\/)\/+$/, '')}/objects/batch`, place, {
    headers: { ...headers, accept: JSON_TYPE, 'content-type': JSON_TYPE },
    body: JSON.stringify({ operation: 'download', transfers: ['basic'], objects }),
  });
  let text = '';
  for await (const chunk of answer) {
    text += chunk.toString();
    if (text.length > MAX_ANSWER_BYTES) throw new Error('the server answers too much.');
  }
  const listed = new Map(
    listAt(parsed(text), 'objects')
      .filter(isObject)
      .map((entry) => [textAt(entry, 'oid'), entry]),
  );
  return objects.map((object) => {
    const download = objectAt(objectAt(listed.get(object.oid), 'actions'), 'download');
    const href = textAt(download, 'href');
    if (href === undefined)
      throw new DocentError(
        'git_refused',
        `The server has not got the content of a file in Git LFS (${object.oid.slice(0, 12)}); push it with "git lfs push --all".`,
      );
    const sentHeaders = headersIn(download, 'header');
    const isSame = URL.canParse(href) && new URL(href).origin === new URL(endpoint).origin;
    const isSigned = Object.keys(sentHeaders).some(
      (name) => name.toLowerCase() === 'authorization',
    );
    return { ...object, href, headers: { ...(isSame && !isSigned && headers), ...sentHeaders } };
  });
}

async function download({ oid, size, href, headers }: Download, place: LfsPlace): Promise<void> {
  const answer = await send(href, place, { headers });
  const file = join(place.folder, oid);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      answer,
      async function* checked(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.byteLength;
          if (bytes > size) throw new Error('a file is longer than the repository says.');
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(`${file}.part`),
    );
    if (bytes !== size || hash.digest('hex') !== oid)
      throw new Error('a file is not what the repository says.');
    await rename(`${file}.part`, file);
  } finally {
    await rm(`${file}.part`, { force: true });
  }
}

/** Sends a request over https to an allowed address; redirects are not followed. */
async function send(
  address: string,
  { allowedRanges, run }: LfsPlace,
  { headers, body }: { headers: Headers; body?: string },
): Promise<IncomingMessage> {
  const url = parseGuardedUrl(address, allowedRanges);
  if (url.protocol !== 'https:')
    throw new OutsideFault('refused', `${url.host} is not an https address.`);
  const file = process.env.GIT_SSL_CAINFO;
  const ca = file ? [...rootCertificates, await readFile(file, 'utf8')] : undefined;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'user-agent': 'Docent' },
      lookup: guardedLookup(allowedRanges),
      agent: false,
      ca,
      timeout: TIMEOUT_MS,
      signal: run.signal,
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url.host} takes too long.`)));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const { statusCode = 0 } = answer;
      if (statusCode === 200) return resolve(answer);
      answer.destroy();
      const isFinal = statusCode >= 300 && statusCode < 500 && statusCode !== 429;
      const message = `${url.host} returned status ${statusCode}.`;
      reject(isFinal ? new OutsideFault('refused', message) : new Error(message));
    });
    sent.end(body);
  });
}

/** What a server says to send with the next request. */
function headersIn(value: unknown, key: string): Headers {
  const entries = Object.entries(objectAt(value, key) ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, text]) =>
      /^[\w-]{1,100}$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]{0,8000}$/.test(text)
        ? [[name, text]]
        : [],
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the server does not answer as Git LFS does.');
  }
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
