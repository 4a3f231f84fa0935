import { attributes, html } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { anchorProp, flagProp, iconProp, plainProp, richProp, textProp } from './props.ts';

/** `Accordion`: a `<details>`, so it opens without scripts, by keyboard, by search in the page and for printing. */
export const accordion: ComponentRenderer = (node, page) => {
  const title = richProp(node, page, 'title', 'label') ?? html`Details`;
  const description = richProp(node, page, 'description');
  const id = anchorProp(node, page, plainProp(node, page, 'title', 'label') ?? 'Details');
  const icon = iconProp(node, page);
  page.need('docent-accordion');
  return html`<details class="d-accordion accordion" data-component="accordion" id="${id}"${attributes({ open: flagProp(node, 'defaultOpen') })}><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${
    icon && html`<span class="d-accordion-icon" aria-hidden="true">${icon}</span>`
  }<span class="d-accordion-head"><span class="d-accordion-title">${title}</span>${
    description && html`<span class="d-accordion-description">${description}</span>`
  }</span></summary><div class="d-accordion-body">${page.render(node.children)}</div></details>`;
};

/** `AccordionGroup`: one frame around several. */
export const accordionGroup: ComponentRenderer = (node, page) => {
  return html`<div class="d-accordion-group accordion-group" data-component="accordion-group">${page.render(node.children)}</div>`;
};

/** A title that already says what a click does. */
const OWN_VERB = /^(?:show|hide|toggle|view|see|expand)\b/i;

/** `Expandable`: nested fields that start closed. The words before the title say what a click does. */
export const expandable: ComponentRenderer = (node, page) => {
  const title = richProp(node, page, 'title') ?? html`child attributes`;
  const [show, hide] = OWN_VERB.test(title.value) ? ['', ''] : ['Show', 'Hide'];
  const closed = textProp(node, 'closedText') ?? show;
  const opened = textProp(node, 'openedText') ?? hide;
  return html`<details class="d-expandable expandable" data-component="expandable"${attributes({ open: flagProp(node, 'defaultOpen') })}><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i><span><span class="d-when-closed">${closed}</span><span class="d-when-open">${opened}</span> ${title}</span></summary><div class="d-expandable-body">${page.render(
    node.children,
  )}</div></details>`;
};
