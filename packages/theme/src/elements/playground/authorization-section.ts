import type { CredentialValue } from '@docent/format/api-reference/playground/build-request.ts';
import type {
  CredentialInput,
  RequestInputs,
} from '@docent/format/api-reference/request-inputs.ts';
import { button, make } from '../dom.ts';
import { emitChange, type FormFrame, fieldFrame, formSection } from './fields/control.ts';
import { selectOf, textInput } from './fields/scalar-controls.ts';
import { keepValues, keptValues } from './kept-values.ts';
import { type TokenPanel, tokenPanel } from './token-panel.ts';

export interface AuthorizationSection {
  element: HTMLElement;
  read(): { credential: CredentialInput; value: CredentialValue }[];
  /** Shows the stored credentials for the server at this origin. */
  restore(origin: string): void;
  keep(origin: string): void;
  reset(): void;
}

interface CredentialField {
  credential: CredentialInput;
  secret: HTMLInputElement;
  userName?: HTMLInputElement;
  tokens?: TokenPanel;
  element: HTMLElement;
}

const CHOICE = 'choice';

function keyOf({ kind, place, name }: CredentialInput): string {
  return `${kind} ${place} ${name}`;
}

/** The credentials of one of several ways to authenticate. Undefined if the API requires none. */
export function authorizationSection(
  frame: FormFrame,
  inputs: RequestInputs,
): AuthorizationSection | undefined {
  const { texts } = frame;
  const { security } = inputs;
  if (security.length === 0) return undefined;
  // Sends the request even without required credentials, because the error response is useful.
  const select = selectOf([...security.map(labelOf), texts.noAuthorization]);
  const choice = fieldFrame(
    frame,
    {},
    { name: texts.authorization, isRequired: false, isNamed: true, path: '' },
    select,
  );
  const holder = make('div', 'd-pg-entries');
  const fields = new Map(
    security.flat().map((credential) => [keyOf(credential), credentialField(frame, credential)]),
  );
  const chosen = (): CredentialField[] =>
    (security[Number(select.value)] ?? []).map(
      (credential) => fields.get(keyOf(credential)) as CredentialField,
    );
  const note = make(
    'p',
    'd-pg-hint',
    frame.isProxied ? texts.secretsNoteProxied : texts.secretsNote,
  );
  const show = (): void => {
    const elements = chosen().map(({ element }) => element);
    holder.replaceChildren(...elements, ...(elements.length > 0 ? [note] : []));
  };
  select.addEventListener('change', show);
  const isOpenChoice = security.length > 1 || inputs.isOpen;
  show();
  return {
    element: formSection(texts.authorization, ...(isOpenChoice ? [choice.element] : []), holder),
    read: () =>
      chosen().map(({ credential, secret, userName }) => ({
        credential,
        value: userName
          ? { value: secret.value, userName: userName.value }
          : { value: secret.value },
      })),
    restore: (origin) => {
      const kept = keptValues('secrets', origin);
      const label = kept.get(CHOICE);
      const index = [...security.map(labelOf), texts.noAuthorization].indexOf(String(label));
      if (isOpenChoice && index >= 0) select.value = String(index);
      for (const [key, { credential, secret, userName, tokens }] of fields) {
        secret.value = String(kept.get(key) ?? credential.preset ?? '');
        tokens?.restore(
          new Map(Object.entries((kept.get(`oauth ${key}`) as object | undefined) ?? {})),
        );
        if (userName) userName.value = String(kept.get(`user ${key}`) ?? '');
      }
      show();
    },
    keep: (origin) => {
      const kept = keptValues('secrets', origin);
      const isEmpty = [...fields.values()].every(
        ({ secret, userName, tokens }) =>
          secret.value === '' && !userName?.value && !tokens?.isFilled(),
      );
      // Partially typed URLs should not count as separate origins.
      if (isEmpty && kept.size === 0) return;
      kept.set(CHOICE, labelOf(security[Number(select.value)] ?? []) || texts.noAuthorization);
      for (const [key, { secret, userName, tokens }] of fields) {
        kept.set(key, secret.value);
        if (tokens) kept.set(`oauth ${key}`, tokens.kept());
        if (userName) kept.set(`user ${key}`, userName.value);
      }
      keepValues('secrets', origin, kept);
    },
    reset: () => {
      for (const { credential, secret, userName } of fields.values()) {
        secret.value = credential.preset ?? '';
        if (userName) userName.value = '';
      }
    },
  };
}

function labelOf(credentials: readonly CredentialInput[]): string {
  return credentials
    .map(({ kind, name, place }) =>
      kind === 'key' ? `${name} (${place})` : kind === 'basic' ? 'Basic' : 'Bearer',
    )
    .join(' + ');
}

function credentialField(frame: FormFrame, credential: CredentialInput): CredentialField {
  const { texts } = frame;
  const secret = textInput('password');
  // Browsers' password managers would offer the keys of one site for another.
  secret.autocomplete = 'new-password';
  const isBasic = credential.kind === 'basic';
  const type =
    credential.kind === 'key'
      ? credential.place
      : `${credential.place}: ${isBasic ? 'Basic' : 'Bearer'}`;
  const path = `authorization-${credential.name.toLowerCase()}`;
  const around = make('div', 'd-pg-secret', secret, revealButton(frame, secret));
  const place = { name: isBasic ? texts.password : credential.name, isRequired: false, path };
  const field = fieldFrame(frame, { type }, place, secret, around);
  if (!isBasic && !credential.oauth) return { credential, secret, element: field.element };
  if (credential.oauth) {
    const tokens = tokenPanel(frame, credential.oauth, (token) => {
      secret.value = token;
      emitChange(secret);
    });
    return {
      credential,
      secret,
      tokens,
      element: make('div', 'd-pg-entries', field.element, tokens.element),
    };
  }
  const userName = textInput();
  const user = fieldFrame(
    frame,
    {},
    { name: texts.userName, isRequired: false, path: '' },
    userName,
  );
  return {
    credential,
    secret,
    userName,
    element: make('div', 'd-pg-entries', user.element, field.element),
  };
}

function revealButton({ texts }: FormFrame, secret: HTMLInputElement): HTMLButtonElement {
  const toggleButton = button(
    'd-btn d-btn-small d-pg-reveal',
    () => {
      const isShown = secret.type === 'text';
      secret.type = isShown ? 'password' : 'text';
      toggleButton.setAttribute('aria-pressed', String(!isShown));
    },
    texts.showValue,
  );
  toggleButton.setAttribute('aria-pressed', 'false');
  return toggleButton;
}
