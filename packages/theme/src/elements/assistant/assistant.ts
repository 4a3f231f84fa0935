import type { QuotedAnswer } from '@docent/assistant/quoted-answer.ts';
import type { AssistantMessages } from '../../translations/translations.ts';
import { loadShared } from '../dom.ts';
import { decodedPart, pageAddress, pageData, pageFilter } from '../page-data.ts';
import { readStored, writeStored } from '../storage.ts';
import { type AskBody, AssistantClient } from './assistant-client.ts';
import { readerId } from './conversations.ts';
import { type AskRequest, AssistantPanel } from './panel.ts';
import { shadowHost } from './panel-frame.ts';

/** The global API of `assistant.js`. */
export interface AssistantEntry {
  open(request?: AskRequest): void;
  toggle(): void;
}

/**
 * On wide screens the page makes room for the panel: the table of contents is hidden, and examples
 * beside an article move into it, unless the screen has room for both.
 */
const PAGE_STYLE = `
@layer themes {
  @media (width >= 75rem) {
    html[data-assistant-shown] { --d-assistant-width: 23rem; }
    html[data-assistant-shown] body { padding-inline-end: var(--d-assistant-width); }
    html[data-assistant-shown] .d-page[data-rail="toc"] .d-rail { display: none; }
    html[data-assistant-shown] .d-page[data-rail="toc"] .d-footer { padding-inline-end: 0; }
  }
  @media (width >= 90rem) { html[data-assistant-shown] { --d-assistant-width: 26rem; } }
  @media (75rem <= width < 110rem) {
    html[data-assistant-shown] .d-page[data-rail="aside"] :is(.d-main, .d-footer) { padding-inline-end: 0; }
    html[data-assistant-shown] .d-aside { position: static; width: auto; margin-block: var(--d-space-6); }
    html[data-assistant-shown] .d-aside .d-rail-in { position: static; max-height: none; padding-block: 0; overflow: visible; }
    html[data-assistant-shown] .d-aside pre { max-height: 20rem; overflow: auto; }
  }
  @media (width < 48rem) { html[data-assistant-shown] { overflow: hidden; } }
  @media print { docent-assistant { display: none; } html[data-assistant-shown] body { padding: 0; } }
}`;

/** The English strings, inserted by the theme build. */
declare const ASSISTANT_TEXTS: AssistantMessages;

const root = new URL(pageData().root, document.baseURI);

/** Clicks a link of the page itself, so that instant navigation handles it like any other. */
function follow(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

function currentPath(): string | undefined {
  const path = pageData().href;
  return path.length <= 200 ? path : undefined;
}

/**
 * Undefined where no server is known to answer: a bundle on disk, or one whose server only has
 * files.
 */
function addresses() {
  const { assistant } = pageData();
  if (assistant?.api === undefined) return undefined;
  const { href: api, protocol } = new URL(assistant.api, document.baseURI);
  if (protocol === 'file:') return undefined;
  return {
    message: `${api}/message`,
    settings: `${api}/settings`,
    feedback: `${api}/feedback`,
    waiting: `${api}/waiting`,
  };
}

async function answerLocally(body: AskBody): Promise<QuotedAnswer> {
  const script = pageData().assistant?.local;
  if (!globalThis.__docentAnswer && script)
    await loadShared(new URL(script, document.baseURI).href);
  if (!globalThis.__docentAnswer)
    throw new TypeError('The script that answers could not be loaded.');
  return globalThis.__docentAnswer(body);
}

/** Bundles have files, so a page has the ending of its file in its address. */
function addressOf(path: string): string {
  const [, name = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? [];
  return new URL(pageAddress(pageData(), `/${decodedPart(name)}${rest}`), document.baseURI).href;
}

/** In the language of the page if its file has loaded; an English panel is better than none. */
function textsOfPage() {
  return (
    globalThis.__docentAssistantTexts?.[pageData().assistant?.texts?.code ?? 'en'] ??
    ASSISTANT_TEXTS
  );
}

/** The panel in the page's current language; another language needs another panel. */
class SiteAssistant implements AssistantEntry {
  #panel: AssistantPanel | undefined;
  #host: HTMLElement | undefined;
  #language: string | undefined;

  constructor() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(PAGE_STYLE);
    document.adoptedStyleSheets.push(sheet);
  }

  open(request: Parameters<AssistantEntry['open']>[0]): void {
    this.#current().open(request);
  }

  toggle(): void {
    if (this.#panel?.isOpen) this.#panel.close();
    else this.#current().open();
  }

  #current(): AssistantPanel {
    const language = document.documentElement.lang;
    if (this.#panel && (this.#language === language || this.#panel.isOpen)) return this.#panel;
    this.#host?.remove();
    this.#language = language;
    const { host, root: shadow } = shadowHost('docent-assistant');
    this.#host = host;
    const key = `docent-conversations ${root.pathname}`;
    this.#panel = new AssistantPanel(
      {
        client: new AssistantClient(addresses, answerLocally),
        store: {
          read: () => readStored('local', key),
          write: (text) => writeStored('local', key, text),
        },
        texts: textsOfPage(),
        language,
        readAt: () => root.href,
        addressOf,
        about: () => ({ fp: readerId(), currentPath: currentPath(), filter: pageFilter() }),
        newWindow: false,
        follow,
        onOpen: (isOpen) =>
          document.documentElement.toggleAttribute('data-assistant-shown', isOpen),
      },
      shadow,
    );
    return this.#panel;
  }
}

globalThis.__docentAssistant ??= new SiteAssistant();
