import type { OAuthFlow } from '../../../core/api-reference/playground/request-inputs.ts';
import { fill } from '../../translations/fill.ts';
import { announce } from '../announce.ts';
import { button, make } from '../assistant/dom.ts';
import type { FormFrame } from './fields/control.ts';
import { fieldFrame } from './fields/field-frame.ts';
import { selectOf, textInput } from './fields/scalar-controls.ts';
import { clientToken, type OAuthClient, redirectAddress, signInToken, TokenFailure } from './oauth.ts';

/** The form for requesting a token for a credential. */
export interface TokenPanel {
  element: HTMLElement;
  isFilled(): boolean;
  /** The input, by field name. */
  kept(): [string, string][];
  restore(kept: ReadonlyMap<string, unknown>): void;
}

/** @param onToken receives the token */
export function tokenPanel(frame: FormFrame, flows: readonly OAuthFlow[], onToken: (token: string) => void): TokenPanel {
  const { texts } = frame;
  const labels = { authorizationCode: texts.authorizationCode, clientCredentials: texts.clientCredentials };
  const select = selectOf(
    flows.map((flow) => labels[flow.kind]),
    false,
  );
  const [id, secret, scope] = [textInput(), textInput('password'), textInput()];
  secret.autocomplete = 'new-password';
  const named = (name: string, input: HTMLElement): HTMLElement =>
    fieldFrame(frame, {}, { name, isRequired: false, path: '' }, input).element;
  const note = make('p', 'd-pg-hint');
  const status = make('p', 'd-pg-note');
  status.setAttribute('role', 'status');
  const flow = (): OAuthFlow => flows[Number(select.value)] as OAuthFlow;
  let running: AbortController | undefined;

  const get = button('d-button d-button-small', () => void run(), texts.getToken);
  const show = (): void => {
    const signsIn = flow().kind === 'authorizationCode';
    const redirect = redirectAddress();
    note.hidden = !signsIn;
    note.textContent = redirect === undefined ? texts.signInNeedsServer : fill(texts.redirectNote, { url: redirect });
    get.disabled = signsIn && redirect === undefined;
    scope.value = flow().scopes.join(' ');
  };

  async function run(): Promise<void> {
    running?.abort();
    running = new AbortController();
    const client: OAuthClient = { id: id.value.trim(), secret: secret.value.trim(), scope: scope.value.trim() };
    const signsIn = flow().kind === 'authorizationCode';
    report(signsIn ? texts.waitingForSignIn : texts.sending);
    try {
      onToken(await (signsIn ? signInToken : clientToken)(flow(), client, frame.isProxied, running.signal));
      report(texts.tokenReceived);
    } catch (error) {
      const isBlocked = error instanceof TokenFailure && error.isBlocked;
      report(isBlocked ? texts.popupBlocked : fill(texts.tokenFailed, { reason: error instanceof Error ? error.message : '' }));
    }
  }

  function report(text: string): void {
    status.textContent = text;
    announce(text);
  }

  select.addEventListener('change', show);
  show();
  const choice = flows.length > 1 ? [named(texts.getToken, select)] : [];
  const fields = [...choice, named(texts.clientId, id), named(texts.clientSecret, secret), named(texts.scopes, scope)];
  const element = make(
    'details',
    'd-pg-group',
    make('summary', 'd-pg-label', flows.length > 1 ? texts.getToken : `${texts.getToken}: ${labels[flow().kind]}`),
    make('div', 'd-pg-fields', ...fields, note, make('div', 'd-pg-actions', get), status),
  );
  return {
    element,
    isFilled: () => id.value !== '' || secret.value !== '',
    kept: () => [
      ['flow', select.value],
      ['client', id.value],
      ['client secret', secret.value],
      ['scope', scope.value],
    ],
    restore: (kept) => {
      const known = kept.get('flow');
      if (Number(known) < flows.length) select.value = String(known ?? '0');
      show();
      id.value = String(kept.get('client') ?? '');
      secret.value = String(kept.get('client secret') ?? '');
      scope.value = String(kept.get('scope') ?? scope.value);
    },
  };
}
