import { button, make } from '../../assistant/dom.ts';
import { copyButton } from '../../content/copy-button.ts';
import { pageData } from '../../page-data.ts';
import type { FormFrame } from '../fields/control.ts';
import type { ApiAnswer } from './api-answer.ts';
import { coloredJson, prettyJson } from './json-tokens.ts';

const MAX_SHOWN_CHARACTERS = 1_000_000;
/** Image types that browsers render without running code, wherever they are opened. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;
const BINARY = /^(?:image|audio|video|font)\/|octet-stream|\/(?:pdf|zip|gzip|x-tar|x-protobuf|wasm)/;

/** The rendered body of a response, and its cleanup. */
export interface AnswerBody {
  element: HTMLElement;
  release(): void;
}

/** Renders the body of a response. Nothing in it becomes markup or runs. */
export function answerBody(frame: FormFrame, answer: ApiAnswer): AnswerBody {
  const { texts } = frame;
  if (answer.bytes.length === 0) return { element: make('p', 'd-pg-note', texts.emptyBody), release: () => undefined };
  const addresses: string[] = [];
  const release = (): void => {
    for (const address of addresses) URL.revokeObjectURL(address);
  };
  const media = mediaElement(answer, addresses);
  const tools = make(
    'div',
    'd-pg-tools',
    button('d-button d-button-small', () => download(answer), pageData().messages.download),
  );
  const parts: HTMLElement[] = [tools];
  if (media) parts.push(media);
  else if (!BINARY.test(answer.mediaType) || isText(answer)) parts.push(...textParts(frame, answer, tools));
  return { element: make('div', 'd-pg-answer-body', ...parts), release };
}

function textParts({ texts }: FormFrame, answer: ApiAnswer, tools: HTMLElement): HTMLElement[] {
  const text = new TextDecoder().decode(answer.bytes);
  const json = /json|^$|^text\/plain$/.test(answer.mediaType) ? prettyJson(text) : undefined;
  const whole = json ?? text;
  const shown = whole.slice(0, MAX_SHOWN_CHARACTERS);
  const pre = make('pre', 'd-pg-text', json === undefined ? shown : coloredJson(shown));
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', texts.body);
  tools.append(copyButton(() => whole));
  return shown.length < whole.length || answer.isCut ? [make('p', 'd-pg-note', texts.partOnly), pre] : [pre];
}

function mediaElement({ bytes, mediaType }: ApiAnswer, addresses: string[]): HTMLElement | undefined {
  const addressOf = (): string => {
    const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    addresses.push(address);
    return address;
  };
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
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, 4_000), { stream: true }).includes('\0');
  } catch {
    return false;
  }
}

/** Saves the response as bytes of any kind: a page from the API never opens with this site's origin. */
function download(answer: ApiAnswer): void {
  const address = URL.createObjectURL(new Blob([answer.bytes], { type: 'application/octet-stream' }));
  const link = make('a');
  link.href = address;
  link.download = fileName(answer);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function fileName({ headers, mediaType, url }: ApiAnswer): string {
  const disposition = headers.find(([name]) => name === 'content-disposition')?.[1] ?? '';
  const named = /filename="?([^";]+)/i.exec(disposition)?.[1];
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : '';
  const name = (named || last || 'answer').replace(/[^\w.-]+/g, '-').slice(0, 100);
  const extension = mediaType.includes('json') ? 'json' : (/^[a-z0-9]+/.exec(mediaType.split('/')[1] ?? '')?.[0] ?? '');
  return name.includes('.') || extension === '' ? name : `${name}.${extension}`;
}
