import { attributes, type Html, html } from '../../html.ts';
import type { ComponentNode } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { iconProp, richProp, safeColour, textProp } from './props.ts';

/** Kinds of callouts and the words that name them to readers who do not see the colour. */
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

const WORDS: ReadonlyMap<string, CalloutKind> = new Map([
  ['note', 'note'],
  ['info', 'info'],
  ['information', 'info'],
  ['tip', 'tip'],
  ['hint', 'tip'],
  ['check', 'check'],
  ['success', 'check'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['caution', 'warning'],
  ['important', 'warning'],
  ['attention', 'warning'],
  ['danger', 'danger'],
  ['error', 'danger'],
  ['critical', 'danger'],
]);

/** The kind that a word of the author's means; undefined for any other word. */
export function calloutKind(word: string | undefined): CalloutKind | undefined {
  return word === undefined ? undefined : WORDS.get(word.toLowerCase());
}

function render(node: ComponentNode, page: PageRenderer, kind: CalloutKind): Html {
  const colour = safeColour(textProp(node, 'color'));
  const title = richProp(node, page, 'title');
  const label = textProp(node, 'ariaLabel') ?? LABELS[kind];
  const icon = iconProp(node, page) ?? (kind === 'custom' ? undefined : html`<i class="d-sign"></i>`);
  const style = colour === undefined ? undefined : `--d-callout:${colour}`;
  return calloutBox({ kind, label, style, icon, title, body: page.render(node.children) });
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

/** `Note`, `Warning` and their siblings. An older spelling gives the kind as `type`; the component's own name is stronger. */
export function presetCallout(kind: CalloutKind): ComponentRenderer {
  return (node, page) => render(node, page, kind);
}

/** `Callout`: the author's own icon and colour, or in older pages a `type` (or `kind`) like `warning`. */
export const callout: ComponentRenderer = (node, page) => {
  return render(node, page, calloutKind(textProp(node, 'type', 'kind', 'variant', 'intent')) ?? 'custom');
};
