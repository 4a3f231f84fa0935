import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { accordion } from './accordions.ts';
import { calloutKind, presetCallout } from './callouts.ts';
import { paramField } from './fields.ts';
import { anyProp, classNames, listProp, textProp } from './props.ts';
import { tree } from './tree.ts';

/**
 * Components that are not part of the format, and that published pages use all the same: what is meant is plain, so
 * the page keeps its content, and the author learns the proper name.
 */
function tolerated(remedy: string, render: ComponentRenderer): ComponentRenderer {
  return (node, page) => {
    page.warn(
      'unofficial-component',
      `<${node.name}> is not a component of the format; it is shown as what it seems to mean.`,
      remedy,
      node,
    );
    return render(node, page);
  };
}

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
    const id = textProp(node, 'id', 'videoId', 'video', 'src', 'url')?.replace(/^.*(?:v=|\/)([\w-]+)(?:[?&#].*)?$/, '$1');
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

const useIframe = 'Use <iframe src="https://…" title="…"></iframe>.';
const useCallout = 'Use <Note>, <Info>, <Tip>, <Check>, <Warning> or <Danger>.';
const useTree = 'Use <Tree> with <Tree.Folder> and <Tree.File>.';

export const unofficialComponents: readonly (readonly [string, ComponentRenderer])[] = [
  ['Link', tolerated('Write a Markdown link, [text](/page), or <a href="…">.', link)],
  ['Image', tolerated('Write a Markdown image, ![text](/images/a.png), or <img src="…" />.', image)],
  ['Video', tolerated('Use the HTML element <video src="…" controls />.', video)],
  ['Divider', tolerated('Write --- on a line of its own.', divider)],
  ['Details', tolerated('Use <Accordion title="…">.', details)],
  ['Important', tolerated(useCallout, presetCallout('warning'))],
  ['Attention', tolerated(useCallout, presetCallout('warning'))],
  ['Caution', tolerated(useCallout, presetCallout('warning'))],
  ['Warn', tolerated(useCallout, presetCallout('warning'))],
  ['Alert', tolerated(useCallout, alert)],
  ['Admonition', tolerated(useCallout, alert)],
  ['Aside', tolerated(useCallout, alert)],
  ['Hint', tolerated(useCallout, presetCallout('tip'))],
  ['Success', tolerated(useCallout, presetCallout('check'))],
  ['Critical', tolerated(useCallout, presetCallout('danger'))],
  ['Error', tolerated(useCallout, presetCallout('danger'))],
  ['RequestField', tolerated('Use <ParamField>.', paramField)],
  ['Files', tolerated(useTree, tree)],
  ['CheckList', tolerated('Write a Markdown list.', list)],
  ['CheckListItem', tolerated('Write a Markdown list.', listItem)],
  ['CheckboxList', tolerated('Write a Markdown list.', checks)],
  ['TableWrapper', tolerated('Tables scroll by themselves.', content)],
  ['YouTube', tolerated(useIframe, youTube)],
  ['Youtube', tolerated(useIframe, youTube)],
  ['Vimeo', tolerated(useIframe, embeddedVideo('https://player.vimeo.com/video/'))],
];
