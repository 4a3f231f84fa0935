import { signButton } from '../assistant/signs.ts';
import { make } from '../dom.ts';
import { pageData } from '../page-data.ts';

/** The frame of a dialog: method, head, close button, and columns. It is removed when it closes, and when another page is shown. */
export function dialogShell(
  title: string,
  methodName: string,
  head: readonly HTMLElement[],
  columns: readonly HTMLElement[],
  onClose: () => void,
): HTMLDialogElement {
  const dialog = make('dialog', 'd-pg');
  dialog.setAttribute('aria-label', title);
  const method = make('span', 'd-method', methodName);
  method.dataset.method = methodName;
  const close = signButton('close', pageData().messages.close, () => dialog.close(), 'd-icon-button d-pg-close');
  dialog.append(make('div', 'd-pg-head', method, ...head, close), make('div', 'd-pg-body', ...columns));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const leave = (): void => dialog.close();
  document.addEventListener('docent:page', leave);
  dialog.addEventListener('close', () => {
    onClose();
    document.removeEventListener('docent:page', leave);
    dialog.remove();
  });
  return dialog;
}

/** Opens a dialog with the focus on the first empty field, otherwise on `otherwise`. */
export function showDialog(dialog: HTMLDialogElement, form: HTMLElement, otherwise: HTMLElement): void {
  document.body.append(dialog);
  dialog.showModal();
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input.d-pg-input:not([type="file"])')];
  const empty = inputs.find((input) => input.value === '' && input.checkVisibility()) ?? otherwise;
  // On a touch screen, the keyboard would cover half of the form.
  const first = matchMedia('(pointer: fine)').matches ? empty : dialog.querySelector<HTMLElement>('.d-pg-close');
  first?.focus({ preventScroll: true });
}

/** A part of the form with a heading. */
export function formSection(title: string, ...children: (Node | string)[]): HTMLElement {
  return make('section', 'd-pg-section', make('h3', 'd-pg-title', title), ...children);
}
