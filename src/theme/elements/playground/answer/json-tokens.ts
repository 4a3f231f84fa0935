import { make } from '../../assistant/dom.ts';

/** An unclosed string is a token too, so that matching is never retried from its middle. */
const TOKEN = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
/** Longer text is shown in one color: each token is an element. */
const MAX_COLORED_CHARACTERS = 200_000;

/** Renders JSON text with the colors of the theme's code. Text stays text. */
export function coloredJson(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  if (text.length > MAX_COLORED_CHARACTERS) {
    out.append(text);
    return out;
  }
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    out.append(text.slice(from, match.index), make('span', classOf(match[0], text, match.index), match[0]));
    from = match.index + match[0].length;
  }
  out.append(text.slice(from));
  return out;
}

/** The classes of highlighted code in pages: a property, a string, a constant. */
function classOf(token: string, text: string, at: number): string {
  if (!token.startsWith('"')) return 'k5';
  return /^\s*:/.test(text.slice(at + token.length, at + token.length + 20)) ? 'k9' : 'k3';
}

/** Returns the JSON with one line per value; undefined if the text is not JSON. Keeps numbers as written. */
export function prettyJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return text.trim();
    return /\d{16}/.test(text) ? indented(text) : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/** Changes only lines and spaces: a number with many digits would not survive parsing. */
function indented(text: string): string {
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (token) => {
    if (token.startsWith('"')) return token;
    if (token === ':') return ': ';
    if (token === ',') return `,\n${'  '.repeat(depth)}`;
    if (token === '{' || token === '[') return `${token}\n${'  '.repeat(++depth)}`;
    if (token === '}' || token === ']') return `\n${'  '.repeat(--depth)}${token}`;
    return token.replace(/\s+/g, '');
  });
}
