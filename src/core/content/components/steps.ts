import { attributes, type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import { type ComponentNode, isComponent } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { anchorProp, flagProp, iconProp, numberProp, plainProp, richProp, textProp } from './props.ts';

/** Sizes of step titles: what they are marked up as, and how deep they stand in the table of contents. */
const SIZES: ReadonlyMap<string, { tag: string; depth: number }> = new Map([
  ['p', { tag: 'p', depth: 3 }],
  ['h2', { tag: 'h2', depth: 2 }],
  ['h3', { tag: 'h3', depth: 3 }],
  ['h4', { tag: 'h4', depth: 4 }],
]);

/** `Steps`: numbers its steps in order; a step may set its own number, and counting goes on from there. */
export const steps: ComponentRenderer = (node, page) => {
  const titleSize = textProp(node, 'titleSize');
  let number = 0;
  const parts = node.children.map((child) => {
    if (!isComponent(child, 'Step')) return page.render([child]);
    number = numberProp(child, 'stepNumber') ?? number + 1;
    return renderStep(child, page, number, titleSize);
  });
  return html`<div class="d-steps steps" data-component="steps" role="list">${joinHtml(parts)}</div>`;
};

/** `Step` outside `Steps`. */
export const step: ComponentRenderer = (node, page) => {
  const number = numberProp(node, 'stepNumber') ?? 1;
  return html`<div class="d-steps steps" data-component="steps" role="list">${renderStep(node, page, number, undefined)}</div>`;
};

function renderStep(node: ComponentNode, page: PageRenderer, number: number, groupSize: string | undefined): Html {
  const marker = iconProp(node, page) ?? html`${number}`;
  const head = stepTitle(node, page, textProp(node, 'titleSize') ?? groupSize);
  return html`<div class="d-steps-item step" data-component="step" role="listitem"><div class="d-steps-marker" aria-hidden="true">${marker}</div><div class="d-steps-body">${head}<div class="d-steps-content">${page.render(
    node.children,
  )}</div></div></div>`;
}

function stepTitle(node: ComponentNode, page: PageRenderer, wantedSize: string | undefined): Html | undefined {
  const title = richProp(node, page, 'title');
  if (title === undefined) return undefined;
  const { tag, depth } = SIZES.get(wantedSize ?? 'p') ?? { tag: 'p', depth: 3 };
  const text = plainProp(node, page, 'title') ?? '';
  let id: string | undefined;
  if (!flagProp(node, 'noAnchor')) {
    id = anchorProp(node, page, text);
    page.addTocEntry(depth, id, text);
  }
  const link = id === undefined ? undefined : html`<a class="d-anchor" href="#${id}" aria-label="Link to ${text}"></a>`;
  const name = trustedHtml(tag);
  return html`<${name}${attributes({ class: 'd-steps-title', id, 'data-size': tag })}>${title}${link}</${name}>`;
}
