import type { InputShape } from '../../../core/api-reference/playground/request-inputs.ts';
import type { PlaygroundMessages } from '../../translations/translations.ts';

/** What takes one value from the reader. */
export interface Control {
  element: HTMLElement;
  /** What is filled in, as JSON or a file; undefined where nothing is. */
  read(): unknown;
  /** Shows a value; undefined empties. */
  write(value: unknown): void;
  /** Marks what is wrong and gives the first place of it. */
  check(): HTMLElement | undefined;
  /** Whether it holds only what it began with: nothing, a default, the only value that is allowed. Absent: empty means untouched. */
  isUntouched?(): boolean;
}

/** Whether the reader has chosen nothing in it. */
export function isUntouched(control: Control): boolean {
  return control.isUntouched?.() ?? control.read() === undefined;
}

/** What a control is for. */
export interface ControlPlace {
  name: string;
  isRequired: boolean;
  /** An item of a list, which is there because the reader has added it. */
  isItem?: boolean;
  /** The heading above says what it is. */
  isNamed?: boolean;
  /** The beginning of the ids that the reference has for its fields: `body-address`. */
  path: string;
}

/** Makes the control of a shape. Passed on by controls that hold others. */
export type MakeControl = (shape: InputShape, place: ControlPlace) => Control;

/** What all controls of a form share. */
export interface FormFrame {
  texts: PlaygroundMessages;
  /** Whether groups are open at first. */
  isExpanded: boolean;
  /** Whether the site's server makes the calls to the servers of the description. */
  isProxied: boolean;
}

let lastId = 0;

/** An id that nothing else in the document has. */
export function nextId(): string {
  lastId += 1;
  return `docent-playground-${lastId}`;
}

/** Says that something has changed without the reader's typing. */
export function tellChange(element: HTMLElement): void {
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
