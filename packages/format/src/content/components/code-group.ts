import { attributes, emptyHtml, type Html, html, joinHtml } from '../../html.ts';
import { blockIcon } from '../code/code-block.ts';
import { parseCodeMeta } from '../code/code-meta.ts';
import {
  type CodeNode,
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  isComponent,
  NodesValue,
  nodeText,
  type PropValue,
} from '../nodes/content-node.ts';
import { titleLine } from '../nodes/plain-nodes.ts';
import type { CodeBlockInput, PageRenderer } from '../page/page-renderer.ts';
import {
  type Component,
  defineComponent,
  type PropSchemas,
  type PropsOf,
  readProps,
} from './define-component.ts';
import { type TabView, tabList, tabPanels } from './tabs.ts';

/** Props of groups and of examples, which are groups too. */
const GROUP_PROPS = {
  dropdown: { type: 'flag', description: 'Whether to show a select list instead of tabs.' },
} as const satisfies PropSchemas;

/**
 * Renders the code among a node's children as a group of tabs, with other content below. A single
 * block needs no tabs.
 */
function renderCodeGroup(node: ComponentNode, page: PageRenderer): Html {
  const blocks: CodeBlockInput[] = [];
  const rest = takeCode(node.children, blocks);
  const after = rest.length > 0 ? page.render(rest) : undefined;
  const only = blocks[0];
  if (only === undefined) return html`${after}`;
  if (blocks.length === 1) return html`${page.codeBlock(only)}${after}`;
  page.need('docent-tabs');
  const views = blocks.map((block, index) => codeTab(block, index, page));
  const { dropdown } = readProps(GROUP_PROPS, node);
  const choice = dropdown ? dropdownOf(views) : tabList(views, 0);
  return html`<docent-tabs class="d-code-group code-group" data-component="code-group"${attributes({ 'data-dropdown': dropdown })}><div class="d-src-bar" data-component-part="code-group-tab-bar">${choice}</div>${tabPanels(
    views,
    0,
    false,
  )}</docent-tabs>${after}`;
}

function dropdownOf(views: readonly TabView[]): Html {
  return html`<select class="d-src-select" aria-label="Code example">${views.map((view) => html`<option>${view.label}</option>`)}</select>`;
}

function codeTab(block: CodeBlockInput, index: number, page: PageRenderer): TabView {
  const meta = parseCodeMeta(block.language, block.meta);
  const label = meta.title ?? (meta.language || `Code ${index + 1}`);
  return {
    label,
    title: html`${label}`,
    icon: blockIcon(meta, block, page),
    panel: page.codeBlock({ ...block, inGroup: true }),
  };
}

/** Moves the code of `nodes` into `blocks`, out of wrappers too; returns the other nodes. */
function takeCode(nodes: readonly ContentNode[], blocks: CodeBlockInput[]): ContentNode[] {
  const rest: ContentNode[] = [];
  for (const node of nodes) {
    if (node.type === 'code')
      blocks.push({ language: node.language, meta: node.meta, code: node.value, line: node.line });
    else if (node.type === 'component' && node.name === 'CodeBlock')
      blocks.push(codeBlockInput(node));
    else if (node.type === 'component' && node.name === 'CodeGroup')
      rest.push(...takeCode(node.children, blocks));
    else if (node.type === 'element' && node.tag === 'pre') blocks.push(preInput(node));
    else if (node.type === 'element' && node.children.some(holdsCode))
      rest.push(...takeCode(node.children, blocks));
    else if (node.type !== 'text' || node.value.trim() !== '') rest.push(node);
  }
  return rest;
}

function preInput(node: ElementNode): CodeBlockInput {
  const { language, meta, value, line } = codeOfPre(node);
  return { language, meta: meta === '' ? '' : `title=${quoted(meta)}`, code: value, line };
}

/**
 * The code and the title of `<pre data-language="js" data-title="a.js">`, or of `<pre><code
 * class="language-js">`.
 */
