import { fill } from '../../../translations/fill.ts';
import { button, make } from '../../assistant/dom.ts';
import { copyFrom } from '../../content/copy-button.ts';
import { pageData } from '../../page-data.ts';
import type { FormFrame } from '../fields/control.ts';
import { type AnswerBody, answerBody } from './answer-body.ts';
import type { ApiAnswer, FailureReason, SendFailure } from './api-answer.ts';

/** Shows the response of the API, or why there is none. */
export class AnswerView {
  readonly element = make('div', 'd-pg-answer');
  readonly #frame: FormFrame;
  #body: AnswerBody | undefined;

  constructor(frame: FormFrame) {
    this.#frame = frame;
    this.#show(make('p', 'd-pg-note', frame.isProxied ? frame.texts.responseHintProxied : frame.texts.responseHint));
  }

  #show(...parts: HTMLElement[]): void {
    this.element.replaceChildren(...parts);
  }

  sending(): void {
    this.release();
    const note = make('p', 'd-pg-note d-pg-sending', this.#frame.texts.sending);
    this.#show(note);
  }

  answer(answer: ApiAnswer): void {
    this.release();
    this.#body = answerBody(this.#frame, answer);
    this.#show(statusLine(answer), headersView(this.#frame, answer), this.#body.element);
  }

  /** @param command returns the same request for a terminal, on demand */
  failure({ reason, message }: SendFailure, address: string, command: () => string): void {
    this.release();
    const { texts } = this.#frame;
    const text = make('p', '', failureText(this.#frame, reason, address, message));
    if (reason === 'stopped') {
      this.#show(text);
      return;
    }
    const copy = button('d-button d-button-small', () => void copyFrom(copy, command()), `${pageData().messages.copy} (cURL)`);
    copy.classList.add('d-pg-copy');
    this.#show(make('div', 'd-pg-failure', text, make('p', '', texts.useCommand), copy));
  }

  /** Releases the resources of the current response. */
  release(): void {
    this.#body?.release();
    this.#body = undefined;
  }
}

function failureText({ texts }: FormFrame, reason: FailureReason, address: string, message: string): string {
  const host = URL.canParse(address) ? new URL(address).host : address;
  switch (reason) {
    case 'cors':
      return fill(texts.failedCors, { host, origin: location.origin });
    case 'unreachable':
      return fill(texts.failedUnreachable, { host });
    case 'mixed':
      return texts.failedMixed;
    case 'offline':
      return texts.failedOffline;
    case 'redirect':
      return texts.failedRedirect;
    case 'stopped':
      return texts.stopped;
    case 'proxy':
      return fill(texts.failedProxy, { reason: message });
    case 'refused':
      return fill(texts.failedRequest, { reason: message });
  }
}

/** Status, time and size, formatted for the page's language. */
function statusLine({ status, statusText, elapsedMs, bytes }: ApiAnswer): HTMLElement {
  const { lang } = document.documentElement;
  const amount = (value: number, unit: string): string =>
    new Intl.NumberFormat(lang || 'en', { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
  const time = elapsedMs < 1_000 ? amount(Math.round(elapsedMs), 'millisecond') : amount(elapsedMs / 1_000, 'second');
  const size = bytes.length < 1_000 ? amount(bytes.length, 'byte') : amount(bytes.length / 1_000, 'kilobyte');
  const badge = make('span', 'd-pg-status', `${status} ${statusText}`.trim());
  badge.dataset.class = String(Math.floor(status / 100));
  return make('p', 'd-pg-result', badge, make('span', '', time), make('span', '', size));
}

function headersView({ texts }: FormFrame, { headers }: ApiAnswer): HTMLElement {
  const list = make('dl', 'd-pg-headers');
  for (const [name, value] of headers) list.append(make('div', '', make('dt', '', name), make('dd', '', value)));
  const summary = make('summary', '', `${texts.headers} (${headers.length})`);
  return make('details', 'd-pg-fold', summary, list, make('p', 'd-pg-hint', texts.headersNote));
}
