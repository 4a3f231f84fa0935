import { createPrivateKey } from 'node:crypto';
import { githubApi } from '@docent/format/sources/github.ts';
import { SignJWT } from 'jose';
import type { Deps } from '../kernel/deps.ts';
import { openSecret } from '../kernel/sealed-secrets.ts';
import { HostFault } from '../outside/call-host.ts';
import type { HostRequest } from '../ports/git/host-calls.ts';
import type { GitHubAppRow } from './app-queries.ts';

export type AppCallDeps = Pick<Deps, 'hostCalls' | 'secret' | 'clock'>;

interface AppSecrets {
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
}

/** GitHub accepts ten minutes, and its clock may differ from ours. */
const LIFETIME_SECONDS = 8 * 60;
const SKEW_SECONDS = 60;

/** @returns undefined if they were stored with another secret of the server */
export function secretsOf(
  { secret }: Pick<Deps, 'secret'>,
  app: GitHubAppRow,
): AppSecrets | undefined {
  const text = openSecret(secret, 'GitHub Apps', app.secrets ?? '');
  return text === undefined ? undefined : (JSON.parse(text) as AppSecrets);
}

/**
 * Calls the API of GitHub as an app, with a token that it signs (RS256).
 * @param request its `url` is the path
 * @throws HostFault
 */
export async function callAsApp(
  deps: AppCallDeps,
  app: GitHubAppRow,
  { url: path, ...request }: HostRequest,
  signal?: AbortSignal,
): Promise<unknown> {
  const secrets = secretsOf(deps, app);
  if (!secrets)
    throw new HostFault(
      'refused',
      `The key of the GitHub App ${app.name} was stored with another DOCENT_SECRET; remove the app, and create another.`,
    );
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const jwt = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(app.appId ?? '')
    .setIssuedAt(now - SKEW_SECONDS)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(createPrivateKey(secrets.privateKey));
  const caller = { organizationId: app.organizationId, authorization: `Bearer ${jwt}` };
  return deps.hostCalls.call(caller, { ...request, url: githubApi(app.host) + path }, signal);
}
