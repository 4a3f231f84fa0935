import {
  sendableRequest,
  unsendableParts,
} from '@docent/format/api-reference/playground/browser-limits.ts';
import type { BuiltRequest } from '@docent/format/api-reference/playground/build-request.ts';
import { sampleOfRequest } from '@docent/format/api-reference/playground/request-sample.ts';
import type { RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import {
  defaultSampleLanguages,
  sampleLanguages,
} from '@docent/format/api-reference/samples/sample-languages.ts';
import type { SampleLanguage } from '@docent/format/api-reference/samples/sample-request.ts';
import { fill } from '../../translations/fill.ts';
import { copyButton, copyText } from '../content/copy-button.ts';
import { announce, make } from '../dom.ts';
import { readStored, writeStored } from '../storage.ts';
import { AnswerView } from './answer-view.ts';
import type { FormFrame } from './fields/control.ts';
import { selectOf } from './fields/scalar-controls.ts';
import { RequestDialog } from './request-dialog.ts';
import { type ApiAnswer, SendFailure, sendRequest } from './send-request.ts';

/** The dialog for calling an operation. It is removed when it closes; the input is stored. */
export class PlaygroundDialog extends RequestDialog {
  readonly #answer: AnswerView;
  readonly #code: CodeView;
  #running: AbortController | undefined;

  constructor(frame: FormFrame, inputs: RequestInputs, title: string) {
    super(frame, inputs, title, frame.texts.send);
    this.#answer = new AnswerView(frame);
    this.#code = codeView(frame, inputs.languages);
    this.side.append(
      make('h3', 'd-pg-title', frame.texts.response),
      this.#answer.element,
      this.#code.element,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) this.submit();
    });
  }

  protected get isRunning(): boolean {
    return this.#running !== undefined;
  }

  protected changed(request: BuiltRequest, masked: BuiltRequest): string {
    this.#code.show(request, masked);
    const names = unsendableParts(request, this.form.route() !== undefined);
    return names.length > 0 ? fill(this.frame.texts.cannotSend, { names: names.join(', ') }) : '';
  }

  protected closed(): void {
    this.#running?.abort();
    this.#answer.release();
  }

  protected act(): void {
    if (this.#running) this.#running.abort();
    else void this.#submit();
  }

  async #submit(): Promise<void> {
    const request = this.checkedRequest();
    if (!request) return;
    const { texts } = this.frame;
    this.#running = new AbortController();
    this.action.textContent = texts.stop;
    this.#answer.sending();
    announce(texts.sending);
    await this.#call(request, this.#running.signal);
    this.#running = undefined;
    this.action.textContent = texts.send;
    this.side.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  async #call(request: BuiltRequest, signal: AbortSignal): Promise<void> {
    const proxy = this.form.route();
    const withCookies = this.inputs.withCookies === true || request.cookies.length > 0;
    try {
      const onProgress = (soFar: ApiAnswer): void => this.#answer.answer(soFar);
      const answer = await sendRequest(sendableRequest(request, proxy !== undefined), {
        withCookies,
        signal,
        proxy,
        onProgress,
      });
      noteRequest(`${Math.floor(answer.status / 100)}xx`);
      if (!this.element.isConnected) return;
      this.#answer.answer(answer);
      announce(`${this.frame.texts.response}: ${answer.status} ${answer.statusText}`);
    } catch (error) {
      if (!signal.aborted) noteRequest('failed');
      if (!this.element.isConnected) return;
      const failure =
        error instanceof SendFailure ? error : new SendFailure('refused', String(error));
      this.#answer.failure(failure, request.url, () => curlCommand(request));
      announce(this.#answer.element.textContent ?? '');
    }
  }
}

/**
 * For analytics: that the operation of this page was called and the outcome, never the data sent.
 */
function noteRequest(detail: string): void {
  document.dispatchEvent(
    new CustomEvent('docent:action', { detail: { name: 'playground', detail } }),
  );
}

const KEPT_LANGUAGE = 'docent.playground.language';

interface CodeView {
  element: HTMLElement;
  /**
   * @param masked the same request with masked secrets, which is shown; copying uses the real one
   */
  show(request: BuiltRequest, masked: BuiltRequest): void;
}

/** Shows the current request as code. */
function codeView(frame: FormFrame, names: readonly string[] | undefined): CodeView {
  const languages = chosenLanguages(names);
  const select = selectOf(languages.map((language) => language.label));
  select.setAttribute('aria-label', frame.texts.code);
  const kept = languages.findIndex(
    (language) => language.label === readStored('local', KEPT_LANGUAGE),
  );
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
  const copy = copyButton(() =>
    copyText((last && language().write(sampleOfRequest(last[0]))) ?? ''),
  );
  const fold = make(
    'details',
    'd-pg-fold d-pg-sample',
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
  const languages = names
    .map((name) => sampleLanguages.get(name))
    .filter((language) => language !== undefined);
  return languages.length > 0
    ? [...new Map(languages.map((language) => [language.label, language])).values()]
    : defaultSampleLanguages;
}
