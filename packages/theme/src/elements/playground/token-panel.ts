import type { BuiltRequest } from '@docent/format/api-reference/playground/build-request.ts';
import type { OAuthFlow } from '@docent/format/api-reference/request-inputs.ts';
import { base64OfText } from '@docent/format/bytes.ts';
import { fill } from '../../translations/fill.ts';
import { OAUTH_PAGE } from '../../view/shared-names.ts';
import { announce, button, make } from '../dom.ts';
import { siteRoot } from '../page-data.ts';
import type { FormFrame } from './fields/control.ts';
import { fieldFrame } from './fields/control.ts';
import { selectOf, textInput } from './fields/scalar-controls.ts';
import { sendRequest } from './send-request.ts';

/** The form for requesting a token for a credential. */
export interface TokenPanel {
  element: HTMLElement;
  isFilled(): boolean;
  /** The input, by field name. */
  kept(): Record<string, string>;
  restore(kept: ReadonlyMap<string, unknown>): void;
}

/** @param onToken receives the token */
export function tokenPanel(
  frame: FormFrame,
  flows: readonly OAuthFlow[],
  onToken: (token: string) => void,
): TokenPanel {
  const { texts } = frame;
  const labels = {
    authorizationCode: texts.authorizationCode,
    clientCredentials: texts.clientCredentials,
  };
  const select = selectOf(flows.map((flow) => labels[flow.kind]));
  const [id, secret, scope] = [textInput(), textInput('password'), textInput()];
  secret.autocomplete = 'new-password';
  const named = (name: string, input: HTMLElement): HTMLElement =>
    fieldFrame(frame, {}, { name, isRequired: false, path: '' }, input).element;
  const note = make('p', 'd-pg-hint');
  const status = make('p', 'd-pg-note');
  status.setAttribute('role', 'status');
  const flow = (): OAuthFlow => flows[Number(select.value)] as OAuthFlow;
  let running: AbortController | undefined;

  const get = button('d-btn d-btn-small', () => void run(), texts.getToken);
  const show = (): void => {
    const signsIn = flow().kind === 'authorizationCode';
    const redirect = redirectAddress();
    note.hidden = !signsIn;
    note.textContent =
      redirect === undefined
        ? texts.signInNeedsServer
        : fill(texts.redirectNote, { url: redirect });
    get.disabled = signsIn && redirect === undefined;
    scope.value = flow().scopes.join(' ');
  };

  async function run(): Promise<void> {
    running?.abort();
    running = new AbortController();
    const client: OAuthClient = {
      flow: flow(),
      id: id.value.trim(),
      secret: secret.value.trim(),
      scope: scope.value.trim(),
      isProxied: frame.isProxied,
      signal: running.signal,
    };
    const signsIn = client.flow.kind === 'authorizationCode';
    report(signsIn ? texts.waitingForSignIn : texts.sending);
    try {
      onToken(await (signsIn ? signInToken : clientToken)(client));
      report(texts.tokenReceived);
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      report(
        error instanceof BlockedError ? texts.popupBlocked : fill(texts.tokenFailed, { reason }),
      );
    }
  }

  function report(text: string): void {
    status.textContent = text;
    announce(text);
  }

  select.addEventListener('change', show);
  show();
  const choice = flows.length > 1 ? [named(texts.getToken, select)] : [];
  const fields = [
    ...choice,
    named(texts.clientId, id),
    named(texts.clientSecret, secret),
    named(texts.scopes, scope),
  ];
  const element = make(
    'details',
    'd-pg-nest',
    make(
      'summary',
      'd-pg-label',
      flows.length > 1 ? texts.getToken : `${texts.getToken}: ${labels[flow().kind]}`,
    ),
    make('div', 'd-pg-entries', ...fields, note, make('div', 'd-pg-actions', get), status),
  );
  return {
    element,
    isFilled: () => id.value !== '' || secret.value !== '',
    kept: () => ({
      flow: select.value,
      client: id.value,
      'client secret': secret.value,
      scope: scope.value,
    }),
    restore: (kept) => {
      const flowIndex = kept.get('flow');
      if (Number(flowIndex) < flows.length) select.value = String(flowIndex ?? '0');
      show();
      id.value = String(kept.get('client') ?? '');
      secret.value = String(kept.get('client secret') ?? '');
      scope.value = String(kept.get('scope') ?? scope.value);
    },
  };
}

/** The client that requests a token, as its owner registered it with the API. */
interface OAuthClient {
  flow: OAuthFlow;
  id: string;
  /** Empty for a public client. */
  secret: string;
  /** Separated by spaces. */
  scope: string;
  isProxied: boolean;
  signal: AbortSignal;
}

