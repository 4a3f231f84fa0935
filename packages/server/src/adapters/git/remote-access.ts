import { lookup } from 'node:dns/promises';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { IpRange } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import { type GitAddress, readGitAddress } from '@docent/format/sources/git-address.ts';
import type { GitRemote } from '../../ports/git/git-repositories.ts';
import { isAllowedAddress } from '../outside-files/guarded-agent.ts';

/**
 * What Git may do with any repository: nothing in one starts a program or leads to another
 * protocol.
 */
const SAFE: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.askPass': '',
  'credential.helper': '',
  'protocol.version': '2',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'fetch.fsckObjects': 'false',
  'fetch.writeCommitGraph': 'false',
  'transfer.bundleURI': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'index.threads': '1',
  // Larger ones are written as they arrive, not held.
  'core.bigFileThreshold': '2m',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '512m',
  'fetch.unpackLimit': '1',
  'core.quotePath': 'false',
  'log.showSignature': 'false',
  'safe.directory': '*',
  'http.followRedirects': 'false',
  'http.proxy': '',
  'http.saveCookies': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '30',
  'http.userAgent': 'Docent',
};

/** The environment of Git: no configuration but ours, no question, no protocol but those named. */
export function gitEnvironment(
  home: string,
  protocols: string,
  settings: Record<string, string> = {},
): Record<string, string> {
  const entries = Object.entries({ ...SAFE, ...settings });
  const certificates = process.env.GIT_SSL_CAINFO;
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: home,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    SSH_ASKPASS: '/bin/false',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    ...(certificates !== undefined && { GIT_SSL_CAINFO: certificates }),
    // Not in the arguments: those of a process can be read by all.
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** What lets Git talk to one remote, and the keys that its host showed. */
export interface RemoteAccess {
  env: Record<string, string>;
  knownHosts(): Promise<string | null>;
}

/**
 * Runs `use` with access to a remote: to the addresses that its name had when they were checked,
 * and with its credentials, which are on disk only as long as ssh needs them.
 * @throws DocentError `git_refused`, `git_unavailable`
 */
export async function withRemote<Result>(
  remote: GitRemote,
  { folder, allowedRanges }: { folder: string; allowedRanges: readonly IpRange[] },
  settings: Record<string, string>,
  use: (access: RemoteAccess) => Promise<Result>,
): Promise<Result> {
  const address = readGitAddress(remote.url);
  if (typeof address === 'string') throw new DocentError('git_refused', address);
  const addresses = await checkedAddresses(address.host, allowedRanges);
  const home = await mkdtemp(join(folder, 'run-'));
  try {
    if (address.protocol === 'https') {
      const env = gitEnvironment(home, 'https', {
        ...settings,
        ...httpsSettings(address, addresses, remote),
      });
      return await use({ env, knownHosts: async () => null });
    }
    const hosts = join(home, 'known_hosts');
    const env = {
      ...gitEnvironment(home, 'ssh', settings),
      ...(await sshCommand(home, hosts, address, addresses, remote)),
    };
    return await use({
      env,
      knownHosts: async () => (await readFile(hosts, 'utf8').catch(() => '')) || null,
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function checkedAddresses(
  host: string,
  allowedRanges: readonly IpRange[],
): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await addressesOf(host);
  if (addresses.every((address) => isAllowedAddress(address, allowedRanges))) return addresses;
  throw new DocentError(
    'git_refused',
    `${host} is a private or reserved address, to which the server does not connect. The operator can allow it with DOCENT_ALLOWED_PRIVATE_RANGES.`,
  );
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new DocentError(
      'git_unavailable',
      `There is no host ${host}, or its name could not be looked up; check the address.`,
      {
        cause,
      },
    );
  }
}

function httpsSettings(
  { url, host, port }: GitAddress,
  addresses: string[],
  { credentials }: GitRemote,
): Record<string, string> {
  const pinned = addresses
    .map((address) => (address.includes(':') ? `[${address}]` : address))
    .join(',');
  const pin: Record<string, string> = isIP(host)
    ? {}
    : { 'http.curloptResolve': `${host}:${port}:${pinned}` };
  if (credentials.kind !== 'token') return pin;
  const header = `Authorization: ${basicAuthorization(credentials)}`;
  return { ...pin, [`http.${new URL(url).origin}/.extraHeader`]: header };
}

/** The header with a token. */
export function basicAuthorization({
  username,
  token,
}: Extract<GitRemote['credentials'], { kind: 'token' }>): string {
  return `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
}

async function sshCommand(
  home: string,
  hosts: string,
  { host }: GitAddress,
  [first]: string[],
  { credentials }: GitRemote,
) {
  if (credentials.kind !== 'ssh')
    throw new DocentError(
      'git_refused',
      'An ssh address needs a deploy key; create one for the source.',
    );
  const key = join(home, 'key');
  await writeFile(key, credentials.privateKey, { mode: 0o600 });
  await writeFile(hosts, credentials.knownHosts ?? '', { mode: 0o600 });
  const options = [
    `Hostname=${first}`,
    // The key of the host belongs to its name, whatever address the name has.
    `HostKeyAlias=${host}`,
    `IdentityFile=${quoted(key)}`,
    `UserKnownHostsFile=${quoted(hosts)}`,
    'GlobalKnownHostsFile=/dev/null',
    `StrictHostKeyChecking=${credentials.knownHosts === null ? 'accept-new' : 'yes'}`,
    'CheckHostIP=no',
    'HashKnownHosts=no',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'PreferredAuthentications=publickey',
    'BatchMode=yes',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'ConnectTimeout=15',
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
    'LogLevel=ERROR',
  ];
  const command = [
    'ssh',
    '-F',
    '/dev/null',
    ...options.flatMap((option) => ['-o', shellQuoted(option)]),
  ].join(' ');
  return { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: 'ssh' };
}

/** For the configuration of ssh, which splits values at spaces. */
const quoted = (path: string) => `"${path}"`;
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
