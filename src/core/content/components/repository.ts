import { attributes, html } from '../../html.ts';
import { defineComponent } from './define-component.ts';
import { element, line } from './plain-nodes.ts';
import { CLASS_PROP, classNames } from './props.ts';

const REPOSITORY = /^(?:https:\/\/github\.com\/)?([\w.-]{1,100})\/([\w.-]{1,100}?)(?:\.git)?\/?$/;

/** Shows no star counts: the page requests nothing from other servers. */
export const repository = defineComponent({
  names: ['GitHub.Repo'],
  summary: 'A card that links to a repository.',
  example: '<GitHub.Repo repo="octocat/hello-world" />',
  props: {
    repo: { type: 'text', description: '`owner/name`, or its GitHub URL.' },
    variant: { type: 'text', values: ['inset', 'flat'], default: 'inset', description: 'With a frame or without.' },
    ...CLASS_PROP,
  },
  html(props, node, page) {
    const match = REPOSITORY.exec(props.repo ?? '');
    if (!match) {
      page.warn('bad-repository', 'A repository card needs a repository.', 'Write it as repo="owner/name".', node);
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
