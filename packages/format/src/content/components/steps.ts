import { attributes, type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import { type ComponentNode, type ContentNode, isComponent } from '../nodes/content-node.ts';
import { element, titleLine } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import { anchorLink } from '../page/words.ts';
import {
  anchorOf,
  type Component,
  defineComponent,
  ICON_PROPS,
  ID_PROP,
  iconOf,
  labelOf,
  type PropSchemas,
  type PropsOf,
  readProps,
} from './define-component.ts';

/** Sizes of step titles, and their levels in the table of contents. */
const DEPTHS = { p: 3, h2: 2, h3: 3, h4: 4 } as const;
const SIZES = ['p', 'h2', 'h3', 'h4'] as const;

const STEP_PROPS = {
  title: { type: 'title', description: 'The title of the step.' },
  ...ICON_PROPS,
  stepNumber: { type: 'number', description: 'A custom number, from which numbering continues.' },
  titleSize: {
    type: 'text',
    values: SIZES,
    description: 'The size of its title; by default, the size set on its group.',
  },
  noAnchor: {
    type: 'flag',
    description: 'Whether to omit the id, and the entry in the table of contents.',
  },
  ...ID_PROP,
} as const satisfies PropSchemas;

type StepProps = PropsOf<typeof STEP_PROPS>;

function numbered(
  children: readonly ContentNode[],
): { child: ContentNode; step?: { node: ComponentNode; props: StepProps; number: number } }[] {
  let number = 0;
  return children.map((child) => {
    if (!isComponent(child, 'Step')) return { child };
    const props = readProps(STEP_PROPS, child);
    number = props.stepNumber ?? number + 1;
    return { child, step: { node: child, props, number } };
  });
}

const steps = defineComponent({
  names: ['Steps'],
  summary: 'Numbered steps, which appear in the table of contents.',
  example: `<Steps>
  <Step title="First">Do this.</Step>
  <Step title="Then" icon="check">Do that.</Step>
</Steps>`,
  props: {
    titleSize: {
      type: 'text',
      values: SIZES,
      default: 'p',
      description: 'The size of the titles.',
    },
  },
  html({ titleSize }, node, page) {
    const parts = numbered(node.children).map(({ child, step }) =>
      step ? stepHtml(step.props, step.node, page, step.number, titleSize) : page.render([child]),
    );
    return html`<div class="d-steps steps" data-component="steps" role="list">${joinHtml(parts)}</div>`;
  },
  markdown: (_, { children }) =>
    numbered(children).map(({ child, step }) =>
      step ? stepMarkdown(step.props, step.node, step.number) : child,
    ),
});

const step = defineComponent({
  names: ['Step'],
  parents: steps.names,
  summary: 'One step.',
  props: STEP_PROPS,
  html(props, node, page) {
    const only = stepHtml(props, node, page, props.stepNumber ?? 1, 'p');
    return html`<div class="d-steps steps" data-component="steps" role="list">${only}</div>`;
  },
  markdown: (props, node) => [stepMarkdown(props, node, props.stepNumber ?? 1)],
});

function stepHtml(
  props: StepProps,
  node: ComponentNode,
  page: PageRenderer,
  number: number,
  groupSize: keyof typeof DEPTHS,
): Html {
  const marker = iconOf(props, page) ?? html`${number}`;
  const head = stepTitle(props, node, page, props.titleSize ?? groupSize);
  return html`<div class="d-step step" data-component="step" role="listitem"><div class="d-stage-marker" data-component-part="step-number" aria-hidden="true">${marker}</div><div class="d-stage-body">${head}<div class="d-stage-content" data-component-part="step-content">${page.render(
    node.children,
  )}</div></div></div>`;
}

function stepTitle(
  props: StepProps,
  node: ComponentNode,
  page: PageRenderer,
  size: keyof typeof DEPTHS,
): Html | undefined {
  if (props.title === undefined) return undefined;
  const title = page.render(props.title);
  const text = labelOf(props.title) ?? '';
  let id: string | undefined;
  if (!props.noAnchor) {
    id = anchorOf(props, node, page, text);
    page.addTocEntry(DEPTHS[size], id, text);
  }
  const link = id === undefined ? undefined : anchorLink(id);
  const name = trustedHtml(size);
  return html`<${name}${attributes({ class: 'd-stage-title', 'data-component-part': 'step-title', id, 'data-size': size })}>${title}${link}</${name}>`;
}

/** An item of a numbered list that may contain headings. */
function stepMarkdown(
  { title }: StepProps,
  { children }: ComponentNode,
  number: number,
): ContentNode {
  return element('li', { value: number }, titleLine(title ?? `Step ${number}`), children);
}

export const stepComponents: readonly Component[] = [steps, step];
