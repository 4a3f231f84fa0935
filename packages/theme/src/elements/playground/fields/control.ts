import type { InputShape } from '@docent/format/api-reference/request-inputs.ts';
import type { PlaygroundMessages } from '../../../translations/translations.ts';
import { make } from '../../dom.ts';

/** An input for one value. */
export interface Control {
  element: HTMLElement;
  /** Returns the input, as JSON or a file; undefined if it is empty. */
  read(): unknown;
  /** Shows a value; undefined clears it. */
  write(value: unknown): void;
  /** Marks invalid input and returns its first element. */
  check(): HTMLElement | undefined;
  /**
   * Marks each required value that is missing in what `read` returns, and returns the first one's
   * input. Absent: none can be.
   */
  missing?(): HTMLElement | undefined;
  /**
   * Whether it contains only its initial value: nothing, a default, the only allowed value. Absent:
   * empty means untouched.
   */
  isUntouched?(): boolean;
}

/** Returns whether the reader has entered nothing. */
export function isUntouched(control: Control): boolean {
  return control.isUntouched?.() ?? control.read() === undefined;
}

/** The context of a control. */
export interface ControlPlace {
  name: string;
  isRequired: boolean;
  /** An item of a list, present because the reader added it. */
  isItem?: boolean;
  /** The heading above already names it. */
  isNamed?: boolean;
  /** Prefix of the ids of the fields in the reference: `body-address`. */
  path: string;
}

/** State shared by all controls of a form. */
export interface FormFrame {
  texts: PlaygroundMessages;
  /** Whether groups are expanded initially. */
  isExpanded: boolean;
  /** Whether the site's server makes the calls to the servers of the description. */
  isProxied: boolean;
}

let lastId = 0;

/** Returns an id that is unique in the document. */
export function nextId(): string {
  lastId += 1;
  return `docent-playground-${lastId}`;
}

/** Reports a change that was not typed by the reader. */
export function emitChange(element: HTMLElement): void {
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

/** A labeled field with a line for its error. */
interface FieldFrame {
  element: HTMLElement;
  /** Marks the input as invalid, or as valid again. */
  fault(text: string | undefined): void;
}

const MAX_HINT_CHARACTERS = 160;

/** Name, type and whether it must be filled in. */
export function labelParts(
  { texts }: FormFrame,
  shape: Pick<InputShape, 'type'>,
  place: ControlPlace,
): (Node | string)[] {
  const parts: (Node | string)[] = [make('code', 'd-pg-name', place.name)];
  // The spaces are for screen readers.
  if (shape.type) parts.push(' ', make('span', 'd-pg-type', shape.type));
  if (place.isRequired && !place.isItem)
    parts.push(' ', make('span', 'd-pg-required', texts.required));
  return parts;
}

/**
 * Returns the beginning of a field's description in the reference, which is already in the page.
 */
export function hintOf(path: string): string | undefined {
  const field = document.getElementById(path);
  const text = field
    ?.querySelector(':scope > .d-prop-body > :not(.d-prop-values, .d-prop-facts, details)')
    ?.textContent?.trim();
  if (!text) return undefined;
  return text.length > MAX_HINT_CHARACTERS ? `${text.slice(0, MAX_HINT_CHARACTERS)}…` : text;
}

/** Adds label, hint and error around an input. */
export function fieldFrame(
  frame: FormFrame,
  shape: Pick<InputShape, 'type'>,
  place: ControlPlace,
  input: HTMLElement,
  around: HTMLElement = input,
): FieldFrame {
  input.id = nextId();
  const label = make(
    'label',
    place.isNamed ? 'd-vh' : 'd-pg-label',
    ...labelParts(frame, shape, place),
  );
  label.htmlFor = input.id;
  const element = make('div', 'd-pg-entry', label, around);
  const hint = hintOf(place.path);
  if (hint !== undefined) element.append(make('p', 'd-pg-hint', hint));
  const wrong = make('p', 'd-pg-fault');
  wrong.hidden = true;
  element.append(wrong);
  // Without an error, its line is empty and describes nothing.
  const describing = [...element.querySelectorAll(':scope > :is(.d-pg-hint, .d-pg-fault)')];
  for (const line of describing) line.id = nextId();
  input.setAttribute('aria-describedby', describing.map(({ id }) => id).join(' '));
  return { element, fault: (text) => showFault(input, wrong, text) };
}

function showFault(input: HTMLElement, line: HTMLElement, text: string | undefined): void {
  line.textContent = text ?? '';
  line.hidden = text === undefined;
  if (text === undefined) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/** Marks the first input inside as required. @returns that input */
export function markMissing(element: HTMLElement, text: string): HTMLElement | undefined {
  const input = element.querySelector<HTMLElement>('input, select, textarea, button') ?? undefined;
  const fault = element.querySelector<HTMLElement>('.d-pg-fault');
  if (input && fault) {
    showFault(input, fault, text);
    if (!input.hasAttribute('aria-describedby')) input.setAttribute('aria-describedby', fault.id);
  } else input?.setAttribute('aria-invalid', 'true');
  return input;
}

/** A part of the form with a heading. */
export function formSection(title: string, ...children: (Node | string)[]): HTMLElement {
  return make('section', 'd-pg-section', make('h3', 'd-pg-title', title), ...children);
}
