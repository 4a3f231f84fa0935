import {
  Component,
  type ComponentChildren,
  type ComponentType,
  createElement,
  Fragment,
  hydrate,
  render,
} from 'preact';
import { button } from '../dom.ts';
import {
  ContextBridge,
  Parts,
  PartsContext,
  partComponent,
  Slot,
  type SlotContents,
  slotContexts,
  takeContents,
} from './parts.ts';

const components = new Map<string, ComponentType<Record<string, unknown>>>();

/** Registers the components of a script, and starts the islands that wait for them. */
export function registerComponents(hash: string, componentsByName: Record<string, unknown>): void {
  for (const [name, component] of Object.entries(componentsByName)) {
    if (typeof component === 'function')
      components.set(`${hash}:${name}`, component as ComponentType<Record<string, unknown>>);
  }
  for (const island of document.querySelectorAll<DocentIsland>(
    `docent-island[data-island^="${hash}:"]`,
  ))
    island.start();
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

  /**
   * A component that did not finish at build time could freeze the page, so it waits for the
   * reader.
   */
  #offer(component: ComponentType<Record<string, unknown>>): void {
    const place = this.querySelector('.d-placeholder');
    if (!place || place.querySelector('button')) return;
    place.replaceChildren(
      button('d-btn', () => this.#run(component), `▶ ${this.dataset.name ?? ''}`),
    );
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
      const replay = takeWrittenValues(this);
      const contents = takeContents(this);
      const parts = new Parts(this);
      const { docentTypes } = component as { docentTypes?: () => CalledTypes };
      const props = readProps(this.dataset.props ?? '{}', contents, docentTypes?.() ?? []);
      const content = createElement(
        PartsContext.Provider,
        { value: parts },
        createElement(component, props),
      );
      const slot = this.parentElement?.closest('docent-slot[data-slot]');
      const slotContext = (slot && slotContexts.get(slot)) ?? {};
      const tree = createElement(
        Boundary,
        { onError: fail },
        createElement(ContextBridge, { given: slotContext }, content),
      );
      if (this.dataset.rendered === undefined) {
        this.replaceChildren();
        render(tree, this);
      } else {
        hydrate(tree, this);
        replay();
      }
    } catch (error) {
      fail(error);
    }
  }
}

interface BoundaryProps {
  onError: (error: unknown) => void;
  children?: ComponentChildren;
}

/** Isolates the page from errors of one component. */
class Boundary extends Component<BoundaryProps, { hasFailed?: boolean }> {
  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    // The tree is being updated now; the HTML from the build is restored afterwards.
    queueMicrotask(() => this.props.onError(error));
  }

  override render(
    { children }: BoundaryProps,
    { hasFailed }: { hasFailed?: boolean },
  ): ComponentChildren {
    return hasFailed ? null : children;
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Returns a function that replays to the component what readers entered into the build's HTML
 * before it was hydrated.
 */
function takeWrittenValues(place: Element): () => void {
  const fields = [...place.querySelectorAll<Field>('input:not([type=file]), textarea')].filter(
    isChanged,
  );
  const values = fields.map((field) => ({
    field,
    value: field.value,
    isTicked: isBox(field) && field.checked,
  }));
  return () => {
    for (const { field, value, isTicked } of values) {
      if (!field.isConnected) continue;
      if (isBox(field)) {
        // Checkbox components listen for clicks.
        if (field.checked !== isTicked) field.click();
        continue;
      }
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
}

function isBox(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
}

function isChanged(field: Field): boolean {
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/**
 * A value of the props that JSON cannot express: content of the page, as a slot or described, or a
 * special number.
 */
interface Mark {
  $docent: unknown;
  t?: string | number;
  p?: Record<string, unknown>;
  c?: unknown[];
}

/** Components that code calls in the content of another, with their props that are code. */
type CalledTypes = readonly (readonly [
  type: ComponentType<Record<string, unknown>>,
  live: object,
])[];

/** Returns the props that the build serialized; content of the page becomes slots. */
function readProps(
  json: string,
  contents: SlotContents,
  types: CalledTypes,
): Record<string, unknown> {
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (value === null || typeof value !== 'object') return value;
    if (Object.hasOwn(value, '$docent')) return readMark(value as Mark);
    return readAll(value);
  };
  const readAll = (value: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item)]));
  const readMark = ({ $docent: mark, t = '', p, c = [] }: Mark): ComponentChildren => {
    const children = c.map(read) as ComponentChildren[];
    if (typeof mark === 'number') {
      const slot = { ...p, slotNumber: mark, slotContents: contents };
      return typeof t === 'string' && t !== ''
        ? createElement(partComponent(t), slot, ...children)
        : createElement(Slot, slot, ...children);
    }
    if (mark === 'call') {
      const [type, live] = types[t as number] ?? [Fragment, {}];
      return createElement(
        type as ComponentType<object>,
        { ...readAll(p ?? {}), ...live },
        ...children,
      );
    }
    if (mark === 'element') return createElement(String(t), p ?? null, ...children);
    return mark === 'undefined' ? undefined : Number(mark);
  };
  return readAll(JSON.parse(json) as object);
}
