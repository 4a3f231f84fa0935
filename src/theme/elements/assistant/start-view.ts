import type { AssistantMessages } from '../../translations/translations.ts';
import type { PanelSettings } from './assistant-client.ts';
import type { Conversation } from './conversations.ts';
import { button, make, sign } from './dom.ts';

/** The view of the panel before the first question. */
export function startView(
  texts: AssistantMessages,
  settings: PanelSettings | undefined,
  ask: (question: string) => void,
): HTMLElement {
  const mark = make('div', 'mark', sign('sparkle'));
  if (settings?.enabled === false) return make('div', 'start', mark, make('p', 'greeting', texts.disabled));
  const view = make('div', 'start', mark, make('p', 'greeting', texts.greeting), make('p', 'intro', texts.intro));
  const questions = settings?.starterQuestions ?? [];
  if (questions.length === 0) return view;
  view.append(questionList(texts.starters, questions, ask));
  return view;
}

/** Questions, each a button that asks it. */
export function questionList(label: string, questions: readonly string[], ask: (question: string) => void): HTMLElement {
  const list = questions.map((question) =>
    make(
      'li',
      '',
      button('starter', () => ask(question), make('span', '', question), sign('send')),
    ),
  );
  return make('div', 'starters', make('p', 'label', label), make('ul', '', ...list));
}

export interface HistoryHooks {
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
  if (conversations.length === 0) return make('div', 'history', make('p', 'empty', texts.noHistory));
  const format = new Intl.DateTimeFormat(language || undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const rows = conversations.map((conversation) => {
    const date = make('span', 'date', format.format(conversation.startedAt));
    const title = make('span', 'name', conversation.turns[0]?.question ?? '');
    return make(
      'li',
      '',
      button('row', () => hooks.open(conversation), title, date),
    );
  });
  return make('div', 'history', make('ul', '', ...rows), button('plain clear', hooks.clear, texts.clearHistory));
}

/** The contact link for readers; undefined if the owners configured none that is safe. */
export function supportLink(texts: AssistantMessages, settings: PanelSettings | undefined): HTMLElement | undefined {
  const address = settings?.supportUrl ?? (settings?.supportEmail ? `mailto:${settings.supportEmail}` : '');
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined;
  const link = make('a', '', texts.support);
  link.href = address;
  link.target = '_blank';
  link.rel = 'noreferrer';
  return link;
}
