import { fill } from '../../translations/fill.ts';
import { copyButton, copyText, showCopied } from '../content/copy-button.ts';
import { button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import type { FormFrame } from './fields/control.ts';
import type { ApiAnswer, FailureReason, SendFailure } from './send-request.ts';

/** Shows the response of the API, or why there is none. */
export class AnswerView {
  readonly element = make('div', 'd-pg-answer');
  readonly #frame: FormFrame;

  constructor(frame: FormFrame) {
    this.#frame = frame;
    this.#show(
      make(
        'p',
        'd-pg-note',
        frame.isProxied ? frame.texts.responseHintProxied : frame.texts.responseHint,
      ),
    );
  }

  #show(...parts: HTMLElement[]): void {
    this.element.replaceChildren(...parts);
  }

  sending(): void {
    this.release();
    this.#show(make('p', 'd-pg-note d-pg-sending', this.#frame.texts.sending));
  }

  answer(answer: ApiAnswer): void {
    this.release();
    this.#show(
      statusLine(answer),
      headersView(this.#frame, answer),
      answerBody(this.#frame, answer),
    );
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
    const copy = button(
      'd-btn d-btn-small',
      () => void showCopied(copy, copyText(command())),
      `${pageData().messages.copy} (cURL)`,
    );
    copy.classList.add('d-pg-copy');
    this.#show(make('div', 'd-pg-failure', text, make('p', '', texts.useCommand), copy));
  }

  /** Releases the picture or recording of the current response. */
  release(): void {
    for (const media of this.element.querySelectorAll<HTMLImageElement | HTMLMediaElement>(
      '.d-pg-media',
    ))
      URL.revokeObjectURL(media.src);
  }
}

const FAILURE_TEXTS = {
  cors: 'failedCors',
  unreachable: 'failedUnreachable',
  mixed: 'failedMixed',
  offline: 'failedOffline',
  redirect: 'failedRedirect',
  stopped: 'stopped',
  proxy: 'failedProxy',
  refused: 'failedRequest',
} as const satisfies Record<FailureReason, string>;

function failureText(
  { texts }: FormFrame,
  reason: FailureReason,
  address: string,
  message: string,
): string {
  const host = URL.parse(address)?.host ?? address;
  return fill(texts[FAILURE_TEXTS[reason]], { host, origin: location.origin, reason: message });
}

