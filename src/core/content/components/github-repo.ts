import { attributes, html } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { classNames, textProp } from './props.ts';

const REPOSITORY = /^(?:https:\/\/github\.com\/)?([\w.-]{1,100})\/([\w.-]{1,100}?)(?:\.git)?\/?$/;

/** `GitHub.Repo`: a card that leads to a repository. It shows no numbers of stars: the page asks no other server for anything. */
export const githubRepo: ComponentRenderer = (node, page) => {
  const match = REPOSITORY.exec(textProp(node, 'repo') ?? '');
  if (!match) {
    page.warn('bad-repository', 'A repository card needs the repository.', 'Write it as repo="owner/name".', node);
    return page.render(node.children);
  }
  const [, owner, name] = match;
  const attrs = attributes({
    class: classNames(node, 'd-repo'),
    'data-component': 'github-repo',
    'data-variant': textProp(node, 'variant') === 'flat' ? 'flat' : undefined,
  });
  return html`<a${attrs} href="https://github.com/${owner}/${name}">${page.icon('github', {
    type: 'brands',
  })}<span><span class="d-repo-owner">${owner}/</span><strong>${name}</strong></span><i class="d-sign" data-sign="arrow-out" aria-hidden="true"></i></a>`;
};
