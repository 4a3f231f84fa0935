import type { AssistantMessages } from '../../translations/translations.ts';
import { isPlainClick, make } from '../dom.ts';
import { randomId } from '../storage.ts';
import type { AskBody, AssistantClient, PanelSettings } from './assistant-client.ts';
import { Composer } from './composer.ts';
import { runTurn } from './conversation-run.ts';
import {
  type AskContext,
  type Conversation,
  keepConversation,
  readConversations,
  type Store,
  type Turn,
} from './conversations.ts';
import type { ViewOptions } from './markdown-view.ts';
import { addressReader, type ResolveAddress } from './markdown-view.ts';
import { PanelFrame } from './panel-frame.ts';
import { copyButton } from './signs.ts';
import { historyView, startView, supportLink, TurnView } from './views.ts';

export interface AskRequest {
  /** A question to ask immediately. */
  question?: string;
  context?: AskContext[];
}

/** The differences between the panel of a site and that of a widget. */
export interface PanelOptions {
  client: AssistantClient;
  store: Store;
  texts: AssistantMessages;
  language: string;
  /** Where the pages of the site are read; by default its public URL. */
  readAt: () => string | undefined;
  /**
   * Returns the address of a page by its path and what follows it; by default the path at `readAt`.
   */
  addressOf?: (path: string) => string;
  about: () => Pick<AskBody, 'fp' | 'currentPath' | 'filter'>;
  newWindow: boolean;
  /** Opens a link to a page of the site in this window. */
  follow?: (href: string) => void;
  onOpen?: (isOpen: boolean) => void;
}

function newConversation(): Conversation {
  return { id: randomId(12), startedAt: Date.now(), turns: [] };
}

/** The conversation with a site's assistant. */
export class AssistantPanel {
  readonly #options: PanelOptions;
  readonly #frame: PanelFrame;
  readonly #composer: Composer;
  readonly #note = make('p', 'note');
  #conversation = newConversation();
  #views = new Map<Turn, TurnView>();
  #settings: Promise<PanelSettings | undefined> | undefined;
  #known: PanelSettings | undefined;
  #running: AbortController | undefined;

