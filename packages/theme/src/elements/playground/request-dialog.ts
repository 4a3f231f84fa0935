import {
  type BuiltRequest,
  buildRequest,
} from '@docent/format/api-reference/playground/build-request.ts';
import type { RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import { signButton } from '../assistant/signs.ts';
import { button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import type { FormFrame } from './fields/control.ts';
import { RequestForm, withoutSecrets } from './request-form.ts';

/**
 * The window with the form of a request and its URL. It is removed when it closes, and when another
 * page is shown.
 */
export abstract class RequestDialog {
  protected readonly frame: FormFrame;
  protected readonly inputs: RequestInputs;
  protected readonly element = make('dialog', 'd-pg');
  protected readonly form: RequestForm;
  protected readonly action: HTMLButtonElement;
  /** What is beside the form. */
  protected readonly side = make('div', 'd-pg-side');
  readonly #address = make('code', 'd-pg-url');
  readonly #warning = make('p', 'd-pg-warning');

  /** @param action label of the button that sends the request, or connects */
  constructor(frame: FormFrame, inputs: RequestInputs, title: string, action: string) {
    this.frame = frame;
    this.inputs = inputs;
    this.form = new RequestForm(frame, inputs);
    this.element.setAttribute('aria-label', title);
    const method = make('span', 'd-method', inputs.method);
    method.dataset.method = inputs.method;
    this.action = button('d-btn d-btn-accent d-pg-send', () => this.act(), action);
    const close = signButton(
      'close',
      pageData().messages.close,
      () => this.element.close(),
      'd-btn-square d-pg-close',
    );
    const main = make('div', 'd-pg-main', this.#warning, this.form.element);
    this.element.append(
      make('div', 'd-pg-head', method, this.#address, this.action, close),
      make('div', 'd-pg-body', main, this.side),
    );
    this.#listen();
  }

  /** Whether the action is running: the button then ends it. */
  protected abstract get isRunning(): boolean;
  protected abstract act(): void;
  /**
   * Called when the input has changed. Returns a warning; empty if there is none.
   * @param masked the same request with masked secrets
   */
  protected abstract changed(request: BuiltRequest, masked: BuiltRequest): string;
  protected abstract closed(): void;

  #listen(): void {
    const form = this.form.element;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    for (const kind of ['input', 'change']) form.addEventListener(kind, () => this.#refresh());
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
    const leave = (): void => this.element.close();
    document.addEventListener('docent:page', leave);
    this.element.addEventListener('close', () => {
      this.closed();
      document.removeEventListener('docent:page', leave);
      this.element.remove();
    });
  }

  protected submit(): void {
    if (!this.isRunning) this.act();
  }

  /** Opens with the focus on the first empty field, otherwise on the action. */
  open(): void {
    this.#refresh();
    document.body.append(this.element);
    this.element.showModal();
    const inputs = [
      ...this.form.element.querySelectorAll<HTMLInputElement>(
        'input.d-pg-input:not([type="file"])',
      ),
    ];
    const empty =
      inputs.find((input) => input.value === '' && input.checkVisibility()) ?? this.action;
    // On a touch screen, the keyboard would cover half of the form.
    const first = matchMedia('(pointer: fine)').matches
      ? empty
      : this.element.querySelector<HTMLElement>('.d-pg-close');
    first?.focus({ preventScroll: true });
  }

  /**
   * Returns the request if it can be sent; otherwise undefined, with the focus on the field to fix.
   */
  protected checkedRequest(): BuiltRequest | undefined {
    const fault = this.form.check();
    fault?.focus();
    return fault ? undefined : buildRequest(this.inputs, this.form.values());
  }

  /** The shown request follows the input. */
  #refresh(): void {
    const values = this.form.values();
    const masked = buildRequest(this.inputs, withoutSecrets(values));
    this.#address.textContent = masked.url;
    this.#address.title = masked.url;
    const warning = this.changed(buildRequest(this.inputs, values), masked);
    this.#warning.hidden = warning === '';
    this.#warning.textContent = warning;
  }
}
