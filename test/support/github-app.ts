import { generateKeyPairSync, verify } from 'node:crypto';
import { type StandInHost, standInHost } from './git-host.ts';

interface CheckRun {
  id: number;
  head_sha: string;
  name: string;
  status: string;
  conclusion?: string;
  annotations: { path: string; start_line: number; annotation_level: string; message: string }[];
}

/** Of GitHub, with apps: what it knows of them, and the tokens that it gave. */
export interface StandInGitHub extends StandInHost {
  /** Codes of manifests that a person has confirmed, by the app that each makes. */
  codes: Map<string, { id: number; slug: string }>;
  /** Repositories that an app is installed for. */
  installed: string[];
  tokens: { token: string; repositories: string[] | undefined; permissions: object }[];
  /** Ids of the installations that were removed. */
  removed: string[];
  checkRuns: CheckRun[];
  /** Returns the token that the next installation gets. */
  nextToken: () => string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const APP_PEM = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
export const APP_WEBHOOK_SECRET = 'webhook-s3cret';
const HOUR_MS = 3600 * 1000;

/**
 * GitHub as its OpenAPI description says, at a host: it converts manifests, verifies the tokens of
 * apps, and gives tokens of installations.
 */
export function standInGitHub(host: string, clock: { now(): Date }): StandInGitHub {
  const base = standInHost('github', {
    origin: `https://${host}`,
    authorization: '',
    ...(host !== 'github.com' && { base: '/api/v3' }),
  });
  const github: StandInGitHub = Object.assign(base, {
    codes: new Map<string, { id: number; slug: string }>(),
    installed: [] as string[],
    tokens: [] as StandInGitHub['tokens'],
    removed: [] as string[],
    checkRuns: [] as CheckRun[],
    nextToken: () => `ghs_${github.tokens.length + 1}`,
    respond,
  });
  return github;

  async function respond(
    operation: string,
    path: string,
    sent: Record<string, unknown>,
    authorization: string,
  ): Promise<[number, unknown] | undefined> {
    const token = authorization.replace(/^Bearer /, '');
    if (operation.startsWith('POST /app-manifests/')) return convert(path.split('/')[2] ?? '');
    if (operation === 'GET /installation/repositories') {
      if (!github.tokens.some((item) => item.token === token)) return [401, {}];
      const repositories = github.installed.map((full_name) => ({
        full_name,
        default_branch: 'main',
        private: true,
      }));
      return [200, { total_count: repositories.length, repositories }];
    }
    if (operation.includes('/check-runs')) {
      const permissions = github.tokens.find((item) => item.token === token)?.permissions ?? {};
      if (!('checks' in permissions)) return [403, {}];
      const { output, ...fields } = sent as { output: { annotations: CheckRun['annotations'] } };
      const run =
        operation.startsWith('POST') || github.checkRuns.find(({ id }) => path.endsWith(`/${id}`));
      if (!run) return [404, {}];
      const checkRun = run === true ? { id: github.checkRuns.length + 1, annotations: [] } : run;
      if (run === true) github.checkRuns.push(checkRun as never);
      Object.assign(checkRun, fields);
      (checkRun.annotations as object[]).push(...output.annotations);
      return [run === true ? 201 : 200, checkRun];
    }
    const isOfApp = /^\w+ \/app\/|\/installation$/.test(operation);
    if (!isOfApp) {
      const isIssued = github.tokens.some((item) => item.token === token);
      return isIssued ? undefined : [401, { message: 'Bad credentials' }];
    }
    if (!isTokenOfApp(token, clock.now())) return [401, { message: 'Bad JSON web token' }];
    if (operation.startsWith('DELETE')) {
      github.removed.push(path.split('/').at(-1) ?? '');
      return [204, {}];
    }
    if (operation === 'GET /app/installations')
      return [200, github.installed.length > 0 ? [{ id: 77, suspended_at: null }] : []];
    if (operation.startsWith('GET /repos/')) {
      const name = path.split('/').slice(2, 4).join('/');
      return github.installed.includes(name) ? [200, { id: 77 }] : [404, {}];
    }
    const created = {
      token: github.nextToken(),
      repositories: sent.repositories as string[] | undefined,
      permissions: sent.permissions as object,
    };
    github.tokens.push(created);
    const expires_at = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    return [201, { ...created, expires_at }];
  }

  function convert(code: string): [number, unknown] {
    const app = github.codes.get(code);
    if (!app || !github.codes.delete(code)) return [404, {}];
    const html_url = `https://${host}/apps/${app.slug}`;
    const secrets = { pem: APP_PEM, webhook_secret: APP_WEBHOOK_SECRET, client_secret: 'unused' };
    return [201, { ...app, name: app.slug, owner: { login: 'acme' }, html_url, ...secrets }];
  }
}

/** RFC 7519 with RS256, for at most ten minutes. */
function isTokenOfApp(token: string, now: Date): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
  const { iat, exp, iss } = parse(payload);
  const seconds = now.getTime() / 1000;
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const isInTime = iat <= seconds && seconds < exp && exp - iat <= 600;
  return parse(header).alg === 'RS256' && isSigned && isInTime && iss === '4711';
}
