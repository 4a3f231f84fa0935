import { emptyHtml, type Html, html, joinHtml } from '../../html.ts';
import { type ComponentNode, isComponent } from '../expand/content-node.ts';
import type { PageRenderer } from '../page-renderer.ts';
import { GROUP_PROPS, renderCodeGroup } from './code-group.ts';
import { type Component, defineComponent } from './define-component.ts';
import { titleLine } from './plain-nodes.ts';

const NAMES = ['RequestExample', 'ResponseExample'] as const;

function renderExample(node: ComponentNode, page: PageRenderer): Html {
  const kind = node.name === 'RequestExample' ? 'request-example' : 'response-example';
  return html`<div class="d-example" data-component="${kind}">${renderCodeGroup(node, page)}</div>`;
}

const example = (name: (typeof NAMES)[number], title: string, summary: string, source: string): Component =>
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
  props: {},
  html(_, node, page) {
    const parts = node.children.map((child) =>
      isComponent(child, ...NAMES) ? renderExample(child, page) : page.render([child]),
    );
    page.addAside(html`<div class="d-panel panel" data-component="panel">${joinHtml(parts)}</div>`);
    return emptyHtml;
  },
  markdown: (_, { children }) => children,
});

const REQUEST = '```bash Request\ncurl https://example.com/v1/jobs\n```';
const RESPONSE = '```json 200\n{ "status": "queued" }\n```';

export const examples: readonly Component[] = [
  example('RequestExample', 'Request example', 'A request, beside the text on wide screens.', REQUEST),
  example('ResponseExample', 'Response example', 'A response, beside the text on wide screens.', RESPONSE),
  panel,
];
