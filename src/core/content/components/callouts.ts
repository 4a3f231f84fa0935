import { attributes, type Html, html } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../expand/content-node.ts';
import type { PageRenderer } from '../page-renderer.ts';
import { type Component, defineComponent } from './define-component.ts';
import { element, leading, line, nodes } from './plain-nodes.ts';
import { ICON_PROPS, iconOf, type PropSchemas, type PropsOf } from './props.ts';

/** Kinds of callouts and the words that name them to readers who do not see the color. */
const LABELS = {
  note: 'Note',
  info: 'Info',
  tip: 'Tip',
  check: 'Check',
  warning: 'Warning',
  danger: 'Danger',
  custom: 'Note',
} as const;

export type CalloutKind = keyof typeof LABELS;

const KINDS: Readonly<Record<string, CalloutKind>> = {
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
};

/** The kinds of callouts, and other words for them. */
export const KIND_WORDS: readonly string[] = Object.keys(KINDS);

/** The kind that a word of the author's means; undefined for any other word. */
export function calloutKind(word: string | undefined): CalloutKind | undefined {
  return word !== undefined && Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
}

const PROPS = {
  title: { type: 'title', description: 'A line in bold above the text.' },
  ...ICON_PROPS,
  color: { type: 'color', description: 'The color of the box.' },
  ariaLabel: { type: 'text', description: 'What screen readers say first; the kind otherwise.' },
} as const satisfies PropSchemas;

function calloutHtml(props: PropsOf<typeof PROPS>, node: ComponentNode, page: PageRenderer, kind: CalloutKind): Html {
  return calloutBox({
    kind,
    label: props.ariaLabel ?? LABELS[kind],
    style: props.color && `--d-callout:${props.color}`,
    icon: iconOf(props, page) ?? (kind === 'custom' ? undefined : html`<i class="d-sign"></i>`),
    title: props.title && page.render(props.title),
    body: page.render(node.children),
  });
}

function calloutMarkdown({ title }: PropsOf<typeof PROPS>, node: ComponentNode, kind: CalloutKind): ContentNode[] {
  const label = kind === 'custom' ? '' : LABELS[kind];
  const strong = (...content: (string | undefined | readonly ContentNode[])[]) => element('strong', {}, ...content);
  const content = title
    ? [...line(strong(label && `${label}: `, title)), ...node.children]
    : leading(label === '' ? [] : [strong(`${label}:`)], ' ', node.children);
  return [element('blockquote', {}, nodes(content))];
}

interface CalloutBox {
  kind: CalloutKind;
  /** What readers who do not see it hear first. */
  label: string;
  style?: string | undefined;
  icon?: Html | undefined;
  title?: Html | undefined;
  body: Html;
}

/** The frame of a callout, for what is no component of the author's too. */
export function calloutBox({ kind, label, style, icon, title, body }: CalloutBox): Html {
  const attrs = attributes({
    class: 'd-callout callout',
    'data-component': 'callout',
    'data-kind': kind,
    role: 'note',
    'aria-label': label,
    style,
  });
  return html`<div${attrs}>${icon && html`<div class="d-callout-icon" aria-hidden="true">${icon}</div>`}<div class="d-callout-body">${
    title && html`<p class="d-callout-title">${title}</p>`
  }${body}</div></div>`;
}

/** A callout whose name says its kind. An older spelling gives the kind as `type` too; the name is stronger. */
function preset(kind: CalloutKind, names: readonly [string, ...string[]], summary: string, text: string): Component {
  return defineComponent({
    names,
    summary,
    example: `<${names[0]}>${text}</${names[0]}>`,
    props: { ...PROPS, type: { type: 'text', description: 'Has no effect: the name says the kind.' } },
    html: (props, node, page) => calloutHtml(props, node, page, kind),
    markdown: (props, node) => calloutMarkdown(props, node, kind),
  });
}

function byType(
  fallback: CalloutKind,
  definition: { names: readonly [string, ...string[]]; summary: string; aliases: readonly string[]; example?: string },
): Component {
  const { aliases, ...rest } = definition;
  const props = {
    ...PROPS,
    type: { type: 'text', values: KIND_WORDS, aliases, description: 'The kind.' },
  } as const satisfies PropSchemas;
  const kindOf = ({ type }: { type: string | undefined }): CalloutKind => calloutKind(type) ?? fallback;
  return defineComponent({
    ...rest,
    props,
    html: (given, node, page) => calloutHtml(given, node, page, kindOf(given)),
    markdown: (given, node) => calloutMarkdown(given, node, kindOf(given)),
  });
}

export const callouts: readonly Component[] = [
  preset('note', ['Note'], 'Something that is worth knowing.', 'A **note** adds something that is worth knowing.'),
  preset('info', ['Info'], 'Background.', 'An *info* gives background.'),
  preset('tip', ['Tip', 'Hint'], 'What makes life easier.', 'A tip makes life easier.'),
  preset('check', ['Check', 'Success'], 'Something that is done.', 'A check says that something is done.'),
  preset(
    'warning',
    ['Warning', 'Important', 'Attention', 'Caution', 'Warn'],
    'What can go wrong.',
    'A warning says what can go wrong.',
  ),
  preset('danger', ['Danger', 'Critical', 'Error'], 'What cannot be undone.', 'Danger: this cannot be undone.'),
  byType('custom', {
    names: ['Callout'],
    summary: 'A box with an icon and a color of your own, or of one of the kinds.',
    aliases: ['kind', 'variant', 'intent'],
    example: '<Callout icon="star" color="#7c3aed" title="New">Give it any icon and any color.</Callout>',
  }),
  byType('warning', {
    names: ['Alert', 'Admonition', 'Aside'],
    summary: 'A callout as other systems write it; a warning where no kind is given.',
    aliases: ['variant', 'kind', 'severity', 'status', 'intent'],
  }),
];
