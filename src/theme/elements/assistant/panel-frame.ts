import type { AssistantMessages } from '../../translations/translations.ts';
import { make, sign, signButton } from './dom.ts';

/** Narrower than this, the panel is the whole screen and the page behind it takes no part. */
const NARROW = '(width < 48rem)';

export interface FrameHooks {
  restart: () => void;
  history: () => void;
  /** After the panel has gone, by whatever way. */
  closed: () => void;
}

/** The panel's window: a bar, a region that scrolls, a foot; beside the page where there is room, over it where there is none. */
export class PanelFrame {
  readonly dialog = make('dialog', 'panel');
  readonly body = make('div', 'body');
  readonly foot = make('div', 'foot');
  /** Says to assistive technology what happens. */
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
      this.#giveFocusBack();
      hooks.closed();
    });
    this.dialog.addEventListener('keydown', (event) => this.#onKey(event));
    this.#narrow.addEventListener('change', () => this.#changeWidth());
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  /** Whether the panel hides the page. */
  get coversPage(): boolean {
    return this.#narrow.matches;
  }

  open(): void {
    if (this.dialog.open) return;
    this.#opener = document.activeElement;
    if (this.#narrow.matches) this.dialog.showModal();
    else this.dialog.show();
  }

  close(): void {
    this.dialog.close();
  }

  /** Marks that the body shows the earlier conversations. */
  set showsHistory(shows: boolean) {
    this.#history.setAttribute('aria-pressed', String(shows));
  }

  say(text: string): void {
    this.#status.textContent = '';
    // A region that was just emptied is only read out when its text changes later.
    setTimeout(() => {
      this.#status.textContent = text;
    }, 50);
  }

  /** Plain keys are for the panel: shortcuts of the page around it must not get them. */
  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) {
      event.preventDefault();
      event.stopPropagation();
      this.dialog.close();
    } else if (!event.metaKey && !event.ctrlKey) event.stopPropagation();
  }

  #changeWidth(): void {
    if (!this.dialog.open) return;
    // Only a dialog that is opened anew can become modal, or cease to be.
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
    if (this.#opener instanceof HTMLElement && this.#opener.isConnected) this.#opener.focus({ preventScroll: true });
    this.#opener = null;
  }
}
