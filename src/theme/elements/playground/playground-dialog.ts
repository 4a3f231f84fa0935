import { sendableRequest, unsendableParts } from '../../../core/api-reference/playground/browser-limits.ts';
import { type BuiltRequest, buildRequest, type RequestValues } from '../../../core/api-reference/playground/build-request.ts';
import type { RequestInputs } from '../../../core/api-reference/playground/request-inputs.ts';
import { sampleOfRequest } from '../../../core/api-reference/playground/request-sample.ts';
import { defaultSampleLanguages, sampleLanguages } from '../../../core/api-reference/samples/sample-languages.ts';
import type { SampleLanguage } from '../../../core/api-reference/samples/sample-request.ts';
import { fill } from '../../translations/fill.ts';
import { copyButton } from '../content/copy-button.ts';
import { announce, button, make } from '../dom.ts';
import { readStored, writeStored } from '../storage.ts';
import { AnswerView } from './answer-view.ts';
import { dialogShell, showDialog } from './dialog-shell.ts';
import type { FormFrame } from './fields/control.ts';
import { selectOf } from './fields/scalar-controls.ts';
import { RequestForm, withoutSecrets } from './request-form.ts';
import { type ApiAnswer, SendFailure, sendRequest } from './send-request.ts';

/** The dialog for calling an operation. It is removed when it closes; the input is stored. */
export class PlaygroundDialog {
  readonly #frame: FormFrame;
  readonly #inputs: RequestInputs;
  readonly #dialog: HTMLDialogElement;
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
    const main = make('div', 'd-pg-main', this.#warning, this.#form.element);
    this.#dialog = dialogShell(title, inputs.method, [this.#address, this.#send], [main, this.#result], () => {
      this.#running?.abort();
      this.#answer.release();
    });
    this.#connect();
  }

  #connect(): void {
    const submit = (): void => {
      if (!this.#running) void this.#submit();
    };
    this.#form.connect(submit, () => this.#refresh());
    this.#dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
    });
  }

  open(): void {
    this.#refresh();
    showDialog(this.#dialog, this.#form.element, this.#send);
  }

  #built(values: RequestValues): BuiltRequest {
    return buildRequest(this.#inputs, values);
  }

  /** The shown request follows the input. */
  #refresh(): void {
    const values = this.#form.values();
    const request = this.#built(values);
    const masked = this.#built(withoutSecrets(values));
    this.#address.textContent = masked.url;
    this.#address.title = masked.url;
    const names = unsendableParts(request, this.#form.route() !== undefined);
    this.#warning.hidden = names.length === 0;
    this.#warning.textContent = fill(this.#frame.texts.cannotSend, { names: names.join(', ') });
    this.#code.show(request, masked);
  }

  /** Sends the request, or cancels the running one. */
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
    const proxy = this.#form.route();
    const withCookies = this.#inputs.withCookies === true || request.cookies.length > 0;
    try {
      const onProgress = (soFar: ApiAnswer): void => this.#answer.answer(soFar);
      const answer = await sendRequest(sendableRequest(request, proxy !== undefined), { withCookies, signal, proxy, onProgress });
      noteRequest(`${Math.floor(answer.status / 100)}xx`);
      if (!this.#dialog.isConnected) return;
      this.#answer.answer(answer);
      announce(`${this.#frame.texts.response}: ${answer.status} ${answer.statusText}`);
    } catch (error) {
      if (!signal.aborted) noteRequest('failed');
      if (!this.#dialog.isConnected) return;
      const failure = error instanceof SendFailure ? error : new SendFailure('refused', String(error));
      this.#answer.failure(failure, request.url, () => curlCommand(request));
      announce(this.#answer.element.textContent ?? '');
    }
  }
}

/** For analytics: that the operation of this page was called and the outcome, never the data sent. */
function noteRequest(detail: string): void {
  document.dispatchEvent(new CustomEvent('docent:action', { detail: { name: 'playground', detail } }));
}

const KEPT_LANGUAGE = 'docent.playground.language';

interface CodeView {
  element: HTMLElement;
  /** @param masked the same request with masked secrets, which is shown; copying uses the real one */
  show(request: BuiltRequest, masked: BuiltRequest): void;
}

/** Shows the current request as code. */
function codeView(frame: FormFrame, names: readonly string[] | undefined): CodeView {
  const languages = chosenLanguages(names);
  const select = selectOf(languages.map((language) => language.label));
  select.setAttribute('aria-label', frame.texts.code);
  const kept = languages.findIndex((language) => language.label === readStored('local', KEPT_LANGUAGE));
  select.value = String(Math.max(0, kept));
  const pre = make('pre', 'd-pg-text');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', frame.texts.code);
  let last: [BuiltRequest, BuiltRequest] | undefined;
  const language = (): SampleLanguage => languages[Number(select.value)] as SampleLanguage;
  const draw = (): void => {
    if (last) pre.textContent = language().write(sampleOfRequest(last[1])) ?? '—';
  };
  select.addEventListener('change', () => {
    writeStored('local', KEPT_LANGUAGE, language().label);
    draw();
  });
  const copy = copyButton(() => (last && language().write(sampleOfRequest(last[0]))) ?? '');
  const fold = make(
    'details',
    'd-pg-fold d-pg-code',
    make('summary', '', frame.texts.code),
    make('div', 'd-pg-tools', select, copy),
    pre,
  );
  fold.open = true;
  return {
    element: fold,
    show: (request, masked) => {
      last = [request, masked];
      draw();
    },
  };
}

/** Returns the terminal command of the request. */
function curlCommand(request: BuiltRequest): string {
  return sampleLanguages.get('curl')?.write(sampleOfRequest(request)) ?? '';
}

function chosenLanguages(names: readonly string[] = []): readonly SampleLanguage[] {
  const found = names.map((name) => sampleLanguages.get(name)).filter((one) => one !== undefined);
  return found.length > 0 ? [...new Map(found.map((one) => [one.label, one])).values()] : defaultSampleLanguages;
}
