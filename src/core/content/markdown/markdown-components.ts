import { type ComponentNode, type ContentNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import { escapeMarkdown, inlineCode } from './markdown-inline.ts';
import {
  block,
  boldLine,
  type ComponentPieces,
  fence,
  indent,
  joinPieces,
  type Piece,
  type PieceWriter,
  quote,
} from './markdown-piece.ts';
import { nodeProse, propText, squeeze } from './node-prose.ts';
import { nodeText } from './node-text.ts';

function textProp(node: ComponentNode, ...names: string[]): string {
  for (const name of names) {
    const text = squeeze(propText(Object.hasOwn(node.props, name) ? node.props[name] : undefined));
    if (text !== '') return text;
  }
  return '';
}

const isOn = (value: PropValue): boolean => value === true || value === 'true' || value === '';

const callout =
  (label: string): ComponentPieces =>
  (node, writer) => {
    const title = textProp(node, 'title') || label;
    const content = writer.text(node.children);
    return [block(quote(title === '' ? content : `**${escapeMarkdown(title)}:** ${content}`), [node])];
  };

const titled: ComponentPieces = (node, writer) => {
  const title = textProp(node, 'title', 'name');
  const description = textProp(node, 'description');
  const inner = writer.pieces(node.children);
  if (description !== '') inner.unshift({ ...block(escapeMarkdown(description), []), text: description });
  return title === '' ? inner : [boldLine(title), ...inner];
};

const card: ComponentPieces = (node, writer) => {
  const title = escapeMarkdown(textProp(node, 'title'));
  const href = textProp(node, 'href');
  const description = writer.text(node.children) || escapeMarkdown(textProp(node, 'description'));
  const label = href !== '' ? `[${title || href}](${writer.links.href(href)})` : title === '' ? '' : `**${title}**`;
  const markdown = [label, description].filter((part) => part !== '').join(': ');
  return markdown === '' ? [] : [{ ...block(`- ${indent(markdown, 2)}`, [node]), tight: true }];
};

const steps: ComponentPieces = (node, writer) => {
  let number = 0;
  return node.children.flatMap((child): Piece[] => {
    if (child.type !== 'component' || child.name !== 'Step') return writer.pieces([child]);
    number++;
    const mark = `${number}. `;
    const title = textProp(child, 'title');
    const head = { ...block(`${mark}**${escapeMarkdown(title || `Step ${number}`)}**`, []), text: title };
    return [head, ...writer.pieces(child.children).map((piece) => moveRight(piece, mark.length))];
  });
};

function moveRight(piece: Piece, width: number): Piece {
  return piece.kind === 'heading' ? piece : { ...piece, markdown: ' '.repeat(width) + indent(piece.markdown, width) };
}

const field: ComponentPieces = (node, writer) => {
  const name = textProp(node, 'name', 'path', 'query', 'body', 'header');
  const place = ['path', 'query', 'body', 'header'].find((key) => textProp(node, key) !== '' && textProp(node, 'name') === '');
  const facts = [
    textProp(node, 'type'),
    place ?? '',
    isOn(node.props.required) ? 'required' : '',
    isOn(node.props.deprecated) ? 'deprecated' : '',
    textProp(node, 'default') === '' ? '' : `default: ${inlineCode(textProp(node, 'default'))}`,
  ].filter((fact) => fact !== '');
  const head = `- ${inlineCode(name)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
  const content = writer.text(node.children);
  return [{ ...block(content === '' ? head : `${head}: ${indent(content, 2)}`, [node]), tight: true }];
};

const frame: ComponentPieces = (node, writer) => {
  const caption = textProp(node, 'caption');
  const pieces = writer.pieces(node.children);
  return caption === '' ? pieces : [...pieces, { ...block(`*${escapeMarkdown(caption)}*`, []), text: caption }];
};

const update: ComponentPieces = (node, writer) => {
  const label = textProp(node, 'label');
  const description = textProp(node, 'description');
  const heading: Piece = { kind: 'heading', markdown: `## ${escapeMarkdown(label)}`, text: label, code: [], level: 2 };
  const inner = writer.pieces(node.children);
  if (description !== '') inner.unshift({ ...block(escapeMarkdown(description), []), text: description });
  return label === '' ? inner : [heading, ...inner];
};

const heading: ComponentPieces = (node, writer) => {
  const level = Math.min(6, Math.max(1, Math.round(Number(node.props.level)) || 2));
  const markdown = writer.inline(node.children);
  return markdown === ''
    ? []
    : [{ kind: 'heading', markdown: `${'#'.repeat(level)} ${markdown}`, text: nodeText(node.children), code: [], level }];
};

const example =
  (title: string): ComponentPieces =>
  (node, writer) => [boldLine(title), ...writer.pieces(node.children)];

const codeBlock: ComponentPieces = (node, writer) => {
  const inner = node.children.length === 1 ? node.children[0] : undefined;
  if (inner?.type === 'code') return writer.pieces([inner]);
  const value = nodeText(node.children).trim();
  return [
    {
      ...block(
        fence({ type: 'code', language: textProp(node, 'language'), meta: textProp(node, 'filename', 'title'), value }),
        [],
      ),
      code: [value],
    },
  ];
};

const visibility: ComponentPieces = (node, writer) => {
  const audience = textProp(node, 'for');
  const pieces = writer.pieces(node.children);
  return audience === 'humans' || audience === 'agents' ? pieces.map((piece) => ({ ...piece, audience })) : pieces;
};

const tree: ComponentPieces = (node, writer) => {
  const lines = treeLines(node.children, 0);
  return lines.length === 0 ? writer.pieces(node.children) : [block(lines.join('\n'), [node])];
};

function treeLines(nodes: readonly ContentNode[], depth: number): string[] {
  if (depth > 40) return [];
  return nodes.flatMap((node) => {
    if (node.type === 'element') return treeLines(node.children, depth);
    const name = node.type === 'component' ? textProp(node, 'name') : '';
    if (node.type !== 'component' || name === '') return [];
    return [`${'  '.repeat(depth)}- ${escapeMarkdown(name)}`, ...treeLines(node.children, depth + 1)];
  });
}

const colorItem: ComponentPieces = (node) => {
  const { value } = node.props;
  const isPair = typeof value === 'object' && value !== null && !(value instanceof NodesValue) && !Array.isArray(value);
  const colors = isPair ? Object.values(value).map(propText) : [propText(value)];
  const name = textProp(node, 'name');
  return [
    {
      ...block(`- ${escapeMarkdown(name)}: ${colors.map(inlineCode).join(', ')}`, []),
      text: `${name} ${colors.join(' ')}`,
      tight: true,
    },
  ];
};

const prompt: ComponentPieces = (node, writer) => {
  const description = textProp(node, 'description');
  const value = (joinPieces(writer.pieces(node.children)) || nodeProse(node.children)).trim();
  const body = { ...block(fence({ type: 'code', language: 'text', meta: '', value }), []), code: [value] };
  return description === '' ? [body] : [boldLine(description), body];
};

const repository: ComponentPieces = (node) => {
  const name = textProp(node, 'repo');
  return name === '' ? [] : [{ ...block(`[${escapeMarkdown(name)}](https://github.com/${encodeURI(name)})`, []), text: name }];
};

const silent: ComponentPieces = () => [];

const writers = new Map<string, ComponentPieces>([
  ['Note', callout('Note')],
  ['Info', callout('Info')],
  ['Tip', callout('Tip')],
  ['Check', callout('Check')],
  ['Warning', callout('Warning')],
  ['Danger', callout('Danger')],
  ['Callout', callout('')],
  ['Card', card],
  ['Tile', card],
  ['Steps', steps],
  ['Step', titled],
  ['Tab', titled],
  ['Tabs.Tab', titled],
  ['TabItem', titled],
  ['Accordion', titled],
  ['Expandable', titled],
  ['View', titled],
  ['ParamField', field],
  ['ResponseField', field],
  ['Frame', frame],
  ['Update', update],
  ['Heading', heading],
  ['RequestExample', example('Request example')],
  ['ResponseExample', example('Response example')],
  ['CodeBlock', codeBlock],
  ['Visibility', visibility],
  ['Tree', tree],
  ['FileTree', tree],
  ['Color.Item', colorItem],
  ['Prompt', prompt],
  ['GitHub.Repo', repository],
  ['Icon', silent],
]);

/** The Markdown of one component: what it says, without its looks. */
export function componentPieces(node: ComponentNode, writer: PieceWriter): Piece[] {
  return (writers.get(node.name) ?? titled)(node, writer);
}
