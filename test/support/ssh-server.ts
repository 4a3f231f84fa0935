import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './start-docent.ts';

const SSHD = '/usr/sbin/sshd';
export const canServeSsh = existsSync(SSHD) && process.getuid?.() === 0;

/** A server for ssh, for the user of this process, that lets in one key. */
export async function startSshServer() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sshd-'));
  // Debian creates it when the service starts.
  mkdirSync('/run/sshd', { recursive: true });
  const [hostKey, authorized, config] = ['host', 'authorized', 'config'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const makeHostKey = () => {
    rmSync(hostKey, { force: true });
    rmSync(`${hostKey}.pub`, { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  };
  makeHostKey();
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${authorized}`,
  ];
  writeFileSync(
    config,
    [...lines, 'StrictModes no', 'UsePAM no', 'PidFile none', 'PasswordAuthentication no', ''].join(
      '\n',
    ),
  );
  writeFileSync(authorized, '');
  const start = async () => {
    const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: 'ignore' });
    while (!(await answers(port))) await wait(50);
    return child;
  };
  let child = await start();
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await gone;
  };
  return {
    /** Address of a repository on this machine. */
    addressOf: (path: string) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    allow: (publicKey: string) => writeFileSync(authorized, `${publicKey}\n`),
    async changeHostKey(): Promise<void> {
      await stop();
      makeHostKey();
      child = await start();
    },
    async close(): Promise<void> {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
