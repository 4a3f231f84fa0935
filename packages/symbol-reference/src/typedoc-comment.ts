import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '@docent/format/json-value.ts';

/** The documentation of a reflection, as Markdown. */
export interface TypedocComment {
  summary: string;
  remarks: string[];
  returns: string;
  throws: string[];
  examples: string[];
  see: string[];
  since: string[];
  defaultValue: string;
  /** Empty if no reason is given; undefined if it is not deprecated. */
  deprecated?: string;
  /** Modifiers relevant to readers: `beta`, `experimental`. */
  labels: string[];
  /** Parameter descriptions that older versions store with the function: parameter → text. */
  parameters: Map<string, string>;
  typeParameters: Map<string, string>;
}

export interface LinkResolver {
  pathOfReflection(id: number): string | undefined;
  pathOfName(name: string): string | undefined;
}

const LABELS = new Set(['alpha', 'beta', 'experimental', 'internal']);

/**
 * Parses a comment: `summary`, `blockTags` and `modifierTags` of newer versions, or `shortText`,
 * `text`, `returns` and `tags` of versions before 0.23.
 */
export function readComment(holder: unknown, links: LinkResolver): TypedocComment {
  const comment: TypedocComment = {
    summary: '',
    remarks: [],
    returns: '',
    throws: [],
    examples: [],
    see: [],
    since: [],
    defaultValue: '',
    labels: [],
    parameters: new Map(),
    typeParameters: new Map(),
  };
  const raw = objectAt(holder, 'comment');
  if (!raw) return comment;
  const old = [textAt(raw, 'shortText'), textAt(raw, 'text')].filter((text) => text !== undefined);
  comment.summary = markdownOf(valueAt(raw, 'summary'), old.join('\n\n'), links);
  comment.returns = inlineLinks(textAt(raw, 'returns') ?? '', links).trim();
  for (const block of [...listAt(raw, 'blockTags'), ...listAt(raw, 'tags')].slice(0, 200)) {
    if (!isObject(block)) continue;
    const text = markdownOf(valueAt(block, 'content'), textAt(block, 'text') ?? '', links);
    const tag = (textAt(block, 'tag') ?? textAt(block, 'tagName') ?? '')
      .replace(/^@/, '')
      .toLowerCase();
    const name = textAt(block, 'name') ?? textAt(block, 'param');
    readTag(comment, tag, text, name);
  }
  for (const modifier of listAt(raw, 'modifierTags')) {
    const label = typeof modifier === 'string' ? modifier.replace(/^@/, '') : '';
    if (LABELS.has(label)) comment.labels.push(label);
  }
  return comment;
}

/** Tags that may be repeated, and the part of the comment that collects their texts. */
const LISTS: ReadonlyMap<string, 'throws' | 'remarks' | 'see' | 'since'> = new Map([
  ['throws', 'throws'],
  ['exception', 'throws'],
  ['remarks', 'remarks'],
  ['see', 'see'],
  ['since', 'since'],
]);

function readTag(
  comment: TypedocComment,
  tag: string,
  text: string,
  name: string | undefined,
): void {
  const list = LISTS.get(tag);
  if (list) comment[list].push(text);
  else if (tag === 'returns' || tag === 'return') comment.returns = text;
  else if (tag === 'deprecated') comment.deprecated = text;
  else if (tag === 'example') comment.examples.push(exampleMarkdown(text, name));
  else if (tag === 'default' || tag === 'defaultvalue')
    comment.defaultValue = text.replace(/^```\w*\n|\n?```$/g, '').replace(/^`|`$/g, '');
  else if (tag === 'param' && name !== undefined) comment.parameters.set(name, text);
  else if ((tag === 'typeparam' || tag === 'template') && name !== undefined)
    comment.typeParameters.set(name, text);
  else if (LABELS.has(tag)) comment.labels.push(tag);
}

/** An example is code unless its author separated the code from text. */
function exampleMarkdown(text: string, name: string | undefined): string {
  const caption = name === undefined ? '' : `**${name}**\n\n`;
  return text.includes('```') ? caption + text : `${caption}\`\`\`ts\n${text}\n\`\`\``;
}

/** The parts of newer versions as Markdown, or the text of older ones. */
function markdownOf(parts: unknown, text: string, links: LinkResolver): string {
  if (!Array.isArray(parts)) return inlineLinks(text, links).trim();
  const written = parts.filter(isObject).map((part) => {
    const text = typeof part.text === 'string' ? part.text : '';
    return textAt(part, 'kind') === 'inline-tag' ? linkMarkdown(text, part, links) : text;
  });
  return written.join('').trim();
}

function linkMarkdown(text: string, part: JsonObject, links: LinkResolver): string {
  const target = valueAt(part, 'target');
  const label = text.trim();
  const path =
    typeof target === 'number'
      ? links.pathOfReflection(target)
      : typeof target === 'string' && /^https?:\/\//i.test(target)
        ? target
        : links.pathOfName(label);
  return markdownLink(label === '' && typeof target === 'string' ? target : label, path);
}

/**
 * `{@link Name}`, `{@link Name | text}`, `{@link https://… text}` and `[[Name]]`, which older versions leave in the text.
 */
function inlineLinks(text: string, links: LinkResolver): string {
  if (!text.includes('{@') && !text.includes('[[')) return text;
  return text
    .replace(
      /\{@(?:link|linkcode|linkplain)\s+([^\s|{}]{1,300})([^{}]{0,300})\}/g,
      (_, target: string, rest: string) => namedLink(target, rest.replace(/^\s*\|/, ''), links),
    )
    .replace(/\[\[([^[\]|]{1,300})(?:\|([^[\]]{0,300}))?\]\]/g, (_, target: string, label = '') =>
      namedLink(target, label, links),
    );
}

function namedLink(target: string, label: string, links: LinkResolver): string {
  const path = /^https?:\/\//i.test(target) ? target : links.pathOfName(target.trim());
  return markdownLink(label.trim() === '' ? target : label.trim(), path);
}

function markdownLink(label: string, path: string | undefined): string {
  const plain = label.replace(/[[\]`]/g, '');
  return path === undefined
    ? `\`${plain}\``
    : `[${plain}](${path.replace(/[()\s<>]/g, encodeURIComponent)})`;
}
