import type { InputShape } from '../../../../core/api-reference/playground/request-inputs.ts';
import type { PlaygroundMessages } from '../../../translations/translations.ts';

/** An input for one value. */
export interface Control {
  element: HTMLElement;
  /** Returns the input, as JSON or a file; undefined if it is empty. */
  read(): unknown;
  /** Shows a value; undefined clears it. */
  write(value: unknown): void;
  /** Marks invalid input and returns its first element. */
  check(): HTMLElement | undefined;
  /** Whether it contains only its initial value: nothing, a default, the only allowed value. Absent: empty means untouched. */
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

/** Creates the control of a shape. Passed to controls that contain others. */
export type MakeControl = (shape: InputShape, place: ControlPlace) => Control;

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
