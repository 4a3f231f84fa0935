import { Component, type ComponentChildren, createElement } from 'preact';

/** The nodes of the page that an island shows, by slot number. They are moved, never recreated. */
export type SlotContents = Map<number, ChildNode[]>;

/** Names that the props of the content itself, which code may read here, do not use. */
export interface SlotProps {
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
    if (slot.childNodes.length > 0 && !contents.has(number)) contents.set(number, [...slot.childNodes]);
    if (slot.hidden) slot.remove();
  }
  return contents;
}

/** Shows content of the page inside a component. Its nodes keep their state when they are hidden and shown again. */
export class Slot extends Component<SlotProps> {
  /** Code that shows one piece of content in place of another updates this one, as pieces of content have no keys. */
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
    return createElement('docent-slot', { key: number, 'data-slot': number, dangerouslySetInnerHTML: CONSTANT, ref: fill });
  }
}
