import type { AssistantMessages } from '../../translations/translations.ts';
import { announceIn, make } from '../dom.ts';
import { sign, signButton } from './signs.ts';

/** Below this width, the panel covers the whole screen and the page behind it is inert. */
const NARROW = '(width < 48rem)';

interface FrameHooks {
  restart: () => void;
  history: () => void;
  /** Called after the panel has closed, in any way. */
  closed: () => void;
}

/**
 * The panel's window: a bar, a scrolling region, a footer; beside the page if there is room,
 * otherwise over it.
 */
export class PanelFrame {
  readonly dialog = make('dialog', 'panel');
  readonly body = make('div', 'body');
  readonly foot = make('div', 'foot');
  /** Announces what happens to assistive technology. */
  readonly #status = make('div', 'vh');
  readonly #narrow = matchMedia(NARROW);
  readonly #title: HTMLElement;
  readonly #history: HTMLButtonElement;
  #opener: Element | null = null;

  constructor(texts: AssistantMessages, hooks: FrameHooks) {
    this.#title = make('span', '', texts.title);
    const heading = make('h2', 'title', sign('sparkle'), this.#title);
    this.#history = signButton('clock', texts.history, hooks.history);
    const restart = signButton('pencil', texts.newConversation, hooks.restart);
    const close = signButton('close', texts.close, () => this.dialog.close());
    const bar = make('div', 'bar', heading, make('div', 'tools', restart, this.#history, close));
    this.body.tabIndex = 0;
    this.body.setAttribute('role', 'region');
    this.body.setAttribute('aria-label', texts.title);
    this.#status.setAttribute('role', 'status');
    this.dialog.setAttribute('aria-label', texts.title);
    this.dialog.append(bar, this.body, this.foot, this.#status);
    this.dialog.addEventListener('close', () => {
      // The event is dispatched later than the panel closes: a reader may have opened it again by
      // then.
      if (this.dialog.open) return;
      this.#giveFocusBack();
      hooks.closed();
    });
    this.dialog.addEventListener('keydown', (event) => this.#onKey(event));
    this.#narrow.addEventListener('change', () => this.#changeWidth());
  }

  get coversPage(): boolean {
    return this.#narrow.matches;
  }

  open(): void {
    this.#opener = document.activeElement;
    if (this.#narrow.matches) this.dialog.showModal();
    else this.dialog.show();
  }

  /** Whether the body shows the earlier conversations. */
  get showsHistory(): boolean {
    return this.#history.ariaPressed === 'true';
  }

  set showsHistory(shows: boolean) {
    this.#history.ariaPressed = String(shows);
  }

  announce(text: string): void {
    announceIn(this.#status, text);
  }

  /** Keys without modifiers belong to the panel: shortcuts of the page must not receive them. */
  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) {
      event.preventDefault();
      event.stopPropagation();
      this.dialog.close();
    } else if (!event.metaKey && !event.ctrlKey) event.stopPropagation();
  }

  #changeWidth(): void {
    if (!this.dialog.open) return;
    // A dialog must be reopened to become modal, or to stop being modal.
    const focused = (this.dialog.getRootNode() as ShadowRoot).activeElement;
    this.dialog.removeAttribute('open');
    if (this.#narrow.matches) this.dialog.showModal();
    else {
      this.dialog.showModal();
      this.dialog.close();
      this.dialog.show();
    }
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  #giveFocusBack(): void {
    if (this.#opener instanceof HTMLElement && this.#opener.isConnected)
      this.#opener.focus({ preventScroll: true });
    this.#opener = null;
  }
}

/** The style sheet of the panel, inserted by the theme build. */
declare const ASSISTANT_STYLES: string;

/**
 * Creates an element at the end of the document, isolated from the page, with the style sheet of
 * the panel.
 * @param tag name of the element
 */
export function shadowHost(tag: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(tag);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ASSISTANT_STYLES);
  root.adoptedStyleSheets = [sheet];
  document.body.append(host);
  return { host, root };
}
