import { attributes, html } from '../../html.ts';
import { element, isBlank, line, titleLine } from '../nodes/plain-nodes.ts';
import { word } from '../page/words.ts';
import {
  CLASS_PROP,
  type Component,
  classNames,
  defineComponent,
  ICON_PROPS,
  iconOf,
} from './define-component.ts';

const prompt = defineComponent({
  names: ['Prompt'],
  summary: 'A prompt for an assistant, collapsed below its description, with a copy button.',
  example: `<Prompt description="Write a changelog entry" actions={['copy', 'cursor']}>
  Write a changelog entry for the last commit, in one sentence.
</Prompt>`,
  props: {
    description: { type: 'title', aliases: ['title'], description: 'The purpose of the prompt.' },
    actions: {
      type: 'list',
      values: ['copy', 'cursor'],
      description: 'The buttons; by default, `copy`.',
    },
    ...ICON_PROPS,
  },
  html(props, node, page) {
    page.need('docent-prompt');
    const description = props.description ? page.render(props.description) : html`Prompt`;
    const icon = iconOf(props, page) ?? html`<i class="d-sign" data-sign="spark"></i>`;
    const text = isBlank(node.children)
      ? undefined
      : html`<details class="d-brief-more"><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${word('showPrompt')}</summary><div class="d-brief-source">${page.render(node.children)}</div></details>`;
    return html`<docent-prompt class="d-prompt prompt" data-component="prompt" data-actions="${(props.actions.length > 0 ? props.actions : ['copy']).join(' ')}"><div class="d-brief-head"><span class="d-brief-sign" aria-hidden="true">${icon}</span><div class="d-brief-text">${description}</div></div>${text}</docent-prompt>`;
  },
  markdown: ({ description }, { children }) => [
    ...titleLine(description),
    ...(isBlank(children) ? [] : [element('blockquote', {}, children)]),
  ],
});

const REPOSITORY = /^(?:https:\/\/github\.com\/)?([\w.-]{1,100})\/([\w.-]{1,100}?)(?:\.git)?\/?$/;

/** Shows no star counts: the page requests nothing from other servers. */
const repository = defineComponent({
  names: ['GitHub.Repo'],
  summary: 'A card that links to a repository.',
  example: '<GitHub.Repo repo="octocat/hello-world" />',
  props: {
    repo: { type: 'text', description: '`owner/name`, or its GitHub URL.' },
    variant: {
      type: 'text',
      values: ['inset', 'flat'],
      default: 'inset',
      description: 'With a frame or without.',
    },
    ...CLASS_PROP,
  },
  html(props, node, page) {
    const match = REPOSITORY.exec(props.repo ?? '');
    if (!match) {
      page.warn(
        'bad-repository',
        'A repository card needs a repository.',
        'Write it as repo="owner/name".',
        node,
      );
      return page.render(node.children);
    }
    const [, owner, name] = match;
    const attrs = attributes({
      class: classNames(props, 'd-repo'),
      'data-component': 'github-repo',
      'data-variant': props.variant === 'flat' ? 'flat' : undefined,
    });
    return html`<a${attrs} href="https://github.com/${owner}/${name}">${page.icon('github', {
      type: 'brands',
    })}<span><span class="d-repo-owner">${owner}/</span><strong>${name}</strong></span><i class="d-sign" data-sign="arrow-out" aria-hidden="true"></i></a>`;
  },
  markdown({ repo }, { children }) {
    const [, owner, name] = REPOSITORY.exec(repo ?? '') ?? [];
    if (owner === undefined) return children;
    return line(element('a', { href: `https://github.com/${owner}/${name}` }, `${owner}/${name}`));
  },
});

export const prompts: readonly Component[] = [prompt, repository];
