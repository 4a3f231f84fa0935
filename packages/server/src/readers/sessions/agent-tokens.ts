import type { Deps } from '../../kernel/deps.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';

/** Returns what an agent sends as a reader: it counts as long as the session. */
export function agentToken(
  { secret }: Pick<Deps, 'secret'>,
  siteId: string,
  sessionId: string,
): string {
  return seal(secret, 'tokens of agents', [siteId, sessionId]);
}

/** Returns the session of a token of a site. */
export function sessionOfAgent(
  { secret }: Pick<Deps, 'secret'>,
  siteId: string,
  token: string,
): string | undefined {
  const [ofSite, sessionId] = unseal<[string, string]>(secret, 'tokens of agents', token);
  return ofSite === siteId ? sessionId : undefined;
}

type AgentUse = 'clients of agents' | 'codes of agents' | 'tokens of agents';

/** Encrypts a value, in characters that addresses and headers take. */
export function seal(secret: string, use: AgentUse, value: unknown): string {
  return Buffer.from(sealSecret(secret, use, JSON.stringify(value)), 'base64').toString(
    'base64url',
  );
}

/** Returns the value; nothing if it was not sealed for this use. */
export function unseal<Value extends unknown[]>(
  secret: string,
  use: AgentUse,
  sealed: string,
): Value | [] {
  const text = openSecret(secret, use, Buffer.from(sealed, 'base64url').toString('base64'));
  return text === undefined ? [] : (JSON.parse(text) as Value);
}
