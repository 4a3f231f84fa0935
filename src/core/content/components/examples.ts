import { emptyHtml, type Html, html, joinHtml } from '../../html.ts';
import { type ComponentNode, isComponent } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { renderCodeGroup } from './code-group.ts';

function renderExample(node: ComponentNode, page: PageRenderer): Html {
  const kind = node.name === 'RequestExample' ? 'request-example' : 'response-example';
  return html`<div class="d-example" data-component="${kind}">${renderCodeGroup(node, page)}</div>`;
}

/** `RequestExample` and `ResponseExample`: code that stands beside the text where there is room. */
export const example: ComponentRenderer = (node, page) => {
  page.addAside(renderExample(node, page));
  return emptyHtml;
};

/** `Panel`: the author's own right column. Examples in it stay where they are in it. */
export const panel: ComponentRenderer = (node, page) => {
  const parts = node.children.map((child) =>
    isComponent(child, 'RequestExample', 'ResponseExample') ? renderExample(child, page) : page.render([child]),
  );
  page.addAside(html`<div class="d-panel panel" data-component="panel">${joinHtml(parts)}</div>`);
  return emptyHtml;
};
