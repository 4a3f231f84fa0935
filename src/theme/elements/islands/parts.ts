import { type ComponentChildren, createContext, createElement, Fragment, type VNode } from 'preact';
import { createPortal } from 'preact/compat';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The markup of built-in components inside an island, as rendered by the build, by name and props. */
export class Parts {
  readonly #markup = new Map<string, string>();

  constructor(island: HTMLElement) {
    for (const part of island.querySelectorAll<HTMLElement>('docent-part[data-part]')) {
      const copy = part.cloneNode(true) as HTMLElement;
      // Content that the component shows inside is not part of it.
      for (const slot of copy.querySelectorAll('docent-slot[data-content]')) slot.replaceChildren();
      this.#markup.set(part.dataset.part ?? '', copy.innerHTML);
    }
  }

  find(key: string): string | undefined {
    return this.#markup.get(key);
  }
}

export const PartsContext = createContext<Parts | undefined>(undefined);

type Props = Record<string, unknown> & { children?: ComponentChildren };

/** A built-in component, which only the build can render, as a component for the author's code. */
export function partComponent(name: string): (props: Props) => ComponentChildren {
  function Component({ children, ...props }: Props): ComponentChildren {
    const key = keyOf(name, props);
    const markup = useContext(PartsContext)?.find(key);
    return createElement(Part, { key, name: key, markup, title: textOf(props.title ?? props.icon) }, children);
  }
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The sandbox computes the same key for the same call. */
function keyOf(name: string, props: Record<string, unknown>): string {
  return `${name} ${JSON.stringify(props, (_, value: unknown) => (isVirtual(value) ? null : value)) ?? ''}`;
}

function isVirtual(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'constructor' in value && value.constructor === undefined;
}

interface PartProps {
  name: string;
  markup: string | undefined;
  title: string;
  children?: ComponentChildren;
}

function Part({ name, markup, title, children }: PartProps): ComponentChildren {
  const place = useRef<HTMLElement>(null);
  const [slot, setSlot] = useState<Element | null>(null);
  useLayoutEffect(() => {
    const found = place.current?.querySelector('docent-slot[data-content]') ?? null;
    // The component renders the build's content again, with its handlers.
    found?.replaceChildren();
    setSlot(found);
  }, [markup]);
  // First rendered in the browser, which cannot render it: its text is shown.
  if (markup === undefined) return createElement('div', null, title, children);
  const inner = slot ? createPortal(children as VNode, slot) : null;
  const drawn = createElement('docent-part', { 'data-part': name, ref: place, dangerouslySetInnerHTML: { __html: markup } });
  return createElement(Fragment, null, drawn, inner);
}
