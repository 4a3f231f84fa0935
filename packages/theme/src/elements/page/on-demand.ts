import type { LocalizedScript } from '../../parts/client-data.ts';
import type {
  AssistantMessages,
  PlaygroundMessages,
  SearchMessages,
} from '../../translations/translations.ts';
import type { AssistantEntry } from '../assistant/assistant.ts';
import type { AskContext } from '../assistant/conversations.ts';
import type { AskRequest } from '../assistant/panel.ts';
import { loadShared, onClick } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { startSelectionAsk } from './start-later.ts';

/** The global API of `search.js`. */
interface SearchDialog {
  /** Shows the dialog; `typed` is the reader's input while it was loading. */
  open(typed: string): void;
}

/** The global API of `playground.js`. */
interface PlaygroundEntry {
  open(opener: HTMLElement): void;
}

declare global {
  var __docentSearch: SearchDialog | undefined;
  var __docentAssistant: AssistantEntry | undefined;
  var __docentPlayground: PlaygroundEntry | undefined;
  /** UI strings by language code, registered by their files. */
  var __docentAssistantTexts: Record<string, AssistantMessages> | undefined;
  var __docentPlaygroundTexts: Record<string, PlaygroundMessages> | undefined;
  var __docentSearchTexts: Record<string, SearchMessages> | undefined;
}

/** Loads a script. A failure is reported; the next call retries. */
function load(address: string): Promise<void> {
  return loadShared(address).catch(reportError);
}

/**
 * Loads a part that is missing, and its strings in the language of the page; without them, it is in
 * English.
 */
async function loadPart(
  part: LocalizedScript | undefined,
  loaded: unknown,
  strings: object | undefined,
): Promise<void> {
  const { script, texts } = part ?? {};
  const isWithoutTexts = texts && !Object.hasOwn(strings ?? {}, texts.code);
  await Promise.all([script && !loaded && load(script), isWithoutTexts && load(texts.script)]);
}

/** Returns whether it is ⌘ or Ctrl with a letter. */
function isShortcut(event: KeyboardEvent, letter: string): boolean {
  return (
    (event.metaKey || event.ctrlKey) &&
    !event.altKey &&
    !event.shiftKey &&
    event.key.toLowerCase() === letter
  );
}

/**
 * Records keystrokes from now on, so that the first letters of a fast reader are not lost. Returns
 * a function that stops and returns them.
 */
function keepTyping(): () => string {
  let typed = '';
  const keep = (event: KeyboardEvent): void => {
    if (
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      event.isComposing ||
      isTyping(event.target)
    )
      return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', keep, true);
  return () => {
    document.removeEventListener('keydown', keep, true);
    return typed;
  };
}

let takeTyped: (() => string) | undefined;

async function openSearch(query = ''): Promise<void> {
  if (takeTyped) return;
  takeTyped = keepTyping();
  await loadPart(pageData().search, globalThis.__docentSearch, globalThis.__docentSearchTexts);
  const typed = takeTyped();
  takeTyped = undefined;
  globalThis.__docentSearch?.open(query + typed);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * Loads the dialog on demand: by its button, by ⌘K or Ctrl K, by `/`, or by a link to
 * `#search=words`, which `&…` may follow.
 */
export function startSearchOpener(): void {
  const linked = /^#search=([^&]+)/.exec(location.hash)?.[1];
  if (linked !== undefined) void openSearch(new URLSearchParams(`q=${linked}`).get('q') ?? '');
  onClick('[data-search-open]', () => void openSearch());
  document.addEventListener('keydown', (event) => {
    const slash =
      event.key === '/' &&
      !event.metaKey &&
      !event.ctrlKey &&
      !event.altKey &&
      !isTyping(event.target);
    if (!isShortcut(event, 'k') && !slash) return;
    event.preventDefault();
    void openSearch();
  });
}

async function withAssistant(use: (assistant: AssistantEntry) => void): Promise<void> {
  await loadPart(
    pageData().assistant,
    globalThis.__docentAssistant,
    globalThis.__docentAssistantTexts,
  );
  if (globalThis.__docentAssistant) use(globalThis.__docentAssistant);
}

function isContext(value: unknown): value is AskContext {
  const { type, value: text } = (value ?? {}) as Partial<AskContext>;
  return (
    (type === 'code' || type === 'textSelection') && typeof text === 'string' && text.trim() !== ''
  );
}

/** Event details from a site's script; other fields are ignored. */
function readRequest(detail: unknown): AskRequest {
  const { question, context } = (detail ?? {}) as { question?: unknown; context?: unknown };
  const contexts = Array.isArray(context) ? context.filter(isContext) : [];
  return {
    ...(typeof question === 'string' ? { question } : {}),
    ...(contexts.length > 0 ? { context: contexts } : {}),
  };
}

/**
 * `?assistant=`, optionally with a question: opens the panel and removes the question from the URL, otherwise each reload would
 * ask it again.
 */
function openFromAddress(): void {
  const url = new URL(location.href);
  const question = url.searchParams.get('assistant');
  if (question === null) return;
  url.searchParams.delete('assistant');
  history.replaceState(history.state, '', url);
  // A page in another site's frame must not be made to ask questions.
  const mayAsk = question !== 'open' && self === top;
  void withAssistant((assistant) => assistant.open(mayAsk ? { question } : {}));
}

/**
 * Loads the assistant panel on demand: by its button, by ⌘I or Ctrl I, by the event `docent:ask`,
 * or by the URL. Does nothing on a site without an assistant.
 */
export function startAssistantOpener(): void {
  if (!pageData().assistant) return;
  onClick('[data-assistant-open]', () => void withAssistant((assistant) => assistant.toggle()));
  document.addEventListener('keydown', (event) => {
    // In rich text editors, the same keys mean italics.
    if (!isShortcut(event, 'i') || (event.target as HTMLElement).isContentEditable) return;
    event.preventDefault();
    void withAssistant((assistant) => assistant.toggle());
  });
  document.addEventListener('docent:ask', (event) => {
    void withAssistant((assistant) =>
      assistant.open(readRequest((event as CustomEvent<unknown>).detail)),
    );
  });
  startSelectionAsk();
  openFromAddress();
}

/** Loads the API form when its button is pressed, with the strings of the page's language. */
export function startPlaygroundOpener(): void {
  onClick('[data-playground-open]', async (opener) => {
    await loadPart(
      pageData().playground,
      globalThis.__docentPlayground,
      globalThis.__docentPlaygroundTexts,
    );
    globalThis.__docentPlayground?.open(opener);
  });
}
