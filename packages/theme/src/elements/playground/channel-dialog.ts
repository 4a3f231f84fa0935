import type { BuiltRequest } from '@docent/format/api-reference/playground/build-request.ts';
import type { RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import { fill } from '../../translations/fill.ts';
import { announce, button, make } from '../dom.ts';
import { prettyJson } from './answer-view.ts';
import type { FormFrame } from './fields/control.ts';
import { fieldFrame } from './fields/control.ts';
import { selectOf, textArea } from './fields/scalar-controls.ts';
import { RequestDialog } from './request-dialog.ts';

type Messages = NonNullable<RequestInputs['messages']>;

/** Maximum data of a connection before it is closed. */
const MAX_RECEIVED_CHARACTERS = 20_000_000;
/** The header that a page can set, as an argument of `WebSocket`. */
const PROTOCOLS = 'sec-websocket-protocol';

/** The dialog for connecting to a channel by WebSocket. Closing it closes the connection. */
export class ChannelDialog extends RequestDialog {
  readonly #log: MessageLog;
  readonly #status = make('p', 'd-pg-note');
  readonly #send: HTMLButtonElement;
  #socket: WebSocket | undefined;
  #received = 0;

  constructor(frame: FormFrame, inputs: RequestInputs, messages: Messages, title: string) {
    const { texts } = frame;
    super(frame, inputs, title, texts.connect);
    this.#log = new MessageLog(frame);
    const composer = this.#composer(messages);
    this.#send = composer.send;
    this.#status.setAttribute('role', 'status');
    this.side.append(
      make('h3', 'd-pg-title', texts.message),
      composer.element,
      make('h3', 'd-pg-title', texts.messages),
      this.#status,
      this.#log.element,
    );
    this.#show(texts.messagesHint, false);
  }

  protected get isRunning(): boolean {
    return this.#socket !== undefined;
  }

  /** Names what a page cannot send when it opens a WebSocket. */
  protected changed({ headers, cookies }: BuiltRequest): string {
    const sent = headers.map(([name]) => name).filter((name) => name.toLowerCase() !== PROTOCOLS);
    const names = [...sent, ...cookies.map(([name]) => `Cookie: ${name}`)];
    return names.length > 0
      ? fill(this.frame.texts.cannotSendSocket, { names: names.join(', ') })
      : '';
  }

  protected closed(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
  }

  /** The next message to send, prefilled with an example. */
  #composer(messages: Messages): { element: HTMLElement; send: HTMLButtonElement } {
    const { texts } = this.frame;
    const area = textArea(8);
    area.classList.add('d-pg-json-area');
    const field = fieldFrame(
      this.frame,
      {},
      { name: texts.message, isRequired: false, isNamed: true, path: '' },
      area,
    );
    const select = selectOf(messages.map((message) => message.name));
    select.setAttribute('aria-label', texts.message);
    const show = (): void => {
      area.value = messages[Number(select.value)]?.text ?? '';
    };
    select.addEventListener('change', show);
    show();
    const send = button(
      'd-btn',
      () => {
        this.#socket?.send(area.value);
        this.#log.add('sent', area.value);
      },
      texts.send,
    );
    const choice = messages.length > 1 ? [select] : [];
    return {
      element: make(
        'div',
        'd-pg-entries',
        ...choice,
        field.element,
        make('div', 'd-pg-actions', send),
      ),
      send,
    };
  }

  protected act(): void {
    if (this.#socket) {
      this.#socket.close(1000);
      return;
    }
    const request = this.checkedRequest();
    if (!request) return;
    const { texts } = this.frame;
    const { url, headers } = request;
    const protocols =
      headers
        .find(([name]) => name.toLowerCase() === PROTOCOLS)?.[1]
        .split(',')
        .map((name) => name.trim()) ?? [];
    try {
      this.#open(new WebSocket(url, protocols), url);
    } catch (error) {
      // An https page cannot open `ws:` URLs, and subprotocol names have a syntax.
      this.#show(
        location.protocol === 'https:' && url.startsWith('ws:') ? texts.failedMixed : String(error),
        false,
      );
    }
  }

  #open(socket: WebSocket, url: string): void {
    const { texts } = this.frame;
    this.#socket = socket;
    this.#received = 0;
    let wasOpen = false;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      wasOpen = true;
      this.#show(texts.connected, true);
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const text = typeof data === 'string' ? data : `[${data.byteLength} B]`;
      this.#received += typeof data === 'string' ? data.length : data.byteLength;
      this.#log.add('received', text);
      if (this.#received > MAX_RECEIVED_CHARACTERS) socket.close(1000);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      const ended = fill(texts.disconnected, { code: [code, reason].filter(Boolean).join(' ') });
      this.#show(
        wasOpen ? ended : fill(texts.failedConnection, { host: new URL(url).host }),
        false,
      );
    };
    this.#show(texts.connecting, false);
  }

  #show(status: string, isOpen: boolean): void {
    const { texts } = this.frame;
    this.#status.textContent = status;
    this.#send.disabled = !isOpen;
    this.action.textContent = this.#socket ? texts.disconnect : texts.connect;
    if (this.element.isConnected) announce(status);
  }
}

const MAX_MESSAGES = 200;
const MAX_CHARACTERS = 20_000;

/** The messages of a connection as text, newest first. */
class MessageLog {
  readonly element: HTMLElement;
  readonly #frame: FormFrame;
  readonly #list = make('ol', 'd-pg-log');
  readonly #note = make('p', 'd-pg-hint');

  constructor(frame: FormFrame) {
    this.#frame = frame;
    this.#note.hidden = true;
    this.#list.setAttribute('aria-label', frame.texts.messages);
    this.#list.tabIndex = 0;
    this.element = make('div', 'd-pg-entries', this.#list, this.#note);
  }

  add(direction: 'sent' | 'received', text: string): void {
    const { texts } = this.#frame;
    const time = new Date().toLocaleTimeString(document.documentElement.lang || 'en');
    const excerpt = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
    const entry = make(
      'li',
      '',
      make('p', 'd-pg-hint', `${texts[direction]} · ${time}`),
      make('pre', 'd-pg-text', prettyJson(excerpt) ?? excerpt),
    );
    entry.dataset.direction = direction;
    this.#list.prepend(entry);
    if (this.#list.childElementCount <= MAX_MESSAGES) return;
    this.#list.lastElementChild?.remove();
    this.#note.hidden = false;
    this.#note.textContent = fill(texts.partMessages, { count: String(MAX_MESSAGES) });
  }
}
