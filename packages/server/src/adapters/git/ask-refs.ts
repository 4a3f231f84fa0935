import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { IpRange } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import { readGitAddress } from '@docent/format/sources/git-address.ts';
import type { GitRemote } from '../../ports/git/git-repositories.ts';
import { guardedLookup, parseGuardedUrl } from '../outside-files/guarded-agent.ts';
import { basicAuthorization } from './remote-access.ts';

export interface AskRefsOptions {
  allowedRanges: readonly IpRange[];
  seconds: number;
}

/** How long a connection without a question stays open, unless the server closes it. */
const IDLE_MS = 60_000;
const MAX_LINE_BYTES = 65_520;
/** About 200,000 branches and pull requests; each takes this much besides its name. */
const MAX_LIST_CHARACTERS = 32 * 1024 * 1024;
const REF_CHARACTERS = 100;
const FLUSH = '0000';
const DELIMITER = '0001';

/**
 * Returns a function that asks a server by https what refs name, as `git ls-remote` does: by
 * version 2 of Git's protocol (gitprotocol-v2, `ls-refs`). It starts no process, and looks at
 * repositories of one server share its connections, so it takes a tenth of the CPU.
 *
 * The function returns undefined for what it leaves to Git, which also says what is wrong: ssh, an
 * older protocol, a certificate that only the system knows, a refusal.
 * @throws DocentError `git_unavailable` if the server does not answer in time; `git_refused` if it
 *   names too many
 */
export function createRefReader({ allowedRanges, seconds }: AskRefsOptions) {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const lookup = guardedLookup(allowedRanges);
  return async (
    { url, credentials }: GitRemote,
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, string> | undefined> => {
    const address = readGitAddress(url);
    if (typeof address === 'string' || address.protocol !== 'https') return undefined;
    const deadline = AbortSignal.timeout(seconds * 1000);
    try {
      const target = parseGuardedUrl(`${url}/git-upload-pack`, allowedRanges);
      const sent = request(target, {
        method: 'POST',
        agent,
        lookup,
        ca: certificates(),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        headers: {
          'user-agent': 'Docent',
          'git-protocol': 'version=2',
          'content-type': 'application/x-git-upload-pack-request',
          accept: 'application/x-git-upload-pack-result',
          ...(credentials.kind === 'token' && { authorization: basicAuthorization(credentials) }),
        },
      });
      const response = await answerTo(sent, questionAbout(patterns));
      const refs = await readRefs(response);
      return refs && new Map([...refs].filter(([name]) => patterns.some(matches(name))));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DocentError) throw error;
      if (!deadline.aborted) return undefined;
      throw new DocentError(
        'git_unavailable',
        `The server of ${url} did not answer within ${seconds} s; try again later.`,
      );
    }
  };
}

function questionAbout(patterns: readonly string[]): string {
  const prefixes = patterns.map((pattern) => line(`ref-prefix ${pattern.split('*')[0]}\n`));
  return [line('command=ls-refs\n'), DELIMITER, ...prefixes, FLUSH].join('');
}

const line = (text: string) =>
  `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;

const matches = (name: string) => (pattern: string) => {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return name === pattern;
  return name.length >= pattern.length && name.startsWith(before) && name.endsWith(after);
};

function answerTo(sent: ReturnType<typeof request>, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end(body);
  });
}

/** Reads lines with their lengths before them, up to the end of the list. */
async function readRefs(response: IncomingMessage): Promise<Map<string, string> | undefined> {
  const type = response.headers['content-type'];
  if (response.statusCode !== 200 || type !== 'application/x-git-upload-pack-result') {
    response.destroy();
    return undefined;
  }
  const list = createRefList();
  let isWhole = false;
  let rest = Buffer.alloc(0);
  for await (const chunk of response as AsyncIterable<Buffer<ArrayBuffer>>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= FLUSH.length && !isWhole) {
      const digits = rest.toString('latin1', at, at + FLUSH.length);
      isWhole = digits === FLUSH;
      const length = isWhole ? FLUSH.length : Number.parseInt(digits, 16);
      if (!(length >= FLUSH.length && length <= MAX_LINE_BYTES)) return undefined;
      if (rest.length - at < length) break;
      const text = rest.toString('utf8', at + FLUSH.length, at + length);
      at += length;
      if (isWhole) continue;
      const [, sha, name] = /^([0-9a-f]{40,64}) (\S+)/.exec(text) ?? [];
      if (sha === undefined || name === undefined) return undefined;
      list.add(name, sha);
    }
    // What comes after the list is no part of it.
    rest = isWhole ? Buffer.alloc(0) : rest.subarray(at);
  }
  return isWhole ? list.refs : undefined;
}

/** What a server says that refs name, as far as there is memory for it. */
export function createRefList() {
  const refs = new Map<string, string>();
  let room = MAX_LIST_CHARACTERS;
  return {
    refs,
    /** @throws DocentError `git_refused` */
    add(name: string, sha: string): void {
      refs.set(name, sha);
      room -= name.length + REF_CHARACTERS;
      if (room < 0)
        throw new DocentError(
          'git_refused',
          `The repository has more than ${refs.size - 1} branches and pull requests, more than the server reads.`,
        );
    },
  };
}

let trusted: { file: string; ca: Buffer } | undefined;

/** The certificates that Git is told to trust in place of those of the system. */
function certificates(): Buffer | undefined {
  const file = process.env.GIT_SSL_CAINFO;
  if (file === undefined) return undefined;
  if (trusted?.file !== file) trusted = { file, ca: readFileSync(file) };
  return trusted.ca;
}
