/** The option that passes the query to the assistant comes after all hits. */
function isLast(option: Element): boolean {
  return option instanceof HTMLElement && option.dataset.ask !== undefined;
}

/**
 * Keyboard handling of a combobox with a list (ARIA Authoring Practices): the focus stays in the
 * input, `aria-activedescendant` names the selected option.
 */
export class OptionList {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #onSelect: (option: HTMLElement | undefined) => void;
  #selected = -1;

  /** @param onSelect called with the selected option whenever it changes, or with none */
  constructor(
    input: HTMLInputElement,
    list: HTMLElement,
    onSelect: (option: HTMLElement | undefined) => void,
  ) {
    this.#input = input;
    this.#list = list;
    this.#onSelect = onSelect;
    list.addEventListener('pointermove', (event) => {
      const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
      if (option) this.#select(this.#options().indexOf(option), false);
    });
  }

  #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role="option"]')];
  }

  #select(index: number, scroll: boolean): void {
    if (index === this.#selected) return;
    const options = this.#options();
    options[this.#selected]?.setAttribute('aria-selected', 'false');
    this.#selected = index;
    const option = options[index];
    if (!option) {
      this.#input.removeAttribute('aria-activedescendant');
      this.#onSelect(undefined);
      return;
    }
    option.setAttribute('aria-selected', 'true');
    this.#input.setAttribute('aria-activedescendant', option.id);
    this.#onSelect(option);
    if (scroll) option.scrollIntoView({ block: 'nearest' });
  }

  /** Replaces the options; selects the first one if `selectFirst` is set. */
  replace(children: Node[], selectFirst: boolean): void {
    this.#selected = -1;
    this.#list.replaceChildren(...children);
    this.#list.hidden = children.length === 0;
    this.#input.setAttribute('aria-expanded', String(children.length > 0));
    this.#input.removeAttribute('aria-activedescendant');
    if (selectFirst && children.length > 0) this.#select(0, false);
    else this.#onSelect(undefined);
  }

  /** Appends more options, but before the last one if that must stay last. */
  add(children: Node[]): void {
    const { selected } = this;
    const last = this.#list.lastElementChild;
    if (last && isLast(last)) last.before(...children);
    else this.#list.append(...children);
    this.#selected = selected ? this.#options().indexOf(selected) : -1;
  }

  /** Whether a step wraps around, or reaches the option that must stay last. */
  isAtEnd(step: number): boolean {
    const next = this.#options()[this.#selected + step];
    return next === undefined || isLast(next);
  }

  /** Moves the selection by one step, wrapping around. */
  move(step: number): void {
    const count = this.#options().length;
    if (count === 0) return;
    const start = this.#selected < 0 && step < 0 ? 0 : this.#selected;
    this.#select((start + step + count) % count, true);
  }

  get selected(): HTMLElement | undefined {
    return this.#options()[this.#selected];
  }
}
