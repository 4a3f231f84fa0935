const GAP_PX = 8;
const HIDE_DELAY_MS = 150;

let lastId = 0;

/**
 * Shows an explanation on hover and on focus. It is hoverable, persistent, and closes on Escape without moving the focus (WCAG
 * 2.2, 1.4.13). In the top layer, so that nothing clips it.
 */
export class DocentTooltip extends HTMLElement {
  #trigger: HTMLElement | null = null;
  #bubble: HTMLElement | null = null;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  readonly #place = (): void => this.#position();
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#hide();
  };

  connectedCallback(): void {
    if (this.#bubble) return;
    this.#trigger = this.querySelector('.d-tooltip-trigger');
    this.#bubble = this.querySelector('.d-tooltip-bubble');
    if (!this.#trigger || !this.#bubble || !('popover' in this.#bubble)) return;
    this.#bubble.popover = 'manual';
    this.#bubble.id = `d-tooltip-${++lastId}`;
    this.#trigger.setAttribute('aria-describedby', this.#bubble.id);
    this.addEventListener('pointerenter', () => this.#show());
    this.addEventListener('pointerleave', () => this.#hideSoon());
    this.addEventListener('focusin', () => this.#show());
    this.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) this.#hide();
    });
  }

  disconnectedCallback(): void {
    this.#stopWatching();
  }

  #show(): void {
    clearTimeout(this.#hiding);
    if (!this.#bubble || this.#bubble.matches(':popover-open')) return;
    this.#bubble.showPopover();
    this.#position();
    document.addEventListener('keydown', this.#onKey);
    addEventListener('scroll', this.#place, { capture: true, passive: true });
    addEventListener('resize', this.#place);
  }

  #hideSoon(): void {
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => {
      if (!this.contains(document.activeElement)) this.#hide();
    }, HIDE_DELAY_MS);
  }

  #hide(): void {
    clearTimeout(this.#hiding);
    this.#stopWatching();
    if (this.#bubble?.matches(':popover-open')) this.#bubble.hidePopover();
  }

  #stopWatching(): void {
    document.removeEventListener('keydown', this.#onKey);
    removeEventListener('scroll', this.#place, { capture: true });
    removeEventListener('resize', this.#place);
  }

  /** On the preferred side if there is room, otherwise on the other one; never outside the window. */
  #position(): void {
    if (!this.#trigger || !this.#bubble) return;
    const at = this.#trigger.getBoundingClientRect();
    const own = this.#bubble.getBoundingClientRect();
    const roomAbove = at.top - own.height - GAP_PX >= 0;
    const roomBelow = at.bottom + own.height + GAP_PX <= innerHeight;
    const side = this.dataset.side ?? 'top';
    let left = at.left + at.width / 2 - own.width / 2;
    let top =
      side === 'bottom'
        ? roomBelow || !roomAbove
          ? at.bottom + GAP_PX
          : at.top - own.height - GAP_PX
        : at.top - own.height - GAP_PX;
    if (side === 'top' && !roomAbove) top = at.bottom + GAP_PX;
    if (side === 'left' || side === 'right') {
      const beside = side === 'left' ? at.left - own.width - GAP_PX : at.right + GAP_PX;
      if (beside >= 0 && beside + own.width <= innerWidth) {
        left = beside;
        top = at.top + at.height / 2 - own.height / 2;
      }
    }
    this.#bubble.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - own.width - GAP_PX))}px`;
    this.#bubble.style.top = `${top}px`;
  }
}