/** Status, time and size, formatted for the page's language. */
function statusLine({ status, statusText, elapsedMs, bytes }: ApiAnswer): HTMLElement {
  const { lang } = document.documentElement;
  const amount = (value: number, unit: string): string =>
    new Intl.NumberFormat(lang || 'en', {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(value);
  const time =
    elapsedMs < 1_000
      ? amount(Math.round(elapsedMs), 'millisecond')
      : amount(elapsedMs / 1_000, 'second');
  const size =
    bytes.length < 1_000 ? amount(bytes.length, 'byte') : amount(bytes.length / 1_000, 'kilobyte');
  const badge = make('span', 'd-pg-status', `${status} ${statusText}`.trim());
  badge.dataset.class = String(Math.floor(status / 100));
  return make('p', 'd-pg-result', badge, make('span', '', time), make('span', '', size));
}

function headersView({ texts }: FormFrame, { headers }: ApiAnswer): HTMLElement {
  const list = make('dl', 'd-pg-headers');
  for (const [name, value] of headers)
    list.append(make('div', '', make('dt', '', name), make('dd', '', value)));
  const summary = make('summary', '', `${texts.headers} (${headers.length})`);
  return make('details', 'd-pg-fold', summary, list, make('p', 'd-pg-hint', texts.headersNote));
}

const MAX_SHOWN_CHARACTERS = 1_000_000;
/** Image types that browsers render without running code, wherever they are opened. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;
const BINARY =
  /^(?:image|audio|video|font)\/|octet-stream|\/(?:pdf|zip|gzip|x-tar|x-protobuf|wasm)/;

/** Renders the body of a response. Nothing in it becomes markup or runs. */
function answerBody(frame: FormFrame, answer: ApiAnswer): HTMLElement {
  const { texts } = frame;
  if (answer.bytes.length === 0) return make('p', 'd-pg-note', texts.emptyBody);
  const media = mediaElement(answer);
  const save = button('d-btn d-btn-small', () => download(answer), pageData().messages.download);
  const tools = make('div', 'd-pg-tools', save);
  const parts: HTMLElement[] = [tools];
  if (media) parts.push(media);
  else if (!BINARY.test(answer.mediaType) || isText(answer))
    parts.push(...textParts(frame, answer, tools));
  return make('div', 'd-pg-answer-body', ...parts);
}

function textParts({ texts }: FormFrame, answer: ApiAnswer, tools: HTMLElement): HTMLElement[] {
  const text = new TextDecoder().decode(answer.bytes);
  const json = /json|^$|^text\/plain$/.test(answer.mediaType) ? prettyJson(text) : undefined;
  const whole = json ?? text;
  const excerpt = whole.slice(0, MAX_SHOWN_CHARACTERS);
  const pre = make('pre', 'd-pg-text', json === undefined ? excerpt : coloredJson(excerpt));
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', texts.body);
  tools.append(copyButton(() => copyText(whole)));
  return excerpt.length < whole.length || answer.isCut
    ? [make('p', 'd-pg-note', texts.partOnly), pre]
    : [pre];
}

function mediaElement({ bytes, mediaType }: ApiAnswer): HTMLElement | undefined {
  const addressOf = (): string => URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  if (PICTURE.test(mediaType) || mediaType === 'image/svg+xml') {
    const picture = make('img', 'd-pg-media');
    picture.alt = '';
    // An SVG opened on its own runs its scripts with the rights of its origin: this one has none.
    picture.src = PICTURE.test(mediaType)
      ? addressOf()
      : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new TextDecoder().decode(bytes))}`;
    return picture;
  }
  if (!/^(?:audio|video)\/[\w.+-]+$/.test(mediaType)) return undefined;
  const player = make(mediaType.startsWith('audio') ? 'audio' : 'video', 'd-pg-media');
  player.controls = true;
  player.src = addressOf();
  return player;
}

/** Returns whether a body that is declared binary is text. */
function isText({ bytes }: ApiAnswer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true })
      .decode(bytes.subarray(0, 4_000), { stream: true })
      .includes('\0');
  } catch {
    return false;
  }
}

/**
 * Saves the response as bytes of any kind: a page from the API never opens with this site's origin.
 */
function download(answer: ApiAnswer): void {
  const address = URL.createObjectURL(
    new Blob([answer.bytes], { type: 'application/octet-stream' }),
  );
  const link = make('a');
  link.href = address;
  link.download = fileName(answer);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function fileName({ headers, mediaType, url }: ApiAnswer): string {
  const disposition = headers.find(([name]) => name === 'content-disposition')?.[1] ?? '';
  const named = /filename="?([^";]+)/i.exec(disposition)?.[1];
  const last = URL.parse(url)?.pathname.split('/').at(-1);
  const name = (named || last || 'answer').replace(/[^\w.-]+/g, '-').slice(0, 100);
  const extension = mediaType.includes('json')
    ? 'json'
    : (/^[a-z0-9]+/.exec(mediaType.split('/')[1] ?? '')?.[0] ?? '');
  return name.includes('.') || extension === '' ? name : `${name}.${extension}`;
}

/** An unclosed string is a token too, so that matching is never retried from its middle. */
const TOKEN = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
/** Longer text is shown in one color: each token is an element. */
const MAX_COLORED_CHARACTERS = 200_000;

/** Renders JSON text with the colors of the theme's code. Text stays text. */
function coloredJson(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  if (text.length > MAX_COLORED_CHARACTERS) {
    out.append(text);
    return out;
  }
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    out.append(
      text.slice(from, match.index),
      make('span', classOf(match[0], text, match.index), match[0]),
    );
    from = match.index + match[0].length;
  }
  out.append(text.slice(from));
  return out;
}

/** The classes of highlighted code in pages: a property, a string, a constant. */
function classOf(token: string, text: string, at: number): string {
  if (!token.startsWith('"')) return 'k5';
  return /^\s*:/.test(text.slice(at + token.length, at + token.length + 20)) ? 'k9' : 'k3';
}

/**
 * Returns the JSON with one line per value; undefined if the text is not JSON. Keeps numbers as
 * written.
 */
export function prettyJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return text.trim();
    return /\d{16}/.test(text) ? indented(text) : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/** Changes only lines and spaces: a number with many digits would not survive parsing. */
function indented(text: string): string {
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (token) => {
    if (token.startsWith('"')) return token;
    if (token === ':') return ': ';
    if (token === ',') return `,\n${'  '.repeat(depth)}`;
    if (token === '{' || token === '[') return `${token}\n${'  '.repeat(++depth)}`;
    if (token === '}' || token === ']') return `\n${'  '.repeat(--depth)}${token}`;
    return token.replace(/\s+/g, '');
  });
}
