import { html } from '../../html.ts';
import { word } from '../words.ts';
import { isBlank } from './child-components.ts';
import { defineComponent } from './define-component.ts';
import { element, titleLine } from './plain-nodes.ts';
import { ICON_PROPS, iconOf } from './props.ts';

export const prompt = defineComponent({
  names: ['Prompt'],
  summary: 'A prompt for an assistant, collapsed below its description, with a copy button.',
  example: `<Prompt description="Write a changelog entry" actions={['copy', 'cursor']}>
  Write a changelog entry for the last commit, in one sentence.
</Prompt>`,
  props: {
    description: { type: 'title', aliases: ['title'], description: 'The purpose of the prompt.' },
    actions: { type: 'list', values: ['copy', 'cursor'], description: 'The buttons; by default, `copy`.' },
    ...ICON_PROPS,
  },
  html(props, node, page) {
    page.need('docent-prompt');
    const description = props.description ? page.render(props.description) : html`Prompt`;
    const icon = iconOf(props, page) ?? html`<i class="d-sign" data-sign="spark"></i>`;
    const text = isBlank(node.children)
      ? undefined
      : html`<details class="d-prompt-more"><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${word('showPrompt')}</summary><div class="d-prompt-text">${page.render(node.children)}</div></details>`;
    return html`<docent-prompt class="d-prompt prompt" data-component="prompt" data-actions="${(props.actions.length > 0 ? props.actions : ['copy']).join(' ')}"><div class="d-prompt-head"><span class="d-prompt-icon" aria-hidden="true">${icon}</span><div class="d-prompt-description">${description}</div></div>${text}</docent-prompt>`;
  },
  markdown: ({ description }, { children }) => [
    ...titleLine(description),
    ...(isBlank(children) ? [] : [element('blockquote', {}, children)]),
  ],
});
