/** What hands the query over to the assistant stands after all hits. */
function isLast(option: Element): boolean {
  return option instanceof HTMLElement && option.dataset.ask !== undefined;
}

/**
 * The keyboard side of a combobox with a list (WAI-ARIA practices): the focus stays in the input, the selected option is
 * named by `aria-activedescendant`.
 */
export class OptionList {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #onSelect: (option: HTMLElement | undefined) => void;
  #selected = -1;

  /** @param onSelect told of the selected option whenever it is another one, or none */
  constructor(input: HTMLInputElement, list: HTMLElement, onSelect: (option: HTMLElement | undefined) => void) {
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

  /** Shows other options; the first is selected where `selectFirst` says so. */
  replace(children: Node[], selectFirst: boolean): void {
    this.#selected = -1;
    this.#list.replaceChildren(...children);
    this.#list.hidden = children.length === 0;
    this.#input.setAttribute('aria-expanded', String(children.length > 0));
    this.#input.removeAttribute('aria-activedescendant');
    if (selectFirst && children.length > 0) this.#select(0, false);
    else this.#onSelect(undefined);
  }

  /** Shows more options after those that are there, but before the last where that has to stay the last. */
  add(children: Node[]): void {
    const { selected } = this;
    const last = this.#list.lastElementChild;
    if (last && isLast(last)) last.before(...children);
    else this.#list.append(...children);
    this.#selected = selected ? this.#options().indexOf(selected) : -1;
  }

  /** Whether a step leads around an end, or to what has to stay the last. */
  isAtEnd(step: number): boolean {
    const next = this.#options()[this.#selected + step];
    return next === undefined || isLast(next);
  }

  /** Moves the selection by one step, around the ends. */
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
