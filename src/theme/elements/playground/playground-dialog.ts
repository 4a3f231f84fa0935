import { sendableRequest, unsendableParts } from '../../../core/api-reference/playground/browser-limits.ts';
import { type BuiltRequest, buildRequest, type RequestValues } from '../../../core/api-reference/playground/build-request.ts';
import type { RequestInputs } from '../../../core/api-reference/playground/request-inputs.ts';
import { fill } from '../../translations/messages.ts';
import { announce } from '../announce.ts';
import { button, make, signButton } from '../assistant/dom.ts';
import { pageData } from '../page-data.ts';
import { AnswerView } from './answer-view.ts';
import { type CodeView, codeView, curlCommand } from './code-view.ts';
import type { FormFrame } from './control.ts';
import { RequestForm } from './request-form.ts';
import { type ApiAnswer, SendFailure, sendRequest } from './send-request.ts';

const MASK = '••••••••';

/** The dialog in which a reader calls an operation. It goes when it is closed; what was filled in is kept. */
export class PlaygroundDialog {
  readonly #frame: FormFrame;
  readonly #inputs: RequestInputs;
  readonly #dialog = make('dialog', 'd-pg');
  readonly #form: RequestForm;
  readonly #answer: AnswerView;
  readonly #code: CodeView;
  readonly #address = make('code', 'd-pg-url');
  readonly #warning = make('p', 'd-pg-warning');
  readonly #send: HTMLButtonElement;
  readonly #result: HTMLElement;
  #running: AbortController | undefined;

  constructor(frame: FormFrame, inputs: RequestInputs, title: string) {
    const { texts } = frame;
    this.#frame = frame;
    this.#inputs = inputs;
    this.#form = new RequestForm(frame, inputs);
    this.#answer = new AnswerView(frame);
    this.#code = codeView(frame, inputs.languages);
    this.#send = button('d-button d-button-accent d-pg-send', () => void this.#submit(), texts.send);
    this.#result = make('div', 'd-pg-side', make('h3', 'd-pg-title', texts.response), this.#answer.element, this.#code.element);
    this.#dialog.setAttribute('aria-label', title);
    const main = make('div', 'd-pg-main', this.#warning, this.#form.element);
    this.#dialog.append(this.#head(), make('div', 'd-pg-body', main, this.#result));
    this.#connect();
  }

  #head(): HTMLElement {
    const method = make('span', 'd-method', this.#inputs.method);
    method.dataset.method = this.#inputs.method;
    const close = signButton('close', pageData().messages.close, () => this.#dialog.close(), 'd-icon-button d-pg-close');
    return make('div', 'd-pg-head', method, this.#address, this.#send, close);
  }

  #connect(): void {
    const form = this.#form.element;
    form.prepend(enterButton());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#running) void this.#submit();
    });
    for (const kind of ['input', 'change']) form.addEventListener(kind, () => this.#refresh());
    this.#dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !this.#running) void this.#submit();
    });
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    const leave = (): void => this.#dialog.close();
    document.addEventListener('docent:page', leave);
    this.#dialog.addEventListener('close', () => {
      this.#running?.abort();
      this.#answer.release();
      document.removeEventListener('docent:page', leave);
      this.#dialog.remove();
    });
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#refresh();
    this.#dialog.showModal();
    const inputs = [...this.#form.element.querySelectorAll<HTMLInputElement>('input.d-pg-input:not([type="file"])')];
    const empty = inputs.find((input) => input.value === '') ?? this.#send;
    // A touch screen would answer with its keyboard, over half of the form.
    const first = matchMedia('(pointer: fine)').matches ? empty : this.#dialog.querySelector<HTMLElement>('.d-pg-close');
    first?.focus({ preventScroll: true });
  }

  #built(values: RequestValues): BuiltRequest {
    return buildRequest(this.#inputs, values);
  }

  /** What is shown of the request follows what is filled in. */
  #refresh(): void {
    const values = this.#form.values();
    const request = this.#built(values);
    const masked = this.#built(withoutSecrets(values));
    this.#address.textContent = masked.url;
    this.#address.title = masked.url;
    const names = unsendableParts(request);
    this.#warning.hidden = names.length === 0;
    this.#warning.textContent = fill(this.#frame.texts.cannotSend, { names: names.join(', ') });
    this.#code.show(request, masked);
  }

  /** Sends what is filled in, or stops what was sent. */
  async #submit(): Promise<void> {
    if (this.#running) return this.#running.abort();
    const fault = this.#form.check();
    if (fault) return fault.focus();
    const { texts } = this.#frame;
    const request = this.#built(this.#form.values());
    this.#running = new AbortController();
    this.#send.textContent = texts.stop;
    this.#answer.sending();
    announce(texts.sending);
    await this.#call(request, this.#running.signal);
    this.#running = undefined;
    this.#send.textContent = texts.send;
    this.#result.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  async #call(request: BuiltRequest, signal: AbortSignal): Promise<void> {
    const withCookies = this.#inputs.withCookies === true || request.cookies.length > 0;
    try {
      const onProgress = (soFar: ApiAnswer): void => this.#answer.answer(soFar);
      const answer = await sendRequest(sendableRequest(request), { withCookies, signal, onProgress });
      if (!this.#dialog.isConnected) return;
      this.#answer.answer(answer);
      announce(`${this.#frame.texts.response}: ${answer.status} ${answer.statusText}`);
    } catch (error) {
      if (!this.#dialog.isConnected) return;
      const failure = error instanceof SendFailure ? error : new SendFailure('refused', String(error));
      this.#answer.failure(failure, request.url, () => curlCommand(request));
      announce(this.#answer.element.textContent ?? '');
    }
  }
}

/** A form sends by Enter only where it has a button to send with. */
function enterButton(): HTMLButtonElement {
  const made = make('button', 'd-pg-submit');
  made.type = 'submit';
  made.tabIndex = -1;
  made.setAttribute('aria-hidden', 'true');
  return made;
}

/** The values with every credential replaced by dots, and of the same shape. */
function withoutSecrets(values: RequestValues): RequestValues {
  return {
    ...values,
    credentials: values.credentials.map(({ credential, value }) => ({
      // Dots in Base64 would look like a password.
      credential: credential.kind === 'basic' ? { ...credential, kind: 'key', prefix: 'Basic ' } : credential,
      value: value.value === '' && !value.userName ? value : { value: MASK },
    })),
  };
}
