import { anchorPart } from '@docent/format/anchors.ts';
import { plainText } from '@docent/format/api-reference/playground/serialize-parameter.ts';
import type { InputShape } from '@docent/format/api-reference/request-inputs.ts';
import { signButton } from '../../assistant/signs.ts';
import { button, make } from '../../dom.ts';
import {
  type Control,
  type ControlPlace,
  emitChange,
  type FormFrame,
  hintOf,
  isUntouched,
  labelParts,
  markMissing,
  nextId,
} from './control.ts';
import {
  choiceControl,
  fileControl,
  jsonControl,
  numberControl,
  selectOf,
  textControl,
  textInput,
} from './scalar-controls.ts';

/** Returns the first result. All are computed: every control marks its own faults. */
function firstOf(
  controls: Iterable<Control>,
  find: (control: Control) => HTMLElement | undefined,
): HTMLElement | undefined {
  return [...controls].map(find).find((fault) => fault !== undefined);
}

const firstFault = (controls: Iterable<Control>) => firstOf(controls, (control) => control.check());
const firstMissing = (controls: Iterable<Control>) =>
  firstOf(controls, (control) => control.missing?.());

/** Opens a group whose values would otherwise be sent unseen. */
function openIfFilled(element: HTMLElement, isFilled: boolean): void {
  if (isFilled && element instanceof HTMLDetailsElement) element.open = true;
}

/**
 * A named group. Optional parts are collapsed, unless they take no space; the outermost group has
 * no frame.
 */
function groupElement(
  frame: FormFrame,
  shape: Pick<InputShape, 'type'>,
  place: ControlPlace,
  inside: HTMLElement,
  isOpen = place.isRequired || frame.isExpanded,
): HTMLElement {
  if (place.name === '') return inside;
  const group = make(
    'details',
    'd-pg-nest',
    make('summary', 'd-pg-label', ...labelParts(frame, shape, place)),
  );
  const hint = hintOf(place.path);
  if (hint !== undefined) group.append(make('p', 'd-pg-hint', hint));
  group.append(inside);
  group.open = isOpen;
  // A collapsed group must not hide an error.
  group.addEventListener('focusin', (event) => {
    if (inside.contains(event.target as Node)) group.open = true;
  });
  inside.setAttribute('role', 'group');
  inside.setAttribute('aria-label', place.name);
  return group;
}

function objectControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const inputs = requiredFirst(shape.fields ?? []);
  const fields = new Map(
    inputs.map(({ name, required, shape: fieldShape }) => {
      const path = `${place.path}-${anchorPart(name)}`;
      return [
        name,
        makeControl(frame, fieldShape, { name, isRequired: required === true, path }),
      ] as const;
    }),
  );
  const required = new Set(inputs.filter((input) => input.required).map(({ name }) => name));
  /**
   * Values without a field of their own. If the schema has no place for them, they are shown when
   * there are some.
   */
  const rest = namedValues(frame, shape.rest ?? { kind: 'json' }, place.path);
  rest.element.hidden = !shape.rest;
  const inside = make(
    'div',
    'd-pg-entries',
    ...[...fields.values()].map((field) => field.element),
    rest.element,
  );
  const element = groupElement(frame, { type: shape.type ?? 'object' }, place, inside);
  const isChosen = (): boolean =>
    [...fields.values()].some((field) => !isUntouched(field)) || rest.read().length > 0;
  const read = (): object | undefined => {
    const filled = [...fields].filter(([, field]) => field.read() !== undefined);
    if (!isChosen() && (!place.isRequired || filled.length === 0)) return undefined;
    return Object.fromEntries([
      ...filled.map(([name, field]) => [name, field.read()] as const),
      ...rest.read(),
    ]);
  };
  return {
    element,
    read,
    write: (value) => {
      const entries = Object.entries(
        typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {},
      );
      const valuesByName = new Map(entries);
      for (const [name, field] of fields) field.write(valuesByName.get(name));
      const others = entries.filter(([name]) => !fields.has(name));
      rest.write(others);
      rest.element.hidden = !shape.rest && others.length === 0;
      openIfFilled(element, entries.length > 0);
    },
    check: () => firstFault([...fields.values(), ...rest.controls()]),
    missing: () => {
      if (!place.isRequired && read() === undefined) return undefined;
      const empty = [...fields].map(([name, field]) => {
        const inner =
          required.has(name) || field.read() !== undefined ? field.missing?.() : undefined;
        if (inner || !required.has(name) || field.read() !== undefined) return inner;
        return markMissing(field.element, frame.texts.missingValue);
      });
      return empty.find((input) => input !== undefined) ?? firstMissing(rest.controls());
    },
    isUntouched: () => !isChosen(),
  };
}

