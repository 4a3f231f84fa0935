import type {
  BodyInput,
  FieldInput,
  InputPlace,
  InputShape,
  RequestInputs,
} from '@docent/format/api-reference/request-inputs.ts';
import type { PlaygroundMessages } from '../../translations/translations.ts';
import { pageData } from '../page-data.ts';
import { ChannelDialog } from './channel-dialog.ts';
import { PlaygroundDialog } from './playground-dialog.ts';
import { hasProxy } from './send-request.ts';

/** The containers of a page's fields: `ParamField`, and the contents of one. */
const FIELD = '[data-component="param-field"]';
const INSIDE = '[data-component="param-field"], [data-component="response-field"]';
const PLACES: ReadonlySet<string> = new Set<InputPlace>(['path', 'query', 'header', 'cookie']);

/**
 * Returns the inputs of a hand-written endpoint: those that its author documented on the page, and
 * those in its path.
 */
function withHandWrittenFields(inputs: RequestInputs): RequestInputs {
  const fields = [...document.querySelectorAll<HTMLElement>(`#content ${FIELD}`)].filter(
    (field) => !parentField(field),
  );
  const parameters = fields.flatMap((field): RequestInputs['parameters'] => {
    const { place = '', name = '' } = field.dataset;
    if (!PLACES.has(place) || name === '') return [];
    const required = place === 'path' || field.dataset.required !== undefined;
    return [
      {
        name,
        place: place as InputPlace,
        ...(required && { required: true }),
        shape: shapeOf(field),
      },
    ];
  });
  for (const [, name = ''] of inputs.route.matchAll(/\{([^{}]+)\}/g)) {
    if (
      name === '' ||
      parameters.some((parameter) => parameter.place === 'path' && parameter.name === name)
    )
      continue;
    parameters.unshift({
      name,
      place: 'path',
      required: true,
      shape: { kind: 'text', type: 'string' },
    });
  }
  const bodyFields = fields.filter((field) => field.dataset.place === 'body').map(fieldOf);
  return { ...inputs, parameters, bodies: bodyFields.length > 0 ? [bodyOf(bodyFields)] : [] };
}

function bodyOf(fields: FieldInput[]): BodyInput {
  const hasFile = fields.some((field) => field.shape.kind === 'file');
  return {
    mediaType: hasFile ? 'multipart/form-data' : 'application/json',
    shape: { kind: 'object', fields },
  };
}

function parentField(field: Element): Element | null | undefined {
  return field.parentElement?.closest(INSIDE);
}

function fieldOf(field: HTMLElement): FieldInput {
  const { name = '', required } = field.dataset;
  return { name, ...(required !== undefined && { required: true }), shape: shapeOf(field) };
}

function shapeOf(field: HTMLElement): InputShape {
  const { type = 'string', example, default: preset } = field.dataset;
  const inside = [...field.querySelectorAll<HTMLElement>(INSIDE)]
    .filter((innerField) => parentField(innerField) === field)
    .map(fieldOf);
  const shape = shapeOfType(type, inside);
  return {
    ...shape,
    ...(example !== undefined && { example }),
    ...(preset !== undefined && { default: preset }),
  };
}

function shapeOfType(type: string, inside: FieldInput[]): InputShape {
  const lower = type.toLowerCase().trim();
  const item =
    /^(.+)\[\]$/.exec(lower)?.[1] ?? /^(?:array|list)(?:<(.+)>| of (\w+?)s?)?$/.exec(lower)?.[1];
  if (lower.endsWith('[]') || /^(?:array|list)\b/.test(lower))
    return { kind: 'list', item: shapeOfType(item ?? 'string', inside) };
  if (inside.length > 0) return { kind: 'object', type, fields: inside };
  if (/^int|^long/.test(lower)) return { kind: 'integer', type };
  if (/^(?:number|float|double|decimal)/.test(lower)) return { kind: 'number', type };
  if (lower.startsWith('bool')) return { kind: 'boolean', type };
  if (lower === 'file' || lower === 'binary') return { kind: 'file', type };
  return /^(?:object|map|json|dict|record|any)\b/.test(lower)
    ? { kind: 'json', type }
    : { kind: 'text', type };
}

/** The style sheet of the dialog, inserted by the theme build. */
declare const PLAYGROUND_STYLES: string;
/** Its English strings, likewise. */
declare const PLAYGROUND_TEXTS: PlaygroundMessages;

const sheet = new CSSStyleSheet();
sheet.replaceSync(PLAYGROUND_STYLES);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

let isOpening = false;

async function open(opener: HTMLElement): Promise<void> {
  const data = document.querySelector('script[data-playground]')?.textContent;
  if (!data || isOpening || document.querySelector('dialog.d-pg[open]')) return;
  const inputs = JSON.parse(data) as RequestInputs;
  isOpening = true;
  const isProxied = inputs.isProxied === true && (await hasProxy());
  isOpening = false;
  if (!opener.isConnected) return;
  const title = document.getElementById('page-title')?.textContent?.trim() ?? inputs.route;
  const texts =
    globalThis.__docentPlaygroundTexts?.[pageData().playground?.texts?.code ?? ''] ??
    PLAYGROUND_TEXTS;
  const frame = { texts, isExpanded: inputs.isExpanded === true, isProxied };
  const whole = inputs.byHand ? withHandWrittenFields(inputs) : inputs;
  const name = `${opener.textContent ?? ''}: ${title}`;
  if (whole.messages) new ChannelDialog(frame, whole, whole.messages, name).open();
  else new PlaygroundDialog(frame, whole, name).open();
}

globalThis.__docentPlayground = { open: (opener) => void open(opener) };
