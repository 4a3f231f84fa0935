import { copyFrom } from './copy-button.ts';

/** A palette: clicking a color copies its value. */
export class DocentColor extends HTMLElement {
  #listening = false;

  connectedCallback(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.addEventListener('click', (event) => {
      const button = (event.target as Element).closest<HTMLElement>('[data-copy]');
      if (button) void copyFrom(button, button.dataset.copy ?? '');
    });
  }
}
