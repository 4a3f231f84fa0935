import { type ComponentType, createElement, hydrate, render } from 'preact';
import { Boundary } from './boundary.ts';
import { Parts, PartsContext } from './parts.ts';
import { type CalledTypes, readProps } from './props.ts';
import { ContextBridge, slotContexts, takeContents } from './slot.ts';
import { takeWrittenValues } from './written-values.ts';

const components = new Map<string, ComponentType<Record<string, unknown>>>();

/** Registers the components of a script, and starts the islands that wait for them. */
export function registerComponents(hash: string, made: Record<string, unknown>): void {
  for (const [name, component] of Object.entries(made)) {
    if (typeof component === 'function') components.set(`${hash}:${name}`, component as ComponentType<Record<string, unknown>>);
  }
  for (const island of document.querySelectorAll<DocentIsland>(`docent-island[data-island^="${hash}:"]`)) island.start();
}

/** A component of the author, hydrated from the HTML of the build. */
export class DocentIsland extends HTMLElement {
  #isRunning = false;

  connectedCallback(): void {
    this.start();
  }

  disconnectedCallback(): void {
    // Content of the page moves within a component; only what was removed permanently is unmounted.
    queueMicrotask(() => {
      if (this.isConnected || !this.#isRunning) return;
      this.#isRunning = false;
      render(null, this);
    });
  }

  /** Runs the component once its script has loaded. */
  start(): void {
    const component = components.get(this.dataset.island ?? '');
    if (this.#isRunning || !component || !this.isConnected) return;
    if (this.dataset.asks === undefined) this.#run(component);
    else this.#offer(component);
  }

  /** A component that did not finish at build time could freeze the page, so it waits for the reader. */
  #offer(component: ComponentType<Record<string, unknown>>): void {
    const place = this.querySelector('.d-placeholder');
    if (!place || place.querySelector('button')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'd-button';
    button.textContent = `▶ ${this.dataset.name ?? ''}`;
    button.addEventListener('click', () => this.#run(component), { once: true });
    place.replaceChildren(button);
  }

  #run(component: ComponentType<Record<string, unknown>>): void {
    this.#isRunning = true;
    const before = this.cloneNode(true);
    const fail = (error: unknown): void => {
      if (!this.#isRunning) return;
      this.#isRunning = false;
      render(null, this);
      this.replaceChildren(...before.childNodes);
      console.warn(`The component <${this.dataset.name ?? ''}> of this page has failed:`, error);
    };
    try {
      const written = takeWrittenValues(this);
      const contents = takeContents(this);
      const parts = new Parts(this);
      const { docentTypes } = component as { docentTypes?: () => CalledTypes };
      const props = readProps(this.dataset.props ?? '{}', contents, docentTypes?.() ?? []);
      const content = createElement(PartsContext.Provider, { value: parts }, createElement(component, props));
      const slot = this.parentElement?.closest('docent-slot[data-slot]');
      const given = (slot && slotContexts.get(slot)) ?? {};
      const tree = createElement(Boundary, { onError: fail }, createElement(ContextBridge, { given }, content));
      if (this.dataset.rendered === undefined) {
        this.replaceChildren();
        render(tree, this);
      } else {
        hydrate(tree, this);
        written.releaseJob();
      }
    } catch (error) {
      fail(error);
    }
  }
}
