import { attributes, type Html, html } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../nodes/content-node.ts';
import { element, leading, line, nodes } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import {
  type Component,
  defineComponent,
  ICON_PROPS,
  iconOf,
  type PropSchemas,
  type PropsOf,
} from './define-component.ts';

/** The kinds of callouts by an author's words. */
const KINDS = {
  note: 'note',
  info: 'info',
  information: 'info',
  tip: 'tip',
  hint: 'tip',
  check: 'check',
  success: 'check',
  warning: 'warning',
  warn: 'warning',
  caution: 'warning',
  important: 'warning',
  attention: 'warning',
  danger: 'danger',
  error: 'danger',
  critical: 'danger',
} as const;

export type CalloutKind = (typeof KINDS)[keyof typeof KINDS] | 'custom';

/** The kinds of callouts and their aliases. */
export const KIND_WORDS: readonly string[] = Object.keys(KINDS);

/** Returns the kind for an author's word; undefined for an unknown one. */
export function calloutKind(word: string | undefined): CalloutKind | undefined {
  return Object.entries(KINDS).find(([name]) => name === word)?.[1];
}

/** The label for readers who do not see the color. */
function labelOfKind(kind: CalloutKind): string {
  return kind === 'custom' ? 'Note' : kind.charAt(0).toUpperCase() + kind.slice(1);
}

const PROPS = {
  title: { type: 'title', description: 'A bold line above the text.' },
  ...ICON_PROPS,
  color: { type: 'color', description: 'The color of the box.' },
  ariaLabel: { type: 'text', description: 'The label for screen readers; by default, the kind.' },
} as const satisfies PropSchemas;

function calloutHtml(
  props: PropsOf<typeof PROPS>,
  node: ComponentNode,
  page: PageRenderer,
  kind: CalloutKind,
): Html {
  return calloutBox({
    kind,
    label: props.ariaLabel ?? labelOfKind(kind),
    style: props.color && `--d-tone:${props.color}`,
    icon: iconOf(props, page) ?? (kind === 'custom' ? undefined : html`<i class="d-sign"></i>`),
    title: props.title && page.render(props.title),
    body: page.render(node.children),
  });
}

function calloutMarkdown(
  { title }: PropsOf<typeof PROPS>,
  node: ComponentNode,
  kind: CalloutKind,
): ContentNode[] {
  const label = kind === 'custom' ? '' : labelOfKind(kind);
  const strong = (...content: (string | undefined | readonly ContentNode[])[]) =>
    element('strong', {}, ...content);
  const content = title
    ? [...line(strong(label && `${label}: `, title)), ...node.children]
    : leading(label === '' ? [] : [strong(`${label}:`)], ' ', node.children);
  return [element('blockquote', {}, nodes(content))];
}

interface CalloutBox {
  kind: CalloutKind;
  /** What screen readers announce first. */
  label: string;
  style?: string | undefined;
  icon?: Html | undefined;
  title?: Html | undefined;
  body: Html;
}

/** The frame of a callout, also for content that is not a component of the author. */
export function calloutBox({ kind, label, style, icon, title, body }: CalloutBox): Html {
  const attrs = attributes({
    class: 'd-callout callout',
    'data-component': 'callout',
    'data-kind': kind,
    'data-callout-type': kind,
    role: 'note',
    'aria-label': label,
    style,
  });
  return html`<div${attrs}>${icon && html`<div class="d-remark-sign" data-component-part="callout-icon" aria-hidden="true">${icon}</div>`}<div class="d-remark-body" data-component-part="callout-content">${
    title && html`<p class="d-remark-title">${title}</p>`
  }${body}</div></div>`;
}

/**
 * A callout whose name determines its kind. An older syntax sets the kind as `type` too; the name
 * wins.
 */
function preset(
  kind: CalloutKind,
  names: readonly [string, ...string[]],
  summary: string,
  text: string,
): Component {
  return defineComponent({
    names,
    summary,
    example: `<${names[0]}>${text}</${names[0]}>`,
    props: {
      ...PROPS,
      type: { type: 'text', description: 'Has no effect: the component name sets the kind.' },
    },
    html: (props, node, page) => calloutHtml(props, node, page, kind),
    markdown: (props, node) => calloutMarkdown(props, node, kind),
  });
}

function byType(
  fallback: CalloutKind,
  definition: {
    names: readonly [string, ...string[]];
    summary: string;
    aliases: readonly string[];
    example?: string;
  },
): Component {
  const { aliases, ...rest } = definition;
  const props = {
    ...PROPS,
    type: { type: 'text', values: KIND_WORDS, aliases, description: 'The kind.' },
  } as const satisfies PropSchemas;
  const kindOf = ({ type }: { type: string | undefined }): CalloutKind =>
    calloutKind(type) ?? fallback;
  return defineComponent({
    ...rest,
    props,
    html: (calloutProps, node, page) => calloutHtml(calloutProps, node, page, kindOf(calloutProps)),
    markdown: (calloutProps, node) => calloutMarkdown(calloutProps, node, kindOf(calloutProps)),
  });
}

export const callouts: readonly Component[] = [
  preset('note', ['Note'], 'Additional information.', 'A **note** adds information.'),
  preset('info', ['Info'], 'Background.', 'An *info* gives background.'),
  preset('tip', ['Tip', 'Hint'], 'Helpful advice.', 'A tip gives helpful advice.'),
  preset('check', ['Check', 'Success'], 'Something completed.', 'A check confirms success.'),
  preset(
    'warning',
    ['Warning', 'Important', 'Attention', 'Caution', 'Warn'],
    'A potential problem.',
    'A warning describes a potential problem.',
  ),
  preset(
    'danger',
    ['Danger', 'Critical', 'Error'],
    'Something that cannot be undone.',
    'Danger: this cannot be undone.',
  ),
  byType('custom', {
    names: ['Callout'],
    summary: 'A box with a custom icon and color, or those of a kind.',
    aliases: ['kind', 'variant', 'intent'],
    example:
      '<Callout icon="star" color="#7c3aed" title="New">Give it any icon and any color.</Callout>',
  }),
  byType('warning', {
    names: ['Alert', 'Admonition', 'Aside'],
    summary: 'An alternative spelling of callouts; a warning by default.',
    aliases: ['variant', 'kind', 'severity', 'status', 'intent'],
  }),
];
