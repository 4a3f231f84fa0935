import { fill } from '../../translations/fill.ts';
import type { AssistantMessages } from '../../translations/translations.ts';
import { button, make } from '../dom.ts';

/**
 * A form with which a reader leaves an address to be told of an answer, with what becomes of it;
 * once it is left, a button that deletes it.
 * @param days for which it is kept at most
 * @param send rejects if the server does not take it
 */
export function waitingView(
  texts: AssistantMessages,
  days: number,
  waits: boolean,
  send: (email: string | null) => Promise<void>,
): HTMLElement {
  const fault = make('p', 'wait-fault');
  fault.setAttribute('role', 'alert');
  const sent = (email: string | null): Promise<void> =>
    send(email).catch(() => {
      fault.textContent = texts.waitFailed;
    });
  if (waits)
    return make(
      'div',
      'wait',
      make('p', '', texts.waitKept),
      button('plain', () => void sent(null), texts.waitDelete),
      fault,
    );
  const field = make('input');
  field.type = 'email';
  field.required = true;
  field.maxLength = 254;
  field.autocomplete = 'email';
  field.placeholder = texts.waitEmail;
  field.setAttribute('aria-label', texts.waitEmail);
  const form = make(
    'form',
    'wait',
    make('p', '', fill(texts.waitOffer, { days: String(days) })),
    field,
    make('button', 'plain', texts.send),
    fault,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sent(field.value.trim());
  });
  return form;
}
