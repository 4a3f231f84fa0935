import { type ComponentChildren, createElement } from 'preact';
import { Slot, type SlotContents } from './slot.ts';

/** A value of the props that JSON cannot express: content of the page, as a slot or described, or a special number. */
interface Mark {
  $docent: unknown;
  t?: string;
  p?: Record<string, unknown>;
  c?: unknown[];
}

/** Returns the props that the build serialized; content of the page becomes slots. */
export function readProps(json: string, contents: SlotContents): Record<string, unknown> {
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (value === null || typeof value !== 'object') return value;
    if (Object.hasOwn(value, '$docent')) return readMark(value as Mark);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item)]));
  };
  const readMark = ({ $docent: mark, t = '', p, c = [] }: Mark): ComponentChildren => {
    const children = c.map(read) as ComponentChildren[];
    if (typeof mark === 'number') return createElement(Slot, { ...p, slotNumber: mark, slotContents: contents }, ...children);
    if (mark === 'element') return createElement(t, p ?? null, ...children);
    return mark === 'undefined' ? undefined : Number(mark);
  };
  return read(JSON.parse(json)) as Record<string, unknown>;
}
