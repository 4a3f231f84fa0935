import type { AssistantMessages } from '../translations/translations.ts';
import type { AskContext } from './assistant/conversations.ts';
import type { AskRequest } from './assistant/panel.ts';
import { pageData } from './page-data.ts';
import { loadScript } from './search/search-opener.ts';
import { startSelectionAsk } from './selection-ask.ts';

/** The global API of `assistant.js`. */
export interface AssistantEntry {
  open(request?: AskRequest): void;
  toggle(): void;
}

declare global {
  var __docentAssistant: AssistantEntry | undefined;
  /** UI strings of the panel by language code, registered by their files. */
  var __docentAssistantTexts: Record<string, AssistantMessages> | undefined;
}

let loading: Promise<unknown> | undefined;

function entry(): AssistantEntry | undefined {
  return globalThis.__docentAssistant;
}

/** Loads the strings of the page's language, if missing. */
function textsToLoad(): string | undefined {
  const texts = pageData().assistant?.texts;
  return texts && !globalThis.__docentAssistantTexts?.[texts.code] ? texts.script : undefined;
}

/** Without them, the panel is in English. */
async function loadTexts(): Promise<void> {
  const script = textsToLoad();
  if (script !== undefined) await loadScript(script).catch(reportError);
}

async function withAssistant(use: (assistant: AssistantEntry) => void): Promise<void> {
  const script = pageData().assistant?.script;
  if (script === undefined) return;
  if (!entry() || textsToLoad()) {
    try {
      loading ??= Promise.all([entry() ? undefined : loadScript(script), loadTexts()]);
      await loading;
    } catch (error) {
      reportError(error);
    } finally {
      loading = undefined;
    }
  }
  const assistant = entry();
  if (assistant) use(assistant);
}

function isContext(value: unknown): value is AskContext {
  const { type, value: text } = (value ?? {}) as Partial<AskContext>;
  return (type === 'code' || type === 'textSelection') && typeof text === 'string' && text.trim() !== '';
}

/** Event details from a site's script; other fields are ignored. */
function readRequest(detail: unknown): AskRequest {
  const { question, context } = (detail ?? {}) as { question?: unknown; context?: unknown };
  const contexts = Array.isArray(context) ? context.filter(isContext) : [];
  return { ...(typeof question === 'string' ? { question } : {}), ...(contexts.length > 0 ? { context: contexts } : {}) };
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
 * Loads the assistant panel on demand: by its button, by ⌘I or Ctrl I, by the event `docent:ask`, or by the URL. Does nothing on
 * a site without an assistant.
 */
export function startAssistantOpener(): void {
  if (!pageData().assistant) return;
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-assistant-open]')) void withAssistant((assistant) => assistant.toggle());
  });
  document.addEventListener('keydown', (event) => {
    const combined = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'i';
    // In rich text editors, the same keys mean italics.
    if (!combined || (event.target as HTMLElement).isContentEditable) return;
    event.preventDefault();
    void withAssistant((assistant) => assistant.toggle());
  });
  document.addEventListener('docent:ask', (event) => {
    void withAssistant((assistant) => assistant.open(readRequest((event as CustomEvent<unknown>).detail)));
  });
  startSelectionAsk();
  openFromAddress();
}
