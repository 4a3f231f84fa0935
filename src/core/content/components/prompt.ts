import { html } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { isBlank } from './child-components.ts';
import { iconProp, listProp, richProp } from './props.ts';

/** `Prompt`: text to give to an assistant, closed under its description, with a button that copies it. */
export const prompt: ComponentRenderer = (node, page) => {
  page.need('docent-prompt');
  const description = richProp(node, page, 'description', 'title') ?? html`Prompt`;
  const actions = listProp(node, 'actions').filter((action) => action === 'copy' || action === 'cursor');
  const icon = iconProp(node, page) ?? html`<i class="d-sign" data-sign="spark"></i>`;
  const text = isBlank(node.children)
    ? undefined
    : html`<details><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>Show prompt</summary><div class="d-prompt-text">${page.render(node.children)}</div></details>`;
  return html`<docent-prompt class="d-prompt prompt" data-component="prompt" data-actions="${(actions.length > 0 ? actions : ['copy']).join(' ')}"><div class="d-prompt-head"><span class="d-prompt-icon" aria-hidden="true">${icon}</span><div class="d-prompt-description">${description}</div></div>${text}</docent-prompt>`;
};