export function codeOfPre(node: ElementNode): CodeNode {
  const inner = node.children.find((child) => child.type === 'element' && child.tag === 'code');
  const { attributes } = inner?.type === 'element' ? inner : node;
  const [, named = ''] =
    /(?:^|\s)lang(?:uage)?-(\S+)/.exec(String(attributes.class ?? node.attributes.class ?? '')) ??
    [];
  const title = node.attributes['data-title'] ?? node.attributes.title ?? node.attributes.filename;
  return {
    type: 'code',
    language: String(node.attributes['data-language'] ?? (node.attributes.language || named)),
    meta: String(title ?? ''),
    value: nodeText(node.children, '\n').replace(/^\n/, ''),
    ...(node.line !== undefined && { line: node.line }),
  };
}

function holdsCode(node: ContentNode): boolean {
  if (node.type === 'element') return node.tag === 'pre' || node.children.some(holdsCode);
  return node.type === 'code' || isComponent(node, 'CodeBlock');
}

const CODE_PROPS = {
  language: {
    type: 'text',
    aliases: ['lang'],
    default: '',
    description: 'The language of the code.',
  },
  filename: { type: 'text', aliases: ['title'], description: 'The title of the block.' },
  code: {
    type: 'data',
    aliases: ['children'],
    description: 'The code; by default, the content of the component.',
  },
  icon: { type: 'icon', description: 'An icon before the title.' },
  lines: { type: 'flag', description: 'Whether to show line numbers.' },
  wrap: { type: 'flag', description: 'Whether to wrap long lines.' },
  nocopy: { type: 'flag', description: 'Whether to omit the copy button.' },
  expandable: { type: 'flag', description: 'Whether to collapse a long block to its first lines.' },
  twoslash: { type: 'flag', description: 'Whether to show TypeScript types.' },
  highlight: { type: 'data', description: 'Lines to highlight: `"[1,3]"` or an array.' },
  focus: { type: 'data', description: 'Lines to focus on; the others are dimmed.' },
  actions: { type: 'flag', description: 'Whether to show buttons that zoom and move a diagram.' },
  placement: { type: 'text', description: 'The corner of these buttons, for example `top-left`.' },
} as const satisfies PropSchemas;

type CodeProps = PropsOf<typeof CODE_PROPS>;

const META_FLAGS = ['lines', 'wrap', 'nocopy', 'expandable', 'twoslash'] as const;

function codeBlockInput(
  node: ComponentNode,
  props: CodeProps = readProps(CODE_PROPS, node),
): CodeBlockInput {
  const words: string[] = META_FLAGS.filter((name) => props[name]);
  for (const [name, value] of [
    ['title', props.filename],
    ['icon', typeof props.icon === 'string' ? props.icon : undefined],
    ['highlight', lineNumbers(props.highlight)],
    ['focus', lineNumbers(props.focus)],
    ['placement', props.placement],
    ['actions', node.props.actions === undefined ? undefined : String(props.actions)],
  ] as const) {
    if (value !== undefined) words.push(`${name}=${quoted(value)}`);
  }
  return {
    language: props.language,
    meta: words.join(' '),
    code: codeOf(node, props.code),
    line: node.line,
    icon: props.icon instanceof NodesValue ? props.icon : undefined,
  };
}

function quoted(value: string): string {
  return value.includes('"') ? `'${value.replaceAll("'", '’')}'` : `"${value}"`;
}