/** Required fields come first; otherwise the order of the description stays. */
export function requiredFirst<Input extends { required?: true }>(
  inputs: readonly Input[],
): Input[] {
  return [
    ...inputs.filter((input) => input.required),
    ...inputs.filter((input) => !input.required),
  ];
}

interface NamedValues {
  element: HTMLElement;
  read(): [string, unknown][];
  write(entries: readonly [string, unknown][]): void;
  controls(): Control[];
}

/** Properties whose names the reader chooses. */
function namedValues(frame: FormFrame, shape: InputShape, path: string): NamedValues {
  const {
    rows,
    list,
    add: addRow,
    clear,
  } = rowList<{ name: HTMLInputElement; control: Control }>(frame);
  const add = (key = '', value?: unknown): HTMLInputElement => {
    const name = textInput();
    name.value = key;
    name.placeholder = frame.texts.name;
    name.setAttribute('aria-label', frame.texts.name);
    const control = makeControl(frame, shape, {
      name: frame.texts.value,
      isRequired: true,
      isItem: true,
      path: `${path}-key`,
    });
    control.write(value);
    addRow({ name, control }, name, control.element).classList.add('d-pg-pair');
    return name;
  };
  const adding = addButton(frame.texts.addProperty, () => add().focus());
  return {
    element: make('div', 'd-pg-list', list, adding),
    read: () =>
      [...rows.values()].flatMap(({ name, control }): [string, unknown][] => {
        const value = control.read();
        return name.value === '' || value === undefined ? [] : [[name.value, value]];
      }),
    write: (entries) => {
      clear();
      for (const [key, value] of entries) add(key, value);
    },
    controls: () => [...rows.values()].map((row) => row.control),
  };
}

function addButton(text: string, onClick: () => void): HTMLButtonElement {
  return button('d-btn d-btn-small d-pg-add', onClick, `+ ${text}`);
}

/** Rows that the reader adds and removes, each with something to remember. */
function rowList<Kept>(frame: FormFrame) {
  const rows = new Map<HTMLElement, Kept>();
  const list = make('div', 'd-pg-rows');
  const remove = (row: HTMLElement): void => {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? list.parentElement;
    rows.delete(row);
    row.remove();
    emitChange(list);
    next?.querySelector<HTMLElement>('button, input')?.focus();
  };
  return {
    rows,
    list,
    add: (kept: Kept, ...children: HTMLElement[]): HTMLElement => {
      const row = make('div', 'd-pg-row', ...children);
      row.append(signButton('close', frame.texts.remove, () => remove(row), 'd-pg-remove'));
      rows.set(row, kept);
      list.append(row);
      return row;
    },
    clear: () => {
      rows.clear();
      list.replaceChildren();
    },
  };
}

function listControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const itemShape = shape.item ?? { kind: 'json' };
  const { rows, list, add: addRow, clear } = rowList<Control>(frame);
  const add = (value?: unknown): HTMLElement => {
    const control = makeControl(frame, itemShape, {
      name: `${rows.size + 1}`,
      isRequired: true,
      isItem: true,
      path: '',
    });
    control.write(value);
    return addRow(control, control.element);
  };
  const adding = addButton(frame.texts.addItem, () => {
    const row = add();
    emitChange(row);
    row.querySelector<HTMLElement>('input, select, textarea')?.focus();
  });
  const inside = make('div', 'd-pg-list', list, adding);
  const type = itemShape.type === undefined ? 'array' : `${itemShape.type}[]`;
  return {
    element: groupElement(frame, { type }, place, inside, true),
    read: () => {
      const values = [...rows.values()]
        .map((control) => control.read())
        .filter((value) => value !== undefined);
      return values.length > 0 ? values : undefined;
    },
    write: (value) => {
      clear();
      for (const item of Array.isArray(value) ? value : []) add(item);
    },
    check: () => firstFault(rows.values()),
    missing: () => firstMissing(rows.values()),
  };
}

