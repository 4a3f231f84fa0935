import { isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from '../api-reference/json-value.ts';

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
  parameters: ReadonlyMap<string, string>;
  typeParameters: ReadonlyMap<string, string>;
}

export interface LinkResolver {
  pathOfReflection(id: number): string | undefined;
  pathOfName(name: string): string | undefined;
}

const LABELS = new Set(['alpha', 'beta', 'experimental', 'internal']);

/**
 * Parses a comment: `summary`, `blockTags` and `modifierTags` of newer versions, or `shortText`, `text`, `returns` and `tags` of
 * versions before 0.23.
 */
export function readComment(holder: unknown, links: LinkResolver): TypedocComment {
  const parameters = new Map<string, string>();
  const typeParameters = new Map<string, string>();
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
    parameters,
    typeParameters,
  };
  const raw = objectAt(holder, 'comment');
  if (!raw) return comment;
  const summary = valueAt(raw, 'summary');
  comment.summary = Array.isArray(summary)
    ? partsMarkdown(summary, links)
    : [textAt(raw, 'shortText'), textAt(raw, 'text')]
        .filter((text) => text !== undefined)
        .map((text) => inlineLinks(text, links).trim())
        .join('\n\n');
  const returns = textAt(raw, 'returns');
  if (returns !== undefined) comment.returns = inlineLinks(returns, links).trim();
  for (const block of [...listAt(raw, 'blockTags'), ...listAt(raw, 'tags')].slice(0, 200)) {
    if (!isObject(block)) continue;
    const content = valueAt(block, 'content');
    const text = Array.isArray(content) ? partsMarkdown(content, links) : inlineLinks(textAt(block, 'text') ?? '', links).trim();
    const tag = (textAt(block, 'tag') ?? textAt(block, 'tagName') ?? '').replace(/^@/, '').toLowerCase();
    const name = textAt(block, 'name') ?? textAt(block, 'param');
    readTag(comment, tag, text, name, { parameters, typeParameters });
  }
  for (const modifier of listAt(raw, 'modifierTags')) {
    const label = typeof modifier === 'string' ? modifier.replace(/^@/, '') : '';
    if (LABELS.has(label)) comment.labels.push(label);
  }
  return comment;
}

function readTag(
  comment: TypedocComment,
  tag: string,
  text: string,
  name: string | undefined,
  maps: { parameters: Map<string, string>; typeParameters: Map<string, string> },
): void {
  switch (tag) {
    case 'returns':
    case 'return':
      comment.returns = text;
      return;
    case 'deprecated':
      comment.deprecated = text;
      return;
    case 'throws':
    case 'exception':
      comment.throws.push(text);
      return;
    case 'example':
      comment.examples.push(exampleMarkdown(text, name));
      return;
    case 'remarks':
      comment.remarks.push(text);
      return;
    case 'see':
      comment.see.push(text);
      return;
    case 'since':
      comment.since.push(text);
      return;
    case 'default':
    case 'defaultvalue':
      comment.defaultValue = text.replace(/^```\w*\n|\n?```$/g, '').replace(/^`|`$/g, '');
      return;
    case 'param':
      if (name !== undefined) maps.parameters.set(name, text);
      return;
    case 'typeparam':
    case 'template':
      if (name !== undefined) maps.typeParameters.set(name, text);
      return;
    default:
      if (LABELS.has(tag)) comment.labels.push(tag);
  }
}

/** An example is code unless its author separated the code from text. */
function exampleMarkdown(text: string, name: string | undefined): string {
  const caption = name === undefined ? '' : `**${name}**\n\n`;
  return text.includes('```') ? caption + text : `${caption}\`\`\`ts\n${text}\n\`\`\``;
}

function partsMarkdown(parts: readonly unknown[], links: LinkResolver): string {
  return parts
    .map((part) => {
      const text = isObject(part) && typeof part.text === 'string' ? part.text : '';
      if (textAt(part, 'kind') !== 'inline-tag') return text;
      return linkMarkdown(text, isObject(part) ? part : {}, links);
    })
    .join('')
    .trim();
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

/** `{@link Name}`, `{@link Name | text}`, `{@link https://… text}` and `[[Name]]`, which older versions leave in the text. */
function inlineLinks(text: string, links: LinkResolver): string {
  if (!text.includes('{@') && !text.includes('[[')) return text;
  return text
    .replace(/\{@(?:link|linkcode|linkplain)\s+([^\s|{}]{1,300})([^{}]{0,300})\}/g, (_, target: string, rest: string) =>
      namedLink(target, rest.replace(/^\s*\|/, ''), links),
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
  return path === undefined ? `\`${plain}\`` : `[${plain}](${path.replace(/[()\s<>]/g, encodeURIComponent)})`;
}