/** `highlight="[1,3]"`, or a real array. */
function lineNumbers(value: PropValue): string | undefined {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function codeOf(node: ComponentNode, value: PropValue): string {
  if (typeof value === 'string') return value;
  return nodeText(value instanceof NodesValue ? value.nodes : node.children, '\n').replace(
    /^\n/,
    '',
  );
}

const codeGroup = defineComponent({
  names: ['CodeGroup'],
  summary:
    'Code blocks in one frame, with a tab for each; groups with the same titles switch together.',
  example: `<CodeGroup>

\`\`\`bash npm
npm install docent
\`\`\`

\`\`\`bash pnpm
pnpm add docent
\`\`\`

</CodeGroup>`,
  props: GROUP_PROPS,
  html: (_, node, page) => renderCodeGroup(node, page),
});

const codeBlock = defineComponent({
  names: ['CodeBlock'],
  summary:
    'A code block whose options are props, for code from an expression. Otherwise, use a fenced code block.',
  example: `<CodeBlock language="js" filename="greet.js" lines>
  {\`console.log('Hello');\`}
</CodeBlock>`,
  props: CODE_PROPS,
  html: (props, node, page) => page.codeBlock(codeBlockInput(node, props)),
  markdown(props, node) {
    const [first] = node.children.filter((child) => child.type === 'code');
    const language = props.language || (first?.language ?? '');
    const value = codeOf(node, props.code).trim();
    return [{ type: 'code', language, meta: props.filename ?? '', value, line: node.line }];
  },
});

const mermaid = defineComponent({
  names: ['Mermaid'],
  summary: 'A diagram from an expression. Otherwise, use a fenced `mermaid` block.',
  example: '<Mermaid chart="graph LR; Source --> Site --> Reader" />',
  props: {
    chart: {
      type: 'text',
      aliases: ['code', 'value', 'definition'],
      description: 'The diagram source; by default, the content.',
    },
    actions: CODE_PROPS.actions,
    placement: CODE_PROPS.placement,
  },
  html: ({ chart }, node, page) =>
    page.codeBlock({ ...codeBlockInput(node), language: 'mermaid', code: diagramOf(node, chart) }),
  markdown: ({ chart }, node) => [
    { type: 'code', language: 'mermaid', meta: '', value: diagramOf(node, chart) },
  ],
});

function diagramOf(node: ComponentNode, chart: string | undefined): string {
  return (chart ?? nodeText(node.children, '\n')).replace(/^\n+|(?<!\s)\s+$/g, '');
}

export const code: readonly Component[] = [codeGroup, codeBlock, mermaid];

const NAMES = ['RequestExample', 'ResponseExample'] as const;

function renderExample(node: ComponentNode, page: PageRenderer): Html {
  const kind = node.name === 'RequestExample' ? 'request-example' : 'response-example';
  return html`<div class="d-example" data-component="${kind}">${renderCodeGroup(node, page)}</div>`;
}

const example = (
  name: (typeof NAMES)[number],
  title: string,
  summary: string,
  source: string,
): Component =>
  defineComponent({
    names: [name],
    summary,
    example: `<${name}>\n\n${source}\n\n</${name}>`,
    props: GROUP_PROPS,
    html(_, node, page) {
      page.addAside(renderExample(node, page));
      return emptyHtml;
    },
    markdown: (_, { children }) => [...titleLine(title), ...children],
  });

const panel = defineComponent({
  names: ['Panel'],
  summary: 'Custom content of the right column. Examples inside keep their position.',
  example: `<Panel>
  <Info>This stands beside the text where there is room.</Info>
</Panel>`,
  html(_, node, page) {
    const parts = node.children.map((child) =>
      isComponent(child, ...NAMES) ? renderExample(child, page) : page.render([child]),
    );
    page.addAside(html`<div class="d-panel panel" data-component="panel">${joinHtml(parts)}</div>`);
    return emptyHtml;
  },
});

const REQUEST = '```bash Request\ncurl https://example.com/v1/jobs\n```';
const RESPONSE = '```json 200\n{ "status": "queued" }\n```';

export const examples: readonly Component[] = [
  example(
    'RequestExample',
    'Request example',
    'A request, beside the text on wide screens.',
    REQUEST,
  ),
  example(
    'ResponseExample',
    'Response example',
    'A response, beside the text on wide screens.',
    RESPONSE,
  ),
  panel,
];
