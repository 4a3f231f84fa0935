import type { AssistantMessages } from '../../translations/translations.ts';
import { button, make } from '../dom.ts';
import { decodedPart } from '../page-data.ts';
import type { PanelSettings } from './assistant-client.ts';
import type { Conversation, Source, Turn } from './conversations.ts';
import { answerLink, listOf, MarkdownView, type ViewOptions } from './markdown-view.ts';
import { sign, signButton } from './signs.ts';
import { waitingView } from './waiting-view.ts';

/** The view of the panel before the first question. */
export function startView(
  texts: AssistantMessages,
  settings: PanelSettings | undefined,
  ask: (question: string) => void,
): HTMLElement {
  const mark = make('div', 'mark', sign('sparkle'));
  if (settings?.enabled === false)
    return make('div', 'start', mark, make('p', 'greeting', texts.disabled));
  const view = make(
    'div',
    'start',
    mark,
    make('p', 'greeting', texts.greeting),
    make('p', 'intro', texts.intro),
  );
  const questions = settings?.starterQuestions ?? [];
  if (questions.length > 0) view.append(questionList(texts.starters, questions, ask));
  return view;
}

/** Questions, each a button that asks it. */
function questionList(
  label: string,
  questions: readonly string[],
  ask: (question: string) => void,
): HTMLElement {
  const buttons = questions.map((question) =>
    button('starter', () => ask(question), make('span', '', question), sign('send')),
  );
  return make('div', 'starters', make('p', 'label', label), listOf(buttons));
}

interface HistoryHooks {
  open: (conversation: Conversation) => void;
  clear: () => void;
}

