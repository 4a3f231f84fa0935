import { isFormType, isJsonType } from '@docent/format/api-reference/media-examples.ts';
import type { RequestValues } from '@docent/format/api-reference/playground/build-request.ts';
import type { BodyInput, RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import { button, make } from '../dom.ts';
import {
  type Control,
  emitChange,
  type FormFrame,
  fieldFrame,
  formSection,
  markMissing,
} from './fields/control.ts';
import { makeControl } from './fields/group-controls.ts';
import { isJson, selectOf, textArea } from './fields/scalar-controls.ts';

export interface BodySection {
  element: HTMLElement;
  /** Returns what the form shows: nothing that readers do not see is ever sent. */
  read(): RequestValues['body'];
  check(): HTMLElement | undefined;
  /** Returns the input, to be stored. */
  kept(): Map<string, unknown>;
  restore(kept: ReadonlyMap<string, unknown>): void;
  /** Shows the example of each content type. */
  prefill(): void;
  reset(): void;
}

/** The fields of one content type. */
interface BodyEditor {
  element: HTMLElement;
  read(): RequestValues['body'];
  write(value: unknown): void;
  check(): HTMLElement | undefined;
  /** Marks the fields where something required is missing, and returns the first. */
  missing(): HTMLElement | undefined;
  kept(): unknown;
}

/** The body of a request, in one of its content types. Undefined if there is none. */
export function bodySection(frame: FormFrame, inputs: RequestInputs): BodySection | undefined {
  const { texts } = frame;
  const { bodies } = inputs;
  if (bodies.length === 0) return undefined;
  const select = selectOf(bodies.map((body) => body.mediaType));
  const choice = fieldFrame(
    frame,
    {},
    { name: texts.contentType, isRequired: false, path: '' },
    select,
  );
  const holder = make('div', 'd-pg-entries');
  const editorsByIndex = new Map<number, BodyEditor>();
  let isPrefilled = false;
  const input = (): BodyInput => bodies[Number(select.value)] as BodyInput;
  const editor = (): BodyEditor => {
    const index = Number(select.value);
    const existing = editorsByIndex.get(index);
    if (existing) return existing;
    const created = bodyEditor(frame, input(), inputs.isBodyRequired === true);
    editorsByIndex.set(index, created);
    if (isPrefilled && input().example !== undefined) created.write(input().example);
    return created;
  };
  const useExample = button('d-btn d-btn-small', () => fillExample(), texts.useExample);
  const show = (): void => {
    holder.replaceChildren(editor().element);
    useExample.hidden = input().example === undefined;
  };
  const fillExample = (): void => {
    if (input().example === undefined) return;
    editor().write(input().example);
    emitChange(holder);
  };
  const startAgain = (withExample: boolean): void => {
    isPrefilled = withExample;
    editorsByIndex.clear();
    show();
  };
  select.addEventListener('change', show);
  show();
  const actions = make('div', 'd-pg-actions', useExample);
  const section = formSection(
    texts.body,
    ...(bodies.length > 1 ? [choice.element] : []),
    holder,
    actions,
  );
  return {
    element: section,
    read: () => editor().read(),
    check: () => editor().check() ?? editor().missing(),
    kept: () =>
      new Map(bodies.map((body, index) => [body.mediaType, editorsByIndex.get(index)?.kept()])),
    restore: (kept) => {
      bodies.forEach((body, index) => {
        const value = kept.get(body.mediaType);
        if (value === undefined) return;
        select.value = String(index);
        editor().write(value);
      });
      show();
    },
    prefill: () => startAgain(true),
    reset: () => startAgain(false),
  };
}

function bodyEditor(frame: FormFrame, input: BodyInput, isRequired: boolean): BodyEditor {
  if (isJsonType(input.mediaType)) return jsonEditor(frame, input, isRequired);
  const isForm = isFormType(input.mediaType);
  const isFile =
    input.shape.kind === 'file' ||
    /^(?:image|audio|video|font)\/|octet-stream|\/(?:pdf|zip|gzip)/i.test(input.mediaType);
  const shape: BodyInput['shape'] = isForm
    ? input.shape.kind === 'json'
      ? { kind: 'object', rest: { kind: 'text' } }
      : input.shape
    : { kind: isFile ? 'file' : 'text', isLong: true };
  const control = makeControl(frame, shape, {
    name: isForm ? '' : input.mediaType,
    isRequired,
    path: 'body',
  });
  return {
    element: control.element,
    read: () => {
      const value = control.read();
      return value === undefined ? undefined : { input, value };
    },
    write: (value) => control.write(value),
    check: () => control.check(),
    missing: () => missingIn(frame, control, isRequired),
    kept: () => control.read(),
  };
}

/**
 * Marks what is missing in the fields of a body; the first field if the body has no required one.
 */
function missingIn(
  { texts }: FormFrame,
  control: Control,
  isRequired: boolean,
): HTMLElement | undefined {
  const isMissing = isRequired && control.read() === undefined;
  return (
    control.missing?.() ?? (isMissing ? markMissing(control.element, texts.missingBody) : undefined)
  );
}

/** Fields or raw text, as the reader prefers; the text is sent as written. */
function jsonEditor(frame: FormFrame, input: BodyInput, isRequired: boolean): BodyEditor {
  const { texts } = frame;
  const area = textArea(12);
  area.classList.add('d-pg-json-area');
  const text = fieldFrame(
    frame,
    { type: input.mediaType },
    { name: texts.body, isRequired, path: '' },
    area,
  );
  const hasFields = input.shape.kind !== 'json';
  const fields = makeControl(frame, input.shape, {
    name: hasFields && !isGroup(input) ? texts.body : '',
    isRequired,
    path: 'body',
  });
  let isText = !hasFields;
  const check = (): HTMLElement | undefined => {
    if (!isText) return fields.check();
    const isWrong = area.value.trim() !== '' && !isJson(area.value);
    text.fault(isWrong ? texts.invalidJson : undefined);
    return isWrong ? area : undefined;
  };
  const holder = make('div', 'd-pg-entries');
  const views = [false, true].map((asText) =>
    button('', () => turn(asText), asText ? 'JSON' : texts.fields),
  );
  const show = (): void => {
    holder.replaceChildren(isText ? text.element : fields.element);
    for (const [index, view] of views.entries())
      view.setAttribute('aria-pressed', String(isText === (index === 1)));
  };
  const write = (value: unknown): void => {
    if (isText) area.value = value === undefined ? '' : JSON.stringify(value, null, 2);
    else fields.write(value);
  };
  const turn = (asText: boolean): void => {
    if (asText === isText) return;
    const fault = check();
    if (fault) {
      fault.focus();
      return;
    }
    const value: unknown = isText
      ? area.value.trim() === ''
        ? undefined
        : JSON.parse(area.value)
      : fields.read();
    isText = asText;
    write(value);
    show();
    emitChange(holder);
  };
  show();
  const switcher = make('div', 'd-pg-switch', ...views);
  switcher.setAttribute('role', 'group');
  switcher.setAttribute('aria-label', texts.body);
  return {
    element: make('div', 'd-pg-entries', ...(hasFields ? [switcher] : []), holder),
    read: () => {
      if (isText) return area.value.trim() === '' ? undefined : { input, text: area.value };
      const value = fields.read();
      return value === undefined ? undefined : { input, value };
    },
    write: (value) => {
      // Stored as text because it was not JSON.
      if (typeof value === 'object' && value !== null && TEXT in value) {
        isText = true;
        area.value = String(value[TEXT]);
      } else write(value);
      show();
    },
    check,
    missing: () => {
      if (!isText) return missingIn(frame, fields, isRequired);
      return isRequired && area.value.trim() === ''
        ? markMissing(text.element, texts.missingBody)
        : undefined;
    },
    kept: () =>
      isText && area.value.trim() !== ''
        ? { [TEXT]: area.value }
        : isText
          ? undefined
          : fields.read(),
  };
}

/** Marks text among stored values. */
const TEXT = '\u0000text';

function isGroup({ shape }: BodyInput): boolean {
  return shape.kind === 'object' || shape.kind === 'variants';
}