  constructor(options: PanelOptions, root: ParentNode) {
    this.#options = options;
    const { texts } = options;
    this.#frame = new PanelFrame(texts, {
      restart: () => this.#restart(),
      history: () => this.#toggleHistory(),
      closed: () => options.onOpen?.(false),
    });
    this.#composer = new Composer(texts, {
      send: (question, context) => void this.#ask(question, context),
      stop: () => this.#running?.abort(),
    });
    this.#frame.foot.append(this.#composer.element, this.#note);
    this.#frame.dialog.addEventListener('click', (event) => this.#onClick(event));
    root.append(this.#frame.dialog);
    this.#showNote();
    this.#showConversation();
  }

  get isOpen(): boolean {
    return this.#frame.dialog.open;
  }

  open(request: AskRequest = {}): void {
    if (!this.isOpen) {
      this.#frame.open();
      this.#options.onOpen?.(true);
    }
    void this.#load();
    if (request.context?.length) this.#composer.context = request.context;
    // An on-screen keyboard that opens automatically would hide half of a phone's screen.
    if (matchMedia('(hover: hover)').matches || request.context?.length) this.#composer.focus();
    else this.#frame.body.focus({ preventScroll: true });
    const question = request.question?.trim();
    if (question) void this.#ask(question, request.context ?? []);
  }

  close(): void {
    this.#frame.dialog.close();
  }

  /** Loads the settings when the panel first opens; without a response, questions still work. */
  async #load(): Promise<void> {
    this.#settings ??= this.#options.client.settings().catch(() => {
      this.#settings = undefined;
      return undefined;
    });
    const settings = await this.#settings;
    if (settings === this.#known) return;
    this.#known = settings;
    this.#composer.isOff = settings?.enabled === false;
    this.#showNote();
    // Not over the earlier conversations, which the reader may have opened meanwhile.
    if (this.#conversation.turns.length === 0 && !this.#frame.showsHistory)
      this.#showConversation();
  }

  #showNote(): void {
    const { texts } = this.#options;
    const support = supportLink(texts, this.#known);
    this.#note.replaceChildren(texts.note, ...(support ? [' ', support] : []));
  }

  #restart(): void {
    this.#running?.abort();
    this.#conversation = newConversation();
    this.#composer.context = [];
    this.#showConversation();
    this.#composer.focus();
  }

  #toggleHistory(): void {
    if (this.#frame.showsHistory) {
      this.#showConversation();
      return;
    }
    this.#frame.showsHistory = true;
    const { store, texts, language } = this.#options;
    const view = historyView(texts, language, readConversations(store), {
      open: (conversation) => this.#resume(conversation),
      clear: () => {
        store.write(null);
        this.#restart();
      },
    });
    this.#frame.body.replaceChildren(view);
    this.#frame.body.scrollTop = 0;
  }

  #resume(conversation: Conversation): void {
    if (conversation.id !== this.#conversation.id) {
      this.#running?.abort();
      this.#conversation = conversation;
    }
    this.#showConversation();
    this.#composer.focus();
  }

  #showConversation(): void {
    this.#frame.showsHistory = false;
    this.#views.clear();
    const { turns } = this.#conversation;
    this.#frame.body.replaceChildren(...turns.map((turn) => this.#viewOf(turn).element));
    if (turns.length === 0)
      this.#frame.body.append(
        startView(this.#options.texts, this.#known, (question) => void this.#ask(question, [])),
      );
    this.#frame.body.scrollTop = this.#frame.body.scrollHeight;
  }

  #viewOf(turn: Turn): TurnView {
    const existingView = this.#views.get(turn);
    if (existingView) return existingView;
    const { texts, newWindow } = this.#options;
    const announce = (text: string): void => this.#frame.announce(text);
    const copy: ViewOptions['copyButton'] = (text) => copyButton(texts, announce, text);
    const view = new TurnView(
      turn,
      { texts, newWindow, copyButton: copy, resolve: this.#resolve },
      {
        again: () => void this.#run(turn),
        ask: (question) => void this.#ask(question, []),
        rate: (helpful, comment) => this.#rate(turn, helpful, comment),
        wait: this.#options.client.takesAddresses ? (email) => this.#wait(turn, email) : undefined,
        announce,
        support: () => supportLink(texts, this.#known),
      },
    );
    this.#views.set(turn, view);
    return view;
  }

  readonly #resolve: ResolveAddress = (address) => {
    const readAt = this.#options.readAt() ?? this.#known?.siteUrl;
    if (readAt === undefined) return undefined;
    return addressReader(this.#known?.siteUrl ?? readAt, readAt, this.#options.addressOf)(address);
  };

  async #ask(question: string, context: AskContext[]): Promise<void> {
    this.#running?.abort();
    const turn: Turn = {
      id: randomId(12),
      question,
      context,
      answer: '',
      sources: [],
      state: 'writing',
    };
    this.#conversation.turns.push(turn);
    this.#composer.context = [];
    if (this.#frame.showsHistory || this.#conversation.turns.length === 1) this.#showConversation();
    await this.#run(turn);
  }

  /**
   * Asks a question, or retries it, which removes the later turns because the new answer may
   * differ.
   */
  async #run(turn: Turn): Promise<void> {
    const conversation = this.#conversation;
    const running = new AbortController();
    this.#running?.abort();
    this.#running = running;
    for (const gone of conversation.turns.splice(conversation.turns.indexOf(turn) + 1))
      this.#views.get(gone)?.element.remove();
    const view = this.#viewOf(turn);
    if (!view.element.isConnected) this.#frame.body.append(view.element);
    this.#composer.isBusy = true;
    this.#toQuestion(view);
    // Links in the answer need the site's URL.
    await this.#load();
    const { client, texts, language, about } = this.#options;
    const { signal } = running;
    document.dispatchEvent(new CustomEvent('docent:action', { detail: { name: 'question' } }));
    await runTurn({
      client,
      conversation,
      turn,
      about: about(),
      texts,
      language,
      signal,
      onChange: drawer(view, turn),
    });
    keepConversation(this.#options.store, conversation);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#composer.isBusy = false;
    this.#frame.announce(
      turn.state === 'failed'
        ? (turn.fault ?? texts.failed)
        : view.element.querySelector('.md')?.textContent || texts.stopped,
    );
  }

  /**
   * Scrolls the question to the top, so that its answer grows downwards without the reader having
   * to scroll.
   */
  #toQuestion(view: TurnView): void {
    for (const other of this.#views.values())
      other.element.classList.toggle('newest', other === view);
    const { body } = this.#frame;
    body.scrollTo({ top: view.element.offsetTop - body.offsetTop });
  }

  #rate(turn: Turn, helpful: boolean | undefined, comment?: string): void {
    if (helpful === undefined) delete turn.helpful;
    else turn.helpful = helpful;
    keepConversation(this.#options.store, this.#conversation);
    const { threadId } = this.#conversation;
    if (threadId === undefined) return;
    // The feedback is stored here in any case; if it does not reach the server, the reader cannot
    // do anything about it.
    this.#options.client
      .rate({ threadId, messageId: turn.answerId, helpful: helpful ?? null, comment })
      .catch(() => undefined);
  }

  async #wait(turn: Turn, email: string | null): Promise<void> {
    const { threadId = '' } = this.#conversation;
    await this.#options.client.wait({ threadId, messageId: turn.answerId ?? '', email });
    turn.waits = email !== null;
    keepConversation(this.#options.store, this.#conversation);
  }

  #onClick(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-page]');
    if (!link || link.target === '_blank' || event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    if (this.#frame.coversPage) this.close();
    this.#options.follow?.(link.href);
  }
}

/** Renders a turn at most once per frame, and immediately when it has ended. */
function drawer(view: TurnView, turn: Turn): (status: string) => void {
  let frame = 0;
  return (status) => {
    cancelAnimationFrame(frame);
    if (turn.state !== 'writing' || document.hidden) view.show(status);
    else frame = requestAnimationFrame(() => view.show(status));
  };
}
