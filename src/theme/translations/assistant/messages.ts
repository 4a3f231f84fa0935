/**
 * The texts of the assistant's panel. English travels in its own script, every other language in a file beside it, so that pages
 * carry none of them and a reader is sent no language but the page's.
 */
export interface AssistantMessages {
  title: string;
  greeting: string;
  intro: string;
  placeholder: string;
  send: string;
  stop: string;
  newConversation: string;
  history: string;
  clearHistory: string;
  noHistory: string;
  back: string;
  close: string;
  starters: string;
  searching: string;
  writing: string;
  sources: string;
  readNext: string;
  copy: string;
  copied: string;
  copyFailed: string;
  helpful: string;
  notHelpful: string;
  thanks: string;
  /** Asked after an answer that did not help. */
  comment: string;
  again: string;
  retry: string;
  stopped: string;
  failed: string;
  offline: string;
  limited: string;
  disabled: string;
  support: string;
  elsewhere: string;
  note: string;
  code: string;
  selection: string;
  remove: string;
  explain: string;
}
