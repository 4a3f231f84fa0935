import type { AssistantMessages } from '../translations/translations.ts';
import type { AskContext } from './assistant/conversations.ts';
import type { AskRequest } from './assistant/panel.ts';
import { pageData } from './page-data.ts';
import { loadScript } from './search/search-opener.ts';
import { startSelectionAsk } from './selection-ask.ts';

/** What `assistant.js` leaves behind when it has run. */
export interface AssistantEntry {
  open(request?: AskRequest): void;
  /** Opens the panel, or closes it where it is open. */
  toggle(): void;
}

declare global {
  var __docentAssistant: AssistantEntry | undefined;
  /** Texts of the panel by the code of their language, as their files bring them. */
  var __docentAssistantTexts: Record<string, AssistantMessages> | undefined;
}

let loading: Promise<unknown> | undefined;

function entry(): AssistantEntry | undefined {
  return globalThis.__docentAssistant;
}

/** The file of the page's language, while it has not come. */
function textsToLoad(): string | undefined {
  const texts = pageData().assistant?.texts;
  return texts && !globalThis.__docentAssistantTexts?.[texts.code] ? texts.script : undefined;
}

/** Without them the panel speaks English. */
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

/** What a script of the site may send with the event; anything else in it is passed over. */
function readRequest(detail: unknown): AskRequest {
  const { question, context } = (detail ?? {}) as { question?: unknown; context?: unknown };
  const contexts = Array.isArray(context) ? context.filter(isContext) : [];
  return { ...(typeof question === 'string' ? { question } : {}), ...(contexts.length > 0 ? { context: contexts } : {}) };
}

/** `?assistant=`, or with a question: opens the panel and takes the question out of the address, or each reload would ask it. */
function openFromAddress(): void {
  const url = new URL(location.href);
  const question = url.searchParams.get('assistant');
  if (question === null) return;
  url.searchParams.delete('assistant');
  history.replaceState(history.state, '', url);
  // A page that is framed by another must not be made to ask.
  const mayAsk = question !== 'open' && self === top;
  void withAssistant((assistant) => assistant.open(mayAsk ? { question } : {}));
}

/**
 * The panel of the assistant is fetched when it is first wanted: by its button, by ⌘I or Ctrl I, by the event `docent:ask`, or
 * by the address. Where the site has no assistant, nothing of it is there.
 */
export function startAssistantOpener(): void {
  if (!pageData().assistant) return;
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-assistant-open]')) void withAssistant((assistant) => assistant.toggle());
  });
  document.addEventListener('keydown', (event) => {
    const combined = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'i';
    // In a text that can be formatted, the same keys mean italics.
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
