import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { selfSigned } from './certificate.ts';

/** Git's own server for https. */
const BACKEND = '/usr/lib/git-core/git-http-backend';
export const canServeGit = existsSync(BACKEND);

export interface GitServer {
  /** `https://localhost:<port>` */
  origin: string;
  /** Requests that arrived. */
  requests: string[];
  /** Answers instead of Git if it returns true. */
  intercept?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Password that requests need, whatever the user name. */
  password?: string | undefined;
  /** Folder of the bare repositories. */
  folder: string;
  createRepository(name: string): TestRepository;
  close(): Promise<void>;
}

/** A repository on the server, with a folder in which it is changed. */
export interface TestRepository {
  url: string;
  bare: string;
  work: string;
  git(...args: string[]): string;
  /** Writes files (null removes one), commits and pushes them. @returns the sha */
  push(files: Record<string, string | null>, message?: string): string;
  /** Pushes a commit to a ref of the server by force; null deletes the ref. */
  setRef(ref: string, sha: string | null): void;
}

/**
 * Serves repositories by https with a certificate of its own, which `GIT_SSL_CAINFO` names from now
 * on.
 */
export async function startGitServer(): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-git-'));
  const { key, cert } = selfSigned(folder);
  process.env.GIT_SSL_CAINFO = cert;
  const requests: string[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    if (server.intercept?.(request, response)) return;
    const given = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    if (server.password !== undefined && given.split(':')[1] !== server.password)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    serve(folder, request, response);
  };
  const web = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, handle);
  await new Promise<void>((listening) => web.listen(0, 'localhost', listening));
  const origin = `https://localhost:${(web.address() as AddressInfo).port}`;
  const server: GitServer = {
    origin,
    requests,
    folder,
    createRepository: (name) => createRepository(origin, folder, name),
    async close() {
      web.closeAllConnections();
      await new Promise((closed) => web.close(closed));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const child = spawn(BACKEND, {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...(request.headers['content-encoding'] && {
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let isSent = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (isSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isSent = true;
    const lines = head.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}

/**
 * Starting a process takes a worker of tests longer than what Git does with a small repository, so
 * this starts few: the two folders are copied and share their objects, and a push is a file.
 */
function createRepository(origin: string, folder: string, name: string): TestRepository {
  const bare = join(folder, `${name}.git`);
  const work = join(folder, `${name}-work`);
  const env = {
    PATH: process.env.PATH,
    HOME: work,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada Example',
    GIT_AUTHOR_EMAIL: 'ada@acme.example',
    GIT_COMMITTER_NAME: 'Ada Example',
    GIT_COMMITTER_EMAIL: 'ada@acme.example',
  };
  const run = (program: string, args: string[], cwd = work) =>
    execFileSync(program, args, {
      ...{ cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    }).trim();
  const template = join(folder, '.template');
  if (!existsSync(template)) run('sh', ['-c', CREATE, 'sh', template], folder);
  cpSync(join(template, 'bare'), bare, { recursive: true });
  cpSync(join(template, 'work'), work, { recursive: true });
  symlinkSync(join(bare, 'objects'), join(work, '.git/objects'));
  appendFileSync(join(work, '.git/config'), `[remote "origin"]\n  url = ${bare}\n${FETCHES}`);
  const head = () => readFileSync(join(work, '.git/HEAD'), 'utf8').trim();
  const setRef = (ref: string, sha: string | null) => {
    const file = join(bare, ref);
    if (sha === null) return rmSync(file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${sha}\n`);
  };
  return {
    url: `${origin}/${name}.git`,
    bare,
    work,
    git: (...args) => run('git', args),
    setRef,
    push(files, message = 'Change the docs') {
      for (const [path, text] of Object.entries(files)) {
        const file = join(work, path);
        if (text === null) rmSync(file);
        else {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
        }
      }
      const sha = run('sh', ['-c', COMMIT, 'sh', message]);
      setRef(head().replace(/^ref: /, ''), sha);
      return sha;
    },
  };
}

const CREATE = `mkdir "$1" && cd "$1" &&
git init -q --bare -b main --template= bare &&
git -C bare config uploadpack.allowFilter true &&
git -C bare config uploadpack.allowAnySHA1InWant true &&
git init -q -b main --template= work &&
git -C work config maintenance.auto false && rm -r work/.git/objects`;
const COMMIT = 'git add -A && git commit -q --allow-empty -m "$1" && git rev-parse HEAD';
const FETCHES = '  fetch = +refs/heads/*:refs/remotes/origin/*\n';