/** Any number of some values. */
function checksControl(frame: FormFrame, values: readonly unknown[], place: ControlPlace): Control {
  const boxes = values.map((value) => {
    const box = make('input', 'd-pg-box');
    box.type = 'checkbox';
    return {
      box,
      value,
      label: make('label', 'd-pg-check', box, make('code', '', plainText(value))),
    };
  });
  const inside = make('div', 'd-pg-checks', ...boxes.map(({ label }) => label));
  return {
    element: groupElement(frame, { type: 'array' }, place, inside, true),
    read: () => {
      const chosen = boxes.filter(({ box }) => box.checked).map(({ value }) => value);
      return chosen.length > 0 ? chosen : undefined;
    },
    write: (value) => {
      const selectedTexts = new Set(
        (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(plainText),
      );
      for (const { box, value: boxValue } of boxes)
        box.checked = selectedTexts.has(plainText(boxValue));
    },
    check: () => undefined,
  };
}

/** One of several shapes (`oneOf`, `anyOf`). */
function variantsControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const variants = shape.variants ?? [];
  const controlsByIndex = new Map<number, Control>();
  const select = selectOf(variants.map((variant) => variant.label));
  select.id = nextId();
  select.setAttribute('aria-label', place.name || frame.texts.body);
  const holder = make('div', 'd-pg-entries');
  const current = (): Control => {
    const index = Number(select.value);
    const existingControl = controlsByIndex.get(index);
    if (existingControl) return existingControl;
    const variant = variants[index]?.shape ?? { kind: 'json' };
    // The group around all variants already has the name; a scalar needs a label of its own.
    const name =
      variant.kind === 'object' || variant.kind === 'variants'
        ? ''
        : place.name || frame.texts.value;
    const control = makeControl(frame, variant, { ...place, name });
    controlsByIndex.set(index, control);
    return control;
  };
  const show = (): void => holder.replaceChildren(current().element);
  select.addEventListener('change', show);
  show();
  const element = groupElement(frame, {}, place, make('div', 'd-pg-list', select, holder));
  return {
    element,
    read: () => current().read(),
    write: (value) => {
      if (value !== undefined) select.value = String(bestVariant(variants, value));
      show();
      current().write(value);
      openIfFilled(element, value !== undefined);
    },
    check: () => current().check(),
    missing: () => current().missing?.(),
    isUntouched: () => isUntouched(current()),
  };
}

/**
 * Returns the variant with most of the value's properties, and without a contradicting constant.
 */
function bestVariant(variants: NonNullable<InputShape['variants']>, value: unknown): number {
  const points = variants.map(({ shape }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return matchesKind(shape, value) ? 1 : 0;
    const valuesByName = new Map(Object.entries(value));
    let score = shape.kind === 'object' ? 1 : 0;
    for (const field of shape.fields ?? []) {
      if (!valuesByName.has(field.name)) continue;
      const { constant } = field.shape;
      if (constant !== undefined && constant !== valuesByName.get(field.name)) return -1;
      score += constant === undefined ? 1 : 10;
    }
    return score;
  });
  return points.indexOf(Math.max(...points));
}

function matchesKind(shape: InputShape, value: unknown): boolean {
  if (Array.isArray(value)) return shape.kind === 'list';
  if (typeof value === 'number') return shape.kind === 'number' || shape.kind === 'integer';
  if (typeof value === 'boolean') return shape.kind === 'boolean';
  return shape.kind === 'text' || shape.kind === 'choice';
}

/** Creates the control for values of a shape. Its initial value is the default of the shape. */
export function makeControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const control = emptyControl(frame, shape, place);
  if (shape.default === undefined || shape.constant !== undefined) return control;
  control.write(shape.default);
  const preset = JSON.stringify(control.read());
  return {
    ...control,
    isUntouched: () => [preset, undefined].includes(JSON.stringify(control.read())),
  };
}

function emptyControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  if (shape.constant !== undefined) return choiceControl(frame, shape, place);
  switch (shape.kind) {
    case 'object':
      return objectControl(frame, shape, place);
    case 'list':
      if (shape.item?.kind === 'choice' && shape.item.values)
        return checksControl(frame, shape.item.values, place);
      return listControl(frame, shape, place);
    case 'variants':
      return variantsControl(frame, shape, place);
    case 'integer':
    case 'number':
      return numberControl(frame, shape, place);
    case 'boolean':
    case 'choice':
      return choiceControl(frame, shape, place);
    case 'file':
      return fileControl(frame, shape, place);
    case 'json':
      return jsonControl(frame, shape, place);
    case 'text':
      return textControl(frame, shape, place);
  }
}
