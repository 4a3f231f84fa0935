import { plainText } from '@docent/format/api-reference/playground/serialize-parameter.ts';
import type { InputShape } from '@docent/format/api-reference/request-inputs.ts';
import { make } from '../../dom.ts';
import type { Control, ControlPlace, FormFrame } from './control.ts';
import { fieldFrame } from './control.ts';

/** A text input without browser autofill and corrections. */
export function textInput(type: 'text' | 'password' = 'text'): HTMLInputElement {
  const input = make('input', 'd-pg-input');
  Object.assign(input, { type, autocomplete: 'off', spellcheck: false, autocapitalize: 'off' });
  return input;
}

export function textArea(rows: number): HTMLTextAreaElement {
  const area = make('textarea', 'd-pg-input d-pg-area');
  Object.assign(area, { rows, autocomplete: 'off', spellcheck: false, autocapitalize: 'off' });
  return area;
}

/** A select; its first entry is empty if `isOpen`. */
export function selectOf(labels: readonly string[], isOpen = false): HTMLSelectElement {
  const select = make('select', 'd-pg-input d-pg-select');
  const options = labels.map((label, index) => new Option(label, String(index)));
  select.append(...(isOpen ? [new Option('—', '')] : []), ...options);
  return select;
}

/** How a field writes values as text and reads them; by default, the value is the text. */
interface Syntax {
  /** @param indent spaces of nested lines; 0 for one line */
  print?: (value: unknown, indent: number) => string;
  parse?: (text: string) => unknown;
  /** The error of text that is not blank, if it has one. */
  fault?: (text: string) => string | undefined;
}

/** A field in which the reader types the value. */
function typedControl(
  frame: FormFrame,
  shape: InputShape,
  place: ControlPlace,
  input: HTMLInputElement | HTMLTextAreaElement,
  { print = plainText, parse = String, fault = () => undefined }: Syntax = {},
): Control {
  if (shape.example !== undefined) input.placeholder = print(shape.example, 0);
  const field = fieldFrame(frame, shape, place, input);
  return {
    element: field.element,
    read: () => (input.value === '' ? undefined : parse(input.value)),
    write: (value) => {
      input.value = value === undefined ? '' : print(value, 2);
    },
    check: () => {
      const wrong = input.value.trim() === '' ? undefined : fault(input.value);
      field.fault(wrong);
      return wrong === undefined ? undefined : input;
    },
  };
}

export function textControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  return typedControl(frame, shape, place, shape.isLong ? textArea(4) : textInput());
}

export function numberControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const input = textInput();
  input.inputMode = shape.kind === 'integer' ? 'numeric' : 'decimal';
  return typedControl(frame, shape, place, input, {
    parse: (text) =>
      text.trim() === '' ? undefined : isNumber(text.trim()) ? Number(text) : text.trim(),
    fault: (text) => (isNumber(text.trim()) ? undefined : frame.texts.invalidNumber),
  });
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
}

/** One of several values: an enum, a boolean, or the only allowed value. */
export function choiceControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const isConstant = shape.constant !== undefined;
  const values = isConstant
    ? [shape.constant]
    : shape.kind === 'boolean'
      ? [true, false]
      : (shape.values ?? []);
  const isPreset = isConstant && place.isRequired;
  const select = selectOf(values.map(plainText), !isPreset);
  const field = fieldFrame(frame, shape, place, select);
  const indexOf = (value: unknown): number =>
    values.findIndex((candidate) => plainText(candidate) === plainText(value));
  return {
    element: field.element,
    ...(isPreset && { isUntouched: () => true }),
    read: () => (select.value === '' ? undefined : values[Number(select.value)]),
    write: (value) => {
      const index = value === undefined ? -1 : indexOf(value);
      select.value = index >= 0 ? String(index) : isPreset ? '0' : '';
    },
    check: () => {
      field.fault(undefined);
      return undefined;
    },
  };
}

export function fileControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const input = make('input', 'd-pg-input d-pg-file');
  input.type = 'file';
  const field = fieldFrame(frame, shape, place, input);
  return {
    element: field.element,
    read: () => input.files?.[0],
    // A script cannot select a file for the reader, only clear the selection.
    write: (value) => {
      if (value === undefined) input.value = '';
    },
    check: () => {
      field.fault(undefined);
      return undefined;
    },
  };
}

/** A value entered as JSON. */
export function jsonControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const area = textArea(3);
  area.classList.add('d-pg-json-area');
  return typedControl(frame, { ...shape, type: shape.type ?? 'JSON' }, place, area, {
    print: (value, indent) => JSON.stringify(value, null, indent),
    parse: parsed,
    fault: (text) => (isJson(text) ? undefined : frame.texts.invalidJson),
  });
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value; the text itself if it is not JSON. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  return isJson(text) ? (JSON.parse(text) as unknown) : text;
}
