import { entriesOf, type JsonObject, objectAt, textAt } from './json-value.ts';
import type { OAuthFlow } from './playground/request-inputs.ts';

const KINDS = ['authorizationCode', 'clientCredentials'] as const;

/**
 * Returns the flows of an OAuth 2 scheme that a page can run, which are those that OAuth 2.1 keeps. Leaves out others and flows
 * with relative addresses.
 * @param scopes the scopes that the operation requires
 */
export function readOAuthFlows(scheme: JsonObject, scopes: readonly string[]): OAuthFlow[] {
  const flows = objectAt(scheme, 'flows');
  return KINDS.flatMap((kind): OAuthFlow[] => {
    const flow = objectAt(flows, kind);
    const tokenUrl = wholeAddress(textAt(flow, 'tokenUrl'));
    const authorizationUrl = wholeAddress(textAt(flow, 'authorizationUrl'));
    if (tokenUrl === undefined || (kind === 'authorizationCode' && authorizationUrl === undefined)) return [];
    const known = new Set(
      [...entriesOf(objectAt(flow, 'scopes')), ...entriesOf(objectAt(flow, 'availableScopes'))].map(([name]) => name),
    );
    const asked = scopes.filter((scope) => known.size === 0 || known.has(scope));
    return [
      { kind, tokenUrl, ...(kind === 'authorizationCode' && { authorizationUrl: authorizationUrl as string }), scopes: asked },
    ];
  });
}

function wholeAddress(text: string | undefined): string | undefined {
  const address = text?.trim();
  return address !== undefined && /^https?:\/\/[^\s/?#]/i.test(address) ? address : undefined;
}
