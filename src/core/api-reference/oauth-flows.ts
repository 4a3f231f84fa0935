import { entriesOf, type JsonObject, objectAt, textAt } from './json-value.ts';
import type { OAuthFlow } from './playground/request-inputs.ts';

const KINDS = ['authorizationCode', 'clientCredentials'] as const;

/**
 * The flows of an OAuth 2 scheme that a page can run: those that OAuth 2.1 keeps. Others, and addresses that are not whole,
 * are left out.
 * @param scopes what the operation asks for
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
