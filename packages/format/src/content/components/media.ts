import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../nodes/content-node.ts';
import { element, line } from '../nodes/plain-nodes.ts';
import { CLASS_PROP, type Component, classNames, defineComponent } from './define-component.ts';

const frame = defineComponent({
  names: ['Frame'],
  summary: 'A framed picture or video. Videos that start automatically are muted.',
  example: `<Frame caption="A frame with a *caption*" hint="Look here">
  <img src="/logo/light.svg" alt="The word Docent beside a small open book" width="240" />
</Frame>`,
  props: {
    src: { type: 'address', description: 'An image, if the content has none.' },
    alt: { type: 'text', default: '', description: 'The alternative text of that image.' },
    caption: { type: 'markdown', description: 'A caption below the picture.' },
    hint: { type: 'markdown', description: 'A line above the picture.' },
  },
  html(props, node, page) {
    const caption = props.caption && page.render(props.caption);
    const hint = props.hint && page.render(props.hint);
    const content = page.render(framed(props, node).map(withQuietAutoplay));
    return html`<figure class="d-frame frame" data-component="frame">${hint && html`<p class="d-figure-hint">${hint}</p>`}<div class="d-figure-content">${content}</div>${
      caption &&
      html`<figcaption class="d-figure-caption" data-component-part="frame-caption">${caption}</figcaption>`
    }</figure>`;
  },
  markdown: (props, node) => [
    ...line(props.hint),
    ...framed(props, node),
    ...(props.caption ? line(element('em', {}, props.caption)) : []),
  ],
});

function framed(
  { src, alt }: { src?: string | undefined; alt: string },
  { children, line }: ComponentNode,
): ContentNode[] {
  return src === undefined
    ? children
    : [{ ...element('img', { src, alt }), ...(line !== undefined && { line }) }, ...children];
}

/** Browsers only autoplay videos that are muted. */
function withQuietAutoplay(node: ContentNode): ContentNode {
  if (node.type !== 'element') return node;
  if (node.tag !== 'video')
    return node.children.length === 0
      ? node
      : { ...node, children: node.children.map(withQuietAutoplay) };
  const starts = Object.entries(node.attributes).some(
    ([name, value]) => name.toLowerCase() === 'autoplay' && value !== false,
  );
  return starts
    ? { ...node, attributes: { ...node.attributes, playsinline: true, loop: true, muted: true } }
    : node;
}

const SIZE = /^\d{1,5}%?$/;

const image = defineComponent({
  names: ['Image'],
  inline: true,
  summary: 'An image as a component.',
  example:
    '<Image src="/logo/light.svg" alt="The word Docent beside a small open book" width="120" />',
  props: {
    src: { type: 'address', aliases: ['darkSrc'], description: 'The file or its URL.' },
    alt: { type: 'text', default: '', description: 'The alternative text.' },
    width: { type: 'text', description: 'Its width in pixels or in percent.' },
    height: { type: 'text', description: 'Its height in pixels or in percent.' },
    ...CLASS_PROP,
  },
  html({ src, alt, width, height, className }, node, page) {
    if (src === undefined) return page.render(node.children);
    return html`<img src="${trustedHtml(page.src(src, node))}"${attributes({
      alt,
      width: width && SIZE.test(width) ? width : undefined,
      height: height && SIZE.test(height) ? height : undefined,
      class: className,
      loading: 'lazy',
    })}>`;
  },
  markdown: ({ src, alt }, { children }) =>
    src === undefined ? children : [element('img', { src, alt })],
});

const video = defineComponent({
  names: ['Video'],
  summary: 'A video file, with controls: `<Video src="/videos/tour.mp4" />`.',
  props: {
    src: { type: 'address', aliases: ['url'], description: 'The file or its URL.' },
    title: { type: 'text', description: 'The alternative text.' },
    ...CLASS_PROP,
  },
  html(props, node, page) {
    if (props.src === undefined) return page.render(node.children);
    return html`<video class="${classNames(props, 'd-video')}" src="${trustedHtml(page.src(props.src, node))}" controls playsinline preload="metadata">${page.render(node.children)}</video>`;
  },
  markdown({ src, title }, { children }) {
    const link =
      src === undefined ? [] : [element('video', title === undefined ? { src } : { src, title })];
    return [...link, ...children];
  },
});

const VIDEO_ID = /^[\w-]{4,20}$/;

/** A video on another site, by its id or its URL. */
const embeddedVideo = (names: readonly [string, ...string[]], host: string): Component =>
  defineComponent({
    names,
    summary: `A video of ${names[0]}, by its URL or ID.`,
    props: {
      id: {
        type: 'text',
        aliases: ['videoId', 'video', 'src', 'url'],
        description: 'The ID of the video, or its URL.',
      },
      title: { type: 'text', default: 'Video', description: 'The alternative text.' },
    },
    markdown({ id, title }, { children }) {
      const number = id?.slice(0, 2000).replace(/^.*(?:v=|\/)([\w-]+)(?:[?&#].*)?$/, '$1');
      if (number === undefined || !VIDEO_ID.test(number)) return children;
      return [
        element('iframe', {
          src: `${host}${number}`,
          title,
          class: 'd-video',
          allowfullscreen: true,
        }),
      ];
    },
  });

export const media: readonly Component[] = [
  frame,
  image,
  video,
  embeddedVideo(['YouTube', 'Youtube'], 'https://www.youtube-nocookie.com/embed/'),
  embeddedVideo(['Vimeo'], 'https://player.vimeo.com/video/'),
];
