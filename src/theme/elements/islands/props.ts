import { type ComponentChildren, createElement } from 'preact';
import { Slot, type SlotContents } from './slot.ts';

/** Returns the props that the build serialized; content of the page becomes slots. */
export function readProps(json: string, contents: SlotContents): Record<string, unknown> {
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (value === null || typeof value !== 'object') return value;
    if (Object.hasOwn(value, '$docent')) return readMark((value as { $docent: unknown }).$docent);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item)]));
  };
  const readMark = (mark: unknown): ComponentChildren => {
    if (typeof mark === 'number') return createElement(Slot, { number: mark, contents });
    return mark === 'undefined' ? undefined : Number(mark);
  };
  return read(JSON.parse(json)) as Record<string, unknown>;
}
