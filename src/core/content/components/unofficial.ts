import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { accordion } from './accordions.ts';
import { calloutKind, presetCallout } from './callouts.ts';
import { paramField } from './fields.ts';
import { anyProp, classNames, listProp, textProp } from './props.ts';
import { tree } from './tree.ts';

const link: ComponentRenderer = (node, page) => {
  const href = textProp(node, 'href', 'to', 'url');
  const target = href === undefined ? undefined : trustedHtml(` href="${page.href(href, node)}"`);
  return html`<a${target}${attributes({ class: textProp(node, 'className', 'class') })}>${page.render(node.children)}</a>`;
};

const image: ComponentRenderer = (node, page) => {
  const src = textProp(node, 'src', 'darkSrc');
  if (src === undefined) return page.render(node.children);
  const size = (name: string) => (/^\d{1,5}%?$/.test(textProp(node, name) ?? '') ? textProp(node, name) : undefined);
  return html`<img src="${trustedHtml(page.src(src, node))}"${attributes({
    alt: textProp(node, 'alt') ?? '',
    width: size('width'),
    height: size('height'),
    class: textProp(node, 'className', 'class'),
    loading: 'lazy',
  })}>`;
};

const video: ComponentRenderer = (node, page) => {
  const src = textProp(node, 'src', 'url');
  if (src === undefined) return page.render(node.children);
  return html`<video class="${classNames(node, 'd-video')}" src="${trustedHtml(page.src(src, node))}" controls playsinline preload="metadata">${page.render(node.children)}</video>`;
};

const divider: ComponentRenderer = () => html`<hr>`;

const details: ComponentRenderer = (node, page) => {
  if (anyProp(node, 'title', 'label') !== undefined) return accordion(node, page);
  const summary = textProp(node, 'summary');
  return summary === undefined ? accordion(node, page) : accordion({ ...node, props: { ...node.props, title: summary } }, page);
};

const list: ComponentRenderer = (node, page) => html`<ul class="d-check-list">${page.render(node.children)}</ul>`;
/** A list whose items are Markdown, or texts in a prop. */
const checks: ComponentRenderer = (node, page) => {
  const items = listProp(node, 'items');
  if (items.length === 0) return page.render(node.children);
  return html`<ul class="d-check-list">${items.map((item) => html`<li><i class="d-sign" data-sign="check" aria-hidden="true"></i>${page.inlineMarkdown(item)}</li>`)}</ul>`;
};
const listItem: ComponentRenderer = (node, page) =>
  html`<li><i class="d-sign" data-sign="check" aria-hidden="true"></i>${page.render(node.children)}</li>`;

/** `Alert` and its kin say in a prop how serious they are. */
const alert: ComponentRenderer = (node, page) => {
  const kind = calloutKind(textProp(node, 'type', 'variant', 'kind', 'severity', 'status', 'intent'));
  return presetCallout(kind ?? 'warning')(node, page);
};

/** A component that only wraps what is in it. */
const content: ComponentRenderer = (node, page) => page.render(node.children);

const VIDEO_ID = /^[\w-]{4,20}$/;

/** A video of another site by its number or its address. */
function embeddedVideo(host: string): ComponentRenderer {
  return (node, page) => {
    const id = textProp(node, 'id', 'videoId', 'video', 'src', 'url')
      ?.slice(0, 2000)
      .replace(/^.*(?:v=|\/)([\w-]+)(?:[?&#].*)?$/, '$1');
    if (id === undefined || !VIDEO_ID.test(id)) return page.render(node.children);
    const attributes = {
      src: `${host}${id}`,
      title: textProp(node, 'title') ?? 'Video',
      class: 'd-video',
      allowfullscreen: true,
    };
    return page.render([{ type: 'element', tag: 'iframe', attributes, children: [] }]);
  };
}

const youTube = embeddedVideo('https://www.youtube-nocookie.com/embed/');

/**
 * Components that are not part of the format, and that published pages use all the same: what is meant is plain, so the page
 * shows it.
 */
export const unofficialComponents: readonly (readonly [string, ComponentRenderer])[] = [
  ['Link', link],
  ['Image', image],
  ['Video', video],
  ['Divider', divider],
  ['Details', details],
  ['Important', presetCallout('warning')],
  ['Attention', presetCallout('warning')],
  ['Caution', presetCallout('warning')],
  ['Warn', presetCallout('warning')],
  ['Alert', alert],
  ['Admonition', alert],
  ['Aside', alert],
  ['Hint', presetCallout('tip')],
  ['Success', presetCallout('check')],
  ['Critical', presetCallout('danger')],
  ['Error', presetCallout('danger')],
  ['RequestField', paramField],
  ['Files', tree],
  ['CheckList', list],
  ['CheckListItem', listItem],
  ['CheckboxList', checks],
  ['TableWrapper', content],
  ['YouTube', youTube],
  ['Youtube', youTube],
  ['Vimeo', embeddedVideo('https://player.vimeo.com/video/')],
];
