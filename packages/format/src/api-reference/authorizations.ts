import {
  entriesOf,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '../json-value.ts';
import type { CredentialInput, OAuthFlow } from './request-inputs.ts';
import { follow } from './schemas/references.ts';

/** How a caller authenticates. */
export interface Credential extends CredentialInput {
  /** The format of the value, for examples: `Bearer <token>`. */
  sample: string;
  description: string;
}

export interface AuthorizationView {
  /** All alternatives; the credentials within one are required together. */
  alternatives: Credential[][];
  /** Calls without credentials are allowed too. */
  optional: boolean;
  /**
   * A client certificate is one of the ways, or part of one. It belongs to the connection, not to
   * the request.
   */
  certificate: boolean;
}

const MAX_ALTERNATIVES = 10;
const MAX_SCOPE_CHARACTERS = 200;

/**
 * Returns the security that applies to an operation: its own, otherwise the document's. Webhooks do
 * not inherit the document's.
 */
export function readAuthorizations(
  root: JsonObject,
  raw: JsonObject,
  webhook: boolean,
): AuthorizationView {
  const declared = valueAt(raw, 'security') ?? (webhook ? undefined : valueAt(root, 'security'));
  const requirements = Array.isArray(declared) ? declared.filter(isObject) : [];
  const alternatives = requirements
    .slice(0, MAX_ALTERNATIVES)
    .map((requirement) => readRequirement(root, requirement))
    .filter((credentials) => credentials.length > 0);
  return {
    alternatives: [
      ...new Map(
        alternatives.map((credentials) => [JSON.stringify(credentials), credentials]),
      ).values(),
    ],
    optional: requirements.some((requirement) => Object.keys(requirement).length === 0),
    certificate: requirements.some((requirement) =>
      Object.keys(requirement).some((name) => isCertificate(root, name)),
    ),
  };
}

function isCertificate(root: JsonObject, name: string): boolean {
  const scheme = follow(
    root,
    valueAt(objectAt(objectAt(root, 'components'), 'securitySchemes'), name),
  )?.value;
  return textAt(scheme, 'type')?.toLowerCase() === 'mutualtls';
}

/** Notes on authentication in addition to the credentials. */
export function authorizationNotes({
  optional,
  certificate,
}: Omit<AuthorizationView, 'alternatives'>): string[] {
  const notes = certificate ? ['The connection requires a client certificate (mutual TLS).'] : [];
  return optional ? [...notes, 'Also allowed without credentials.'] : notes;
}

function readRequirement(root: JsonObject, requirement: JsonObject): Credential[] {
  const schemes = objectAt(objectAt(root, 'components'), 'securitySchemes');
  const credentials: Credential[] = [];
  for (const [name, scopes] of entriesOf(requirement).slice(0, MAX_ALTERNATIVES)) {
    const scheme = follow(root, valueAt(schemes, name))?.value;
    const credential = scheme && readScheme(scheme);
    if (!credential) continue;
    const scopeNames = Array.isArray(scopes)
      ? scopes.filter((scope) => typeof scope === 'string').slice(0, 20)
      : [];
    const scopeTexts = scopeNames.map((scope) => `\`${scope}\`${scopeMeaning(scheme, scope)}`);
    const scopeNote = scopeTexts.length > 0 ? `\n\nScopes: ${scopeTexts.join(', ')}` : '';
    const oauth = readOAuthFlows(scheme, scopeNames);
    const description = credential.description + scopeNote;
    credentials.push({ ...credential, description, oauth: oauth.length > 0 ? oauth : undefined });
  }
  return credentials;
}

/** What the flows of a scheme say about a scope, in brackets. */
function scopeMeaning(scheme: JsonObject, scope: string): string {
  const flows = entriesOf(objectAt(scheme, 'flows')).map(([, flow]) =>
    textAt(objectAt(flow, 'scopes'), scope),
  );
  const [meaning] = flows.filter((text) => text !== undefined);
  return meaning === undefined
    ? ''
    : ` (${meaning.replace(/\s+/g, ' ').trim().slice(0, MAX_SCOPE_CHARACTERS)})`;
}

/**
 * Reads a security scheme of OpenAPI or AsyncAPI. Returns undefined for schemes that are not part
 * of a request (mutual TLS).
 */
export function readScheme(scheme: JsonObject): Credential | undefined {
  const type = textAt(scheme, 'type')?.toLowerCase();
  const ownDescription = textAt(scheme, 'description');
  const preset = textAt(scheme, 'x-default');
  if (type === 'apikey' || type === 'httpapikey')
    return keyCredential(scheme, ownDescription, preset);
  if (type !== 'http' && type !== 'oauth2' && type !== 'openidconnect') return undefined;
  const word = (type === 'http' && textAt(scheme, 'scheme')) || 'bearer';
  const header = { name: 'Authorization', place: 'header' } as const;
  switch (word.toLowerCase()) {
    case 'basic': {
      const description =
        ownDescription ?? 'User name and password, joined by a colon and encoded as Base64.';
      return { ...header, kind: 'basic', sample: 'Basic <credentials>', description };
    }
    case 'bearer': {
      const description = ownDescription ?? 'A bearer token, sent as `Bearer <token>`.';
      return {
        ...header,
        kind: 'bearer',
        sample: `Bearer ${preset ?? '<token>'}`,
        description,
        preset,
      };
    }
    default:
      return {
        ...header,
        kind: 'key',
        sample: `${word} <credentials>`,
        description: ownDescription ?? '',
        prefix: `${word} `,
      };
  }
}

function keyCredential(
  scheme: JsonObject,
  description = '',
  preset?: string,
): Credential | undefined {
  const name = textAt(scheme, 'name');
  if (name === undefined) return undefined;
  const declaredPlace = textAt(scheme, 'in');
  const place = declaredPlace === 'query' || declaredPlace === 'cookie' ? declaredPlace : 'header';
  return { name, place, kind: 'key', sample: preset ?? '<api-key>', description, preset };
}

/** Schemes of an AsyncAPI server or operation, which lists them as references. */
export function listedCredentials(root: JsonObject, holder: JsonObject): Credential[] {
  return listAt(holder, 'security')
    .map((reference) => follow(root, reference)?.value)
    .map((scheme) => scheme && readScheme(scheme))
    .filter((credential) => credential !== undefined)
    .slice(0, MAX_ALTERNATIVES);
}

const FLOW_KINDS = ['authorizationCode', 'clientCredentials'] as const;

/**
 * Returns the flows of an OAuth 2 scheme that a page can run, which are those that OAuth 2.1 keeps.
 * Leaves out others and flows with relative addresses.
 * @param scopes the scopes that the operation requires
 */
export function readOAuthFlows(scheme: JsonObject, scopes: readonly string[]): OAuthFlow[] {
  const flows = objectAt(scheme, 'flows');
  return FLOW_KINDS.flatMap((kind): OAuthFlow[] => {
    const flow = objectAt(flows, kind);
    const tokenUrl = wholeAddress(textAt(flow, 'tokenUrl'));
    const authorizationUrl = wholeAddress(textAt(flow, 'authorizationUrl'));
    if (tokenUrl === undefined || (kind === 'authorizationCode' && authorizationUrl === undefined))
      return [];
    const scopeNames = new Set(
      [...entriesOf(objectAt(flow, 'scopes')), ...entriesOf(objectAt(flow, 'availableScopes'))].map(
        ([name]) => name,
      ),
    );
    const requestedScopes = scopes.filter(
      (scope) => scopeNames.size === 0 || scopeNames.has(scope),
    );
    return [
      {
        kind,
        tokenUrl,
        ...(kind === 'authorizationCode' && { authorizationUrl: authorizationUrl as string }),
        scopes: requestedScopes,
      },
    ];
  });
}

function wholeAddress(text: string | undefined): string | undefined {
  const address = text?.trim();
  return address !== undefined && /^https?:\/\/[^\s/?#]/i.test(address) ? address : undefined;
}
