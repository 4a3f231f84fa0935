import { type ComponentChildren, createContext, createElement, Fragment, isValidElement, type VNode } from 'preact';
import { createPortal } from 'preact/compat';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { firstInBrowser, lateIcons, type PartProps } from './first-in-browser.ts';
import { Slot, type SlotProps } from './slot.ts';

/** What the build rendered for one call of a built-in component. */
interface Rendered {
  markup: string;
  /** Whether the content is part of the markup, not of a slot. */
  isWhole: boolean;
  /** Of a whole component that is in use: its content in the author's code. */
  content?: string;
}

/** The markup of built-in components inside an island, as rendered by the build, by name and props. */
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
   * Returns what the build rendered for a call that starts to be shown. Calls with the same name and props are taken in the order of the page,
   * later by their content.
   */
  take(key: string, children: ComponentChildren): Rendered | undefined {
    const all = this.#rendered.get(key) ?? [];
    if (all.every(({ isWhole }) => !isWhole)) return all[0];
    const content = contentOf(children);
    const found = all.find((one) => one.content === undefined) ?? all.find((one) => one.content === content);
    if (found) found.content = content;
    return found;
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
  const made = partComponents.get(name) ?? makePartComponent(name);
  partComponents.set(name, made);
  return made;
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
      typeof member === 'string' && /^[A-Z]/.test(member) ? partComponent(`${name}.${member}`) : Reflect.get(target, member),
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
    const found = place.current?.querySelector('docent-slot[data-content]') ?? null;
    // The component renders the build's content again, with its handlers.
    found?.replaceChildren();
    setSlot(found);
  }, [markup]);
  // What is rendered as a whole cannot change; other content is better shown plainly than not at all.
  const isOutdated = rendered?.isWhole === true && rendered.content !== contentOf(children);
  if (markup === undefined || isOutdated) return firstInBrowser(name, given, children);
  const inner = slot ? createPortal(children as VNode, slot) : null;
  const drawn = createElement('docent-part', { 'data-part': id, ref: place, dangerouslySetInnerHTML: { __html: markup } });
  return createElement(Fragment, null, drawn, inner);
}
