import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An authorization server on its own origin, which does not allow other origins to read its
 * responses.
 */
export interface OAuthServer {
  port: number;
  /** Addresses that readers were redirected to. */
  visits: URL[];
  close(): void;
}

const SECRET = 'hush';

/**
 * Starts it: it signs everybody in immediately, and checks the proof of PKCE, the redirect address
 * and the client's secret.
 */
export async function startOAuthServer(): Promise<OAuthServer> {
  const visits: URL[] = [];
  const codes = new Map<string, { challenge: string; redirect: string; client: string }>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/authorize') {
      visits.push(url);
      return signIn(url, codes, response);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (request.method !== 'POST' || url.pathname !== '/token')
      return void response.writeHead(404).end();
    const token =
      form.get('grant_type') === 'authorization_code'
        ? codeToken(form, codes)
        : clientToken(request.headers.authorization, form);
    const body = token ? { access_token: token, token_type: 'Bearer' } : { error: 'invalid_grant' };
    response
      .writeHead(token ? 200 : 400, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    visits,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Codes = Map<string, { challenge: string; redirect: string; client: string }>;

function signIn(url: URL, codes: Codes, response: ServerResponse): void {
  const asked = url.searchParams;
  const code = `code-${codes.size}`;
  const redirect = asked.get('redirect_uri') ?? '';
  codes.set(code, {
    challenge: asked.get('code_challenge') ?? '',
    redirect,
    client: asked.get('client_id') ?? '',
  });
  const back = new URL(redirect);
  back.searchParams.set('code', code);
  // The client `forged` gets a foreign state.
  back.searchParams.set(
    'state',
    asked.get('client_id') === 'forged' ? 'forged' : (asked.get('state') ?? ''),
  );
  response.writeHead(302, { location: back.href }).end();
}

function codeToken(form: URLSearchParams, codes: Codes): string | undefined {
  const issued = codes.get(form.get('code') ?? '');
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    issued?.challenge === proof &&
    issued.redirect === form.get('redirect_uri') &&
    issued.client === form.get('client_id');
  return isRight ? 'token-of-reader' : undefined;
}

function clientToken(authorization: string | undefined, form: URLSearchParams): string | undefined {
  const basic = `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`;
  return authorization === basic && form.get('grant_type') === 'client_credentials'
    ? `token-of-client ${form.get('scope')}`
    : undefined;
}
