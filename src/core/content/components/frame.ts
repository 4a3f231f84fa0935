import { type Html, html } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { anyProp, richProp } from './props.ts';

/** `Frame`: a picture or a video in a quiet frame, with a caption under it and a hint over it. */
export const frame: ComponentRenderer = (node, page) => {
  const caption = captionOf(node, page, 'caption');
  const hint = captionOf(node, page, 'hint');
  const content = page.render(node.children.map(withQuietAutoplay));
  return html`<figure class="d-frame frame" data-component="frame">${hint && html`<p class="d-frame-hint">${hint}</p>`}<div class="d-frame-content">${content}</div>${
    caption && html`<figcaption class="d-frame-caption">${caption}</figcaption>`
  }</figure>`;
};

/** Captions are Markdown whatever they hold, unlike titles. */
function captionOf(node: ComponentNode, page: PageRenderer, name: string): Html | undefined {
  const value = anyProp(node, name);
  return typeof value === 'string' ? page.inlineMarkdown(value) : richProp(node, page, name);
}

/** A video that starts by itself must be silent, or browsers do not start it. */
function withQuietAutoplay(node: ContentNode): ContentNode {
  if (node.type !== 'element') return node;
  if (node.tag !== 'video')
    return node.children.length === 0 ? node : { ...node, children: node.children.map(withQuietAutoplay) };
  const starts = Object.entries(node.attributes).some(([name, value]) => name.toLowerCase() === 'autoplay' && value !== false);
  return starts ? { ...node, attributes: { ...node.attributes, playsinline: true, loop: true, muted: true } } : node;
}
