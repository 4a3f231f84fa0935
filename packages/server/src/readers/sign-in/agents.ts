import { createHash, randomUUID } from 'node:crypto';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import { seal, unseal } from '../sessions/agent-tokens.ts';
import { useProof } from './proof-rows.ts';

type AgentDeps = Pick<Deps, 'database' | 'clock' | 'secret'>;

/** An agent's program, as it registered (RFC 7591); its id contains all of it, sealed. */
export interface AgentClient {
  name: string;
  redirectUris: string[];
}

/** What a code says that a reader gave to an agent. */
interface AgentGrant {
  sessionId: string;
  clientId: string;
  redirectUri: string;
  /** Base64url of the SHA-256 of the verifier (RFC 7636). */
  challenge: string;
}

const CODE_MS = 60_000;
const MAX_NAME_CHARACTERS = 100;
const MAX_URIS = 5;
const MAX_URI_CHARACTERS = 150;
/** Schemes of editors that have no domain in their name (RFC 8252 §7.1). */
const EDITORS = /^(?:claude|codex|cursor|kiro|vscode|vscode-insiders|windsurf|zed):$/;

/** Returns the client of a registration; undefined if it names no address that agents may have. */
export function readAgentClient(body: unknown): AgentClient | undefined {
  const { redirect_uris: uris, client_name: name } = (body ?? {}) as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS) return undefined;
  if (!uris.every(isAgentAddress)) return undefined;
  const text = typeof name === 'string' && name.isWellFormed() ? name : 'An agent';
  return { name: text.slice(0, MAX_NAME_CHARACTERS), redirectUris: uris };
}

/** Encrypted websites, this computer, and programs; nothing that a browser would run. */
function isAgentAddress(uri: unknown): uri is string {
  const url = typeof uri === 'string' && uri.length <= MAX_URI_CHARACTERS ? URL.parse(uri) : null;
  if (!url || url.hash || url.username || url.password) return false;
  if (url.protocol === 'http:') return isLoopback(url);
  return url.protocol === 'https:' || url.protocol.includes('.') || EDITORS.test(url.protocol);
}

const isLoopback = ({ hostname }: URL) => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);

/** Returns whether a client registered an address; programs choose their port at each sign-in. */
export function hasRedirect({ redirectUris }: AgentClient, uri: string): boolean {
  const comparable = (text: string) => {
    const url = URL.parse(text);
    if (url?.protocol === 'http:' && isLoopback(url)) url.port = '';
    return url?.href;
  };
  return (
    isAgentAddress(uri) && redirectUris.some((address) => comparable(address) === comparable(uri))
  );
}

/** Returns the id of a client of a site: nothing is stored, so registering costs nothing. */
export function agentClientId(
  { secret }: Pick<AgentDeps, 'secret'>,
  siteId: string,
  client: AgentClient,
): string {
  return seal(secret, 'clients of agents', [siteId, client]);
}

export function agentClientOf(
  { secret }: Pick<AgentDeps, 'secret'>,
  siteId: string,
  clientId: string,
): AgentClient | undefined {
  const [ofSite, client] = unseal<[string, AgentClient]>(secret, 'clients of agents', clientId);
  return ofSite === siteId ? client : undefined;
}

/** Returns a code that gives a grant once, within a minute. */
export function agentCode({ clock, secret }: AgentDeps, siteId: string, grant: AgentGrant): string {
  const expiresAt = clock.now().getTime() + CODE_MS;
  return seal(secret, 'codes of agents', [siteId, grant, expiresAt, randomUUID()]);
}

/**
 * Returns the grant of a code, and uses it up; undefined if it is not for this site and this
 * request, has expired, or was used.
 */
export async function takeAgentCode(
  { database, clock, secret }: AgentDeps,
  siteId: string,
  form: { code: string; clientId: string; redirectUri: string; verifier: string },
): Promise<AgentGrant | undefined> {
  const [ofSite, grant, expiresAt = 0] = unseal<[string, AgentGrant, number]>(
    secret,
    'codes of agents',
    form.code,
  );
  if (ofSite !== siteId || !grant || expiresAt <= clock.now().getTime()) return undefined;
  const isFirst = await useProof(database.queries, hashSecret(form.code), new Date(expiresAt));
  const challenge = createHash('sha256').update(form.verifier).digest('base64url');
  const isSame =
    grant.clientId === form.clientId &&
    grant.redirectUri === form.redirectUri &&
    grant.challenge === challenge;
  return isFirst && isSame ? grant : undefined;
}
