/**
 * HTML as a value. All HTML of this product is rendered with the `html` tag: an interpolated string
 * is escaped, an interpolated
 * `Html` is not, so text from a document can never become markup by accident.
 */
export class Html {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  toString(): string {
    return this.value;
  }
}

type Interpolation = string | number | boolean | null | undefined | Html | readonly Interpolation[];

const UNSAFE = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const UNSAFE_ALL = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for HTML content and for quoted attribute values. Removes control characters, which
 * HTML forbids; this also makes the link marks of `format/links.ts` unforgeable.
 */
export function escapeHtml(text: string): string {
  return UNSAFE.test(text) ? text.replace(UNSAFE_ALL, (char) => ENTITIES[char] ?? '') : text;
}

const ENTITY = /&(?:amp|lt|gt|quot|#39);/g;
const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Returns the text that `escapeHtml` escaped. */
export function unescapeHtml(markup: string): string {
  return markup.includes('&')
    ? markup.replace(ENTITY, (entity) => CHARACTERS[entity] as string)
    : markup;
}

function renderInterpolation(value: Interpolation): string {
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Html) return value.value;
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (typeof value === 'number') return String(value);
  let out = '';
  for (const item of value) out += renderInterpolation(item);
  return out;
}

/**
 * Template tag: `` html`<p>${text}</p>` ``. `null`, `undefined` and booleans render nothing; arrays
 * are joined.
 */
export function html(strings: TemplateStringsArray, ...values: Interpolation[]): Html {
  let out = strings[0] as string;
  for (let i = 0; i < values.length; i++) out += renderInterpolation(values[i]) + strings[i + 1];
  return new Html(out);
}

/** Declares that `markup` is already safe HTML. Explain at the call why it is. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

// The mark lets bundlers leave it out of scripts.
export const emptyHtml = /* @__PURE__ */ new Html('');

/**
 * Returns attributes as text with a leading space: `true` renders the bare name, `false`, `null`
 * and `undefined` nothing.
 */
export function attributes(
  values: Record<string, string | number | boolean | null | undefined>,
): Html {
  let out = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === false) continue;
    out += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  return new Html(out);
}

/** Joins pieces of HTML. */
export function joinHtml(pieces: readonly Html[], separator = ''): Html {
  let out = pieces[0]?.value ?? '';
  // Concatenated, not joined: V8 copies a concatenated text once, when it is first read.
  for (let i = 1; i < pieces.length; i++) out += separator + (pieces[i] as Html).value;
  return new Html(out);
}

const UNSAFE_IN_SCRIPTS = /[<>&\u2028\u2029]/g;

/**
 * Returns JSON that is safe inside a `<script>` element: nothing in it can end the element or open
 * a comment.
 */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE_IN_SCRIPTS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