/** The browser opens no window. */
class BlockedError extends Error {}
const SIGN_IN_MS = 10 * 60 * 1000;

/**
 * Returns the redirect URL for authorization servers; undefined for a page from disk, which has no
 * URL to return to.
 */
function redirectAddress(): string | undefined {
  return /^https?:$/.test(location.protocol) ? siteRoot() + OAUTH_PAGE : undefined;
}

/**
 * Requests a token for the client itself (RFC 6749, section 4.4); throws the reason if there is
 * none, as all of these do.
 */
function clientToken(client: OAuthClient): Promise<string> {
  return askForToken(client, {
    grant_type: 'client_credentials',
    ...(client.scope !== '' && { scope: client.scope }),
  });
}

/**
 * Lets the reader sign in in a window of the authorization server, and exchanges the result for a
 * token (RFC 6749, section 4.1, with PKCE, RFC 7636). The verifier never leaves this page.
 */
async function signInToken(client: OAuthClient): Promise<string> {
  const redirect = redirectAddress() ?? '';
  if (!isSecureContext) throw new Error('https');
  const [state, verifier] = [randomText(), randomText()];
  // Before any await: browsers open windows only in response to a click.
  const opened = window.open('about:blank', '_blank', 'popup,width=520,height=720');
  if (!opened) throw new BlockedError();
  const address = new URL(client.flow.authorizationUrl ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirect,
    state,
    code_challenge: base64Url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
    ),
    code_challenge_method: 'S256',
    ...(client.scope !== '' && { scope: client.scope }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const returned = waitForCode(state, client.signal);
  opened.opener = null;
  opened.location.replace(address.href);
  const code = await returned.finally(() => opened.close());
  return askForToken(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  });
}

/**
 * A window that its server has isolated from this page looks closed, so its state is not checked.
 */
function waitForCode(state: string, signal: AbortSignal): Promise<string> {
  const channel = new BroadcastChannel(`docent-oauth ${state}`);
  const waiting = Promise.withResolvers<string>();
  const fail = (reason: string): void => waiting.reject(new Error(reason));
  channel.onmessage = ({
    data,
  }: MessageEvent<{ code: string | null; error: string | null; description: string | null }>) => {
    if (data.code) waiting.resolve(data.code);
    else fail([data.error, data.description].filter(Boolean).join(': ') || 'no code');
  };
  const late = setTimeout(() => fail('no answer'), SIGN_IN_MS);
  signal.addEventListener('abort', () => fail('stopped'), { once: true });
  return waiting.promise.finally(() => {
    channel.close();
    clearTimeout(late);
  });
}

async function askForToken(client: OAuthClient, fields: Record<string, string>): Promise<string> {
  const inBody = { ...fields, client_id: client.id };
  if (client.secret === '') return readToken(await post(client, inBody));
  // Every server must accept the secret in the header (section 2.3.1); some accept it only in the
  // body.
  const basic = `Basic ${base64OfText(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`)}`;
  const answer = await post(client, fields, [['Authorization', basic]]);
  if (answer.error !== 'invalid_client') return readToken(answer);
  return readToken(await post(client, { ...inBody, client_secret: client.secret }));
}

type TokenAnswer = Record<string, unknown>;

async function post(
  { flow: { tokenUrl: url }, isProxied, signal }: OAuthClient,
  fields: Record<string, string>,
  headers: [string, string][] = [],
): Promise<TokenAnswer> {
  const request: BuiltRequest = {
    method: 'POST',
    url,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
      ...headers,
    ],
    cookies: [],
    body: { kind: 'form', fields: Object.entries(fields) },
  };
  const options = {
    withCookies: false,
    signal,
    proxy: isProxied ? {} : undefined,
    onProgress: () => {},
  };
  const answer = await sendRequest(request, options).catch((error: unknown) => {
    const reason =
      error instanceof Error
        ? error.message || ('reason' in error ? String(error.reason) : '')
        : '';
    throw new Error(`${new URL(url).host}: ${reason}`);
  });
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes)) as TokenAnswer;
  } catch {
    throw new Error(`${answer.status} ${answer.statusText}`);
  }
}

function readToken({
  access_token: token,
  error,
  error_description: description,
}: TokenAnswer): string {
  if (typeof token === 'string' && token !== '') return token;
  throw new Error(
    [error, description].filter((part) => typeof part === 'string').join(': ') || 'no access_token',
  );
}

/** 256 random bits. */
function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

function base64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replaceAll('=', '');
}
