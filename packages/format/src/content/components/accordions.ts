import { attributes, html } from '../../html.ts';
import { line, titleLine } from '../nodes/plain-nodes.ts';
import { word } from '../page/words.ts';
import {
  anchorOf,
  type Component,
  defineComponent,
  ICON_PROPS,
  ID_PROP,
  iconOf,
  labelOf,
} from './define-component.ts';

/** A `<details>`, so it opens without scripts, by keyboard, by in-page search and for printing. */
const accordion = defineComponent({
  names: ['Accordion', 'Details'],
  summary:
    'A collapsible section: a title that shows and hides its content. A link to it and a search in the page open it too.',
  example: `<Accordion title="Does it work without JavaScript?" icon="circle-help">
  Yes: it is a \`<details>\` element.
</Accordion>`,
  props: {
    title: {
      type: 'title',
      required: true,
      aliases: ['label', 'summary'],
      description: 'The title.',
    },
    description: { type: 'title', description: 'A smaller line below the title.' },
    defaultOpen: { type: 'flag', description: 'Whether it is initially open.' },
    ...ID_PROP,
    ...ICON_PROPS,
  },
  html(props, node, page) {
    const id = anchorOf(props, node, page, labelOf(props.title) ?? 'Details');
    const title = props.title ? page.render(props.title) : html`Details`;
    const description = props.description && page.render(props.description);
    const icon = iconOf(props, page);
    page.need('docent-accordion');
    return html`<details class="d-accordion accordion" data-component="accordion" id="${id}"${attributes({ open: props.defaultOpen })}><summary data-component-part="accordion-button"><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${
      icon &&
      html`<span class="d-fold-sign" data-component-part="accordion-icon" aria-hidden="true">${icon}</span>`
    }<span class="d-fold-head" data-component-part="accordion-title-container"><span class="d-fold-title" data-component-part="accordion-title">${title}</span>${
      description &&
      html`<span class="d-fold-text" data-component-part="accordion-description">${description}</span>`
    }</span></summary><div class="d-fold-body" data-component-part="accordion-content">${page.render(node.children)}</div></details>`;
  },
  markdown: ({ title, description }, { children }) => [
    ...titleLine(title),
    ...line(description),
    ...children,
  ],
});

const accordionGroup = defineComponent({
  names: ['AccordionGroup'],
  summary: 'A frame around several accordions.',
  example: `<AccordionGroup>
  <Accordion title="First">One answer.</Accordion>
  <Accordion title="Second">Another answer.</Accordion>
</AccordionGroup>`,
  html: (_, node, page) =>
    html`<div class="d-accordion-group accordion-group" data-component="accordion-group">${page.render(node.children)}</div>`,
});

/** A title that already describes the click action. */
const OWN_VERB = /^(?:show|hide|toggle|view|see|expand)\b/i;

const expandable = defineComponent({
  names: ['Expandable'],
  summary: 'Nested fields that are initially collapsed.',
  example: `<ResponseField name="job" type="object">
  The job.
  <Expandable title="properties">
    <ResponseField name="status" type="string">\`queued\`, \`running\`, \`completed\` or \`failed\`.</ResponseField>
  </Expandable>
</ResponseField>`,
  props: {
    title: { type: 'title', description: 'The name of the content, after "Show" or "Hide".' },
    defaultOpen: { type: 'flag', description: 'Whether it is initially open.' },
    closedText: { type: 'text', description: 'The word before the title while collapsed.' },
    openedText: { type: 'text', description: 'The word before the title while expanded.' },
    lazy: { type: 'flag', description: 'Has no effect: the content is always in the page.' },
  },
  html(props, node, page) {
    const title = props.title ? page.render(props.title) : word('childAttributes');
    const [show, hide] = OWN_VERB.test(title.value) ? ['', ''] : [word('show'), word('hide')];
    return html`<details class="d-expandable expandable" data-component="expandable"${attributes({ open: props.defaultOpen })}><summary data-component-part="expandable-button"><i class="d-sign" data-sign="chevron" aria-hidden="true"></i><span><span class="d-when-closed">${props.closedText ?? show}</span><span class="d-when-open">${props.openedText ?? hide}</span> ${title}</span></summary><div class="d-more-body">${page.render(
      node.children,
    )}</div></details>`;
  },
  markdown: ({ title }, { children }) => [...titleLine(title), ...children],
});

export const accordions: readonly Component[] = [accordion, accordionGroup, expandable];
