import {
  Component,
  type ComponentChildren,
  createContext,
  createElement,
  Fragment,
  isValidElement,
  type VNode,
} from 'preact';
import { createPortal } from 'preact/compat';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { firstInBrowser, lateIcons, type PartProps } from './first-in-browser.ts';

/** What the build rendered for one call of a built-in component. */
interface Rendered {
  markup: string;
  /** Whether the content is part of the markup, not of a slot. */
  isWhole: boolean;
  /** Of a whole component that is in use: its content in the author's code. */
  content?: string;
}

/**
 * The markup of built-in components inside an island, as rendered by the build, by name and props.
 */
export class Parts {
  readonly #rendered = new Map<string, Rendered[]>();

  constructor(island: HTMLElement) {
    for (const icon of island.querySelectorAll<HTMLElement>('docent-part[data-icon]')) {
      lateIcons.set(icon.dataset.icon ?? '', icon.innerHTML);
      icon.remove();
    }
    for (const part of island.querySelectorAll<HTMLElement>('docent-part[data-part]')) {
      const copy = part.cloneNode(true) as HTMLElement;
      // Content that the component shows inside is not part of it.
      const slots = [...copy.querySelectorAll('docent-slot[data-content]')];
      for (const slot of slots) slot.replaceChildren();
      const key = part.dataset.part ?? '';
      const all = this.#rendered.get(key) ?? [];
      this.#rendered.set(key, [...all, { markup: copy.innerHTML, isWhole: slots.length === 0 }]);
    }
  }

  /**
   * Returns what the build rendered for a call that starts to be shown. Calls with the same name
   * and props are taken in the order of the page, later by their content.
   */
  take(key: string, children: ComponentChildren): Rendered | undefined {
    const all = this.#rendered.get(key) ?? [];
    if (all.every(({ isWhole }) => !isWhole)) return all[0];
    const content = contentOf(children);
    const part =
      all.find((candidate) => candidate.content === undefined) ??
      all.find((candidate) => candidate.content === content);
    if (part) part.content = content;
    return part;
  }
}

/** Identifies the content of a component: its elements, props and text. */
function contentOf(children: ComponentChildren): string {
  const seen = (_: string, value: unknown): unknown => {
    if (!isValidElement(value)) return value;
    const { type, props } = value;
    return [typeof type === 'function' ? type.name : type, props];
  };
  try {
    return JSON.stringify(children, seen) ?? '';
  } catch {
    return '';
  }
}

export const PartsContext = createContext<Parts | undefined>(undefined);

/** A built-in component, which only the build can render, as a component for the author's code. */
export function partComponent(name: string): (props: PartProps) => ComponentChildren {
  const component = partComponents.get(name) ?? makePartComponent(name);
  partComponents.set(name, component);
  return component;
}

const partComponents = new Map<string, (props: PartProps) => ComponentChildren>();

function makePartComponent(name: string): (props: PartProps) => ComponentChildren {
  function Component({ children, ...props }: PartProps): ComponentChildren {
    // A tag of the page is shown as the page has it.
    if (props.slotContents) return createElement(Slot, props as unknown as SlotProps);
    const key = keyOf(name, props);
    return createElement(Part, { key, id: key, name, given: props }, children);
  }
  Object.defineProperties(Component, { name: { value: name }, displayName: { value: name } });
  return new Proxy(Component, {
    // `Tree.File` is a component too.
    get: (target, member) =>
      typeof member === 'string' && /^[A-Z]/.test(member)
        ? partComponent(`${name}.${member}`)
        : Reflect.get(target, member),
    // `new Image()` means the browser's constructor, although there is a component of that name.
    construct(_, args) {
      const native = (globalThis as unknown as Record<string, unknown>)[name];
      if (typeof native !== 'function') throw new TypeError(`${name} is not a constructor`);
      return Reflect.construct(native, args) as object;
    },
  });
}

/** The sandbox computes the same key for the same call. */
function keyOf(name: string, props: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(props, (_, value: unknown) => (isValidElement(value) ? null : value)) ?? ''}`;
}

interface Call {
  id: string;
  name: string;
  given: PartProps;
  children?: ComponentChildren;
}

function Part({ id, name, given, children }: Call): ComponentChildren {
  const parts = useContext(PartsContext);
  const [rendered] = useState(() => parts?.take(id, children));
  const markup = rendered?.markup;
  const place = useRef<HTMLElement>(null);
  const [slot, setSlot] = useState<Element | null>(null);
  useLayoutEffect(() => {
    const slotElement = place.current?.querySelector('docent-slot[data-content]') ?? null;
    // The component renders the build's content again, with its handlers.
    slotElement?.replaceChildren();
    setSlot(slotElement);
  }, [markup]);
  // What is rendered as a whole cannot change; other content is better shown plainly than not at
  // all.
  const isOutdated = rendered?.isWhole === true && rendered.content !== contentOf(children);
  if (markup === undefined || isOutdated) return firstInBrowser(name, given, children);
  const inner = slot ? createPortal(children as VNode, slot) : null;
  const drawn = createElement('docent-part', {
    'data-part': id,
    ref: place,
    dangerouslySetInnerHTML: { __html: markup },
  });
  return createElement(Fragment, null, drawn, inner);
}

/** The nodes of the page that an island shows, by slot number. They are moved, never recreated. */
export type SlotContents = Map<number, ChildNode[]>;

/** Names that the props of the content itself, which code may read here, do not use. */
interface SlotProps {
  slotNumber: number;
  slotContents: SlotContents;
}

const CONSTANT = { __html: '' };

/** The React context around each slot, which components in its content see. */
export const slotContexts = new WeakMap<Element, object>();

/** Gives the components inside a context from elsewhere. */
export class ContextBridge extends Component<{ given: object; children?: ComponentChildren }> {
  override getChildContext(): object {
    return this.props.given;
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

/** Takes the nodes of the slots out of an island's markup; those already in use stay. */
export function takeContents(island: HTMLElement): SlotContents {
  const contents: SlotContents = new Map();
  for (const slot of island.querySelectorAll<HTMLElement>('docent-slot[data-slot]')) {
    // A slot of a nested island belongs to that island.
    if (slot.parentElement?.closest('docent-island') !== island) continue;
    const number = Number(slot.dataset.slot);
    if (slot.childNodes.length > 0 && !contents.has(number))
      contents.set(number, [...slot.childNodes]);
    if (slot.hidden) slot.remove();
  }
  return contents;
}

/**
 * Shows content of the page inside a component. Its nodes keep their state when they are hidden and
 * shown again.
 */
export class Slot extends Component<SlotProps> {
  /**
   * Code that shows one piece of content in place of another updates this one, as pieces of content
   * have no keys.
   */
  override shouldComponentUpdate(next: SlotProps): boolean {
    return next.slotNumber !== this.props.slotNumber;
  }

  override render({ slotNumber: number, slotContents: contents }: SlotProps): ComponentChildren {
    const fill = (slot: HTMLElement | null): void => {
      if (slot) slotContexts.set(slot, this.context);
      const nodes = contents.get(number);
      if (!slot || !nodes || slot.childNodes.length > 0) return;
      // If shown in two places at once, the second one shows a copy.
      const isTaken = nodes.some((node) => node.isConnected);
      slot.append(...(isTaken ? nodes.map((node) => node.cloneNode(true)) : nodes));
    };
    return createElement('docent-slot', {
      key: number,
      'data-slot': number,
      dangerouslySetInnerHTML: CONSTANT,
      ref: fill,
    });
  }
}