/** The conversations stored in this browser. */
export function historyView(
  texts: AssistantMessages,
  language: string,
  conversations: readonly Conversation[],
  hooks: HistoryHooks,
): HTMLElement {
  if (conversations.length === 0)
    return make('div', 'history', make('p', 'empty', texts.noHistory));
  const format = new Intl.DateTimeFormat(language || undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const rows = conversations.map((conversation) => {
    const date = make('span', 'date', format.format(conversation.startedAt));
    const title = make('span', 'name', conversation.turns[0]?.question ?? '');
    return button('row', () => hooks.open(conversation), title, date);
  });
  return make(
    'div',
    'history',
    listOf(rows),
    button('plain clear', hooks.clear, texts.clearHistory),
  );
}

/** The contact link for readers; undefined if the owners configured none that is safe. */
export function supportLink(
  texts: AssistantMessages,
  settings: PanelSettings | undefined,
): HTMLElement | undefined {
  const address =
    settings?.supportUrl ?? (settings?.supportEmail ? `mailto:${settings.supportEmail}` : '');
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined;
  const link = make('a', '', texts.support);
  link.href = address;
  link.target = '_blank';
  link.rel = 'noreferrer';
  return link;
}

const MAX_SOURCES = 4;
const MAX_QUOTE_LENGTH = 280;
const MAX_COMMENT_LENGTH = 2000;

/** The panel actions of a turn. */
interface TurnHooks {
  again: () => void;
  ask: (question: string) => void;
  /** Sends the reader's rating of an answer, with an optional comment; undefined withdraws it. */
  rate: (helpful: boolean | undefined, comment?: string) => void;
  /** Leaves the reader's address, or deletes it; absent where readers cannot wait. */
  wait: ((email: string | null) => Promise<void>) | undefined;
  announce: (text: string) => void;
  /** A contact link, if the owners configured one. */
  support: () => HTMLElement | undefined;
}

/** A question and its answer on the screen. */
export class TurnView {
  readonly element = make('section', 'turn');
  readonly #turn: Turn;
  readonly #texts: AssistantMessages;
  readonly #options: ViewOptions;
  readonly #hooks: TurnHooks;
  readonly #markdown: MarkdownView;
  readonly #status = make('p', 'status');
  readonly #end = make('div', 'end');
  /** The reader has just rated the answer as unhelpful, and may say why. */
  #asksWhy = false;

  constructor(turn: Turn, options: ViewOptions, hooks: TurnHooks) {
    this.#turn = turn;
    this.#texts = options.texts;
    this.#options = options;
    this.#hooks = hooks;
    this.#markdown = new MarkdownView(options);
    this.element.append(this.#question(), this.#markdown.element, this.#status, this.#end);
    this.show('');
  }

  /** @param status the current activity, until the answer starts */
  show(status: string): void {
    const { answer, state } = this.#turn;
    const isWriting = state === 'writing';
    if (isWriting) this.#asksWhy = false;
    this.#markdown.show(answer, isWriting);
    this.#markdown.element.classList.toggle('growing', isWriting && answer !== '');
    this.#status.hidden = !isWriting || answer !== '';
    if (this.#status.dataset.text !== status) {
      this.#status.dataset.text = status;
      this.#status.replaceChildren(make('span', 'shine', status));
    }
    this.#end.replaceChildren(...(isWriting ? [] : this.#endParts()));
  }

  #question(): HTMLElement {
    const { question, context } = this.#turn;
    const box = make('div', 'question');
    for (const { type, value } of context) {
      const text = value.length > MAX_QUOTE_LENGTH ? `${value.slice(0, MAX_QUOTE_LENGTH)}…` : value;
      box.append(
        type === 'code'
          ? make('pre', 'quoted', make('code', '', text))
          : make('blockquote', 'quoted', text),
      );
    }
    box.append(make('p', '', question));
    return box;
  }

  #endParts(): HTMLElement[] {
    const parts: HTMLElement[] = [];
    const { state, fault, answer } = this.#turn;
    if (state === 'failed') parts.push(this.#fault(fault ?? this.#texts.failed));
    if (state === 'stopped') parts.push(make('p', 'stopped', this.#texts.stopped));
    if (state === 'done') this.#markdown.markQuotes(this.#turn.quotes ?? []);
    if (state === 'done') parts.push(...this.#next(), ...this.#sources(), this.#markdown.next);
    if (state !== 'failed' && (answer !== '' || state === 'stopped')) parts.push(this.#actions());
    if (this.#asksWhy) parts.push(this.#whyForm());
    if (state === 'done' && this.#turn.waitDays) parts.push(...this.#waiting(this.#turn.waitDays));
    const support = this.#asksWhy ? this.#hooks.support() : undefined;
    if (support) parts.push(make('p', 'to-support', support));
    return parts;
  }

  #fault(text: string): HTMLElement {
    return make(
      'div',
      'fault',
      sign('warning'),
      make('p', '', text),
      button('plain', this.#hooks.again, this.#texts.retry),
    );
  }

  /** The pages that the answer names, otherwise the first ones found. */
  #sources(): HTMLElement[] {
    const { sources, answer } = this.#turn;
    const named = sources.filter(({ url }) => isNamed(answer, url));
    const topSources = (named.length > 0 ? named : sources.slice(0, 3)).slice(0, MAX_SOURCES);
    const links = topSources
      .map((source) =>
        answerLink(source.url, this.#options, sign('page'), ...this.#sourceName(source)),
      )
      .filter((link) => link !== undefined);
    if (links.length === 0) return [];
    return [make('div', 'sources', make('p', 'label', this.#texts.sources), listOf(links))];
  }

  #next(): HTMLElement[] {
    const { next } = this.#turn;
    if (!next) return [];
    const label = next.kind === 'choices' ? this.#texts.choices : this.#texts.starters;
    return [questionList(label, next.questions, this.#hooks.ask)];
  }

  #actions(): HTMLElement {
    const row = make('div', 'actions');
    if (this.#turn.answer !== '') row.append(this.#options.copyButton(() => this.#turn.answer));
    row.append(signButton('again', this.#texts.again, this.#hooks.again));
    if (this.#turn.answer !== '') row.append(this.#rating('up', true), this.#rating('down', false));
    return row;
  }

  #rating(name: 'up' | 'down', helpful: boolean): HTMLElement {
    const label = helpful ? this.#texts.helpful : this.#texts.notHelpful;
    const isChosen = this.#turn.helpful === helpful;
    const ratingButton = signButton(name, label, () => {
      this.#hooks.rate(isChosen ? undefined : helpful);
      this.#asksWhy = !isChosen && !helpful;
      if (!isChosen) this.#hooks.announce(this.#texts.thanks);
      this.show('');
      this.#end.querySelector<HTMLElement>(`[data-rating="${name}"]`)?.focus();
      // The form and the link to support are below the buttons, often out of sight.
      if (this.#asksWhy) this.#end.lastElementChild?.scrollIntoView({ block: 'nearest' });
    });
    ratingButton.dataset.rating = name;
    ratingButton.setAttribute('aria-pressed', String(isChosen));
    return ratingButton;
  }

  #whyForm(): HTMLElement {
    const field = make('textarea');
    field.rows = 2;
    field.maxLength = MAX_COMMENT_LENGTH;
    field.placeholder = this.#texts.comment;
    field.setAttribute('aria-label', this.#texts.comment);
    const send = make('button', 'plain', this.#texts.send);
    const form = make('form', 'why', field, send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const comment = field.value.trim();
      if (comment === '') return field.focus();
      this.#asksWhy = false;
      this.#hooks.rate(false, comment);
      this.#hooks.announce(this.#texts.thanks);
      this.show('');
      this.#end.querySelector<HTMLElement>('[data-rating="down"]')?.focus();
    });
    return form;
  }

  /** Where the documentation has no answer: a form that takes an address, or that it was taken. */
  #waiting(days: number): HTMLElement[] {
    const { wait, announce } = this.#hooks;
    if (!wait) return [];
    const texts = this.#texts;
    return [
      waitingView(texts, days, this.#turn.waits === true, async (email) => {
        await wait(email);
        announce(email === null ? texts.waitDeleted : texts.waitKept);
        this.show('');
        this.#end.querySelector<HTMLElement>('.wait :is(input, button)')?.focus();
      }),
    ];
  }

  /** The title of a page with its trail, less prominent. */
  #sourceName({ title, url }: Source): HTMLElement[] {
    const path = this.#options.resolve(url)?.path ?? '';
    const place = decodedPart(path).split('/').filter(Boolean).slice(-3, -1).join(' / ');
    return [make('span', 'name', title || url), ...(place ? [make('span', 'where', place)] : [])];
  }
}

/**
 * Returns whether an answer links to a page: an anchor on it counts, a path with the same prefix
 * does not.
 */
function isNamed(answer: string, url: string): boolean {
  const page = url.split('#', 1)[0] ?? url;
  return [')', '#', '?', '>'].some((end) => answer.includes(page + end));
}
