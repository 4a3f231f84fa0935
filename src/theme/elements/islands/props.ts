import { type ComponentChildren, type ComponentType, createElement, Fragment } from 'preact';
import { partComponent } from './parts.ts';
import { Slot, type SlotContents } from './slot.ts';

/** A value of the props that JSON cannot express: content of the page, as a slot or described, or a special number. */
interface Mark {
  $docent: unknown;
  t?: string | number;
  p?: Record<string, unknown>;
  c?: unknown[];
}

/** Components that code calls in the content of another, with their props that are code. */
export type CalledTypes = readonly (readonly [type: ComponentType<Record<string, unknown>>, live: object])[];

/** Returns the props that the build serialized; content of the page becomes slots. */
export function readProps(json: string, contents: SlotContents, types: CalledTypes): Record<string, unknown> {
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
      return createElement(type as ComponentType<object>, { ...readAll(p ?? {}), ...live }, ...children);
    }
    if (mark === 'element') return createElement(String(t), p ?? null, ...children);
    return mark === 'undefined' ? undefined : Number(mark);
  };
  return readAll(JSON.parse(json) as object);
}
