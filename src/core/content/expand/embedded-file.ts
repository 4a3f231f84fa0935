import { fileNameOf } from '../../outside/address.ts';
import type { ContentNode, ElementNode } from './content-node.ts';

/** Elements that show a file through a plugin, and their attribute with its address. */
const ADDRESS = new Map([
  ['object', 'data'],
  ['embed', 'src'],
]);
const IMAGE = /^image\/|\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp)$/i;
const VIDEO = /^video\/|\.(?:mp4|webm|mov|m4v|ogv)$/i;
const AUDIO = /^audio\/|\.(?:mp3|m4a|wav|ogg|oga|aac|flac)$/i;

/**
 * Makes an element. `<object>` and `<embed>`, which browsers may not load from our pages, become the element that shows their
 * file without a plugin: `<img>`, `<video>`, `<audio>`, and `<iframe>` for PDFs and everything else. What an `<object>` holds
 * for browsers that cannot show the file is then not needed; an `<object>` without a file is only its contents.
 */
export function madeElement(
  tag: string,
  attributes: ElementNode['attributes'],
  children: ContentNode[],
  line?: number | undefined,
): ElementNode {
  const place = line === undefined ? {} : { line };
  const { [ADDRESS.get(tag) ?? '']: address, type, ...others } = attributes;
  if (typeof address !== 'string' || address.trim() === '') return { type: 'element', tag, attributes, children, ...place };
  const title = others.title ?? others['aria-label'] ?? fileNameOf(address) ?? 'Document';
  const path = address.replace(/[?#][\s\S]*/, '');
  const isKind = (kind: RegExp): boolean =>
    typeof type === 'string' && /^(?:image|video|audio)\//.test(type) ? kind.test(type) : kind.test(path);
  const shown = (name: string, own: ElementNode['attributes']): ElementNode => ({
    type: 'element',
    tag: name,
    attributes: { ...others, src: address, ...own },
    children: [],
    ...place,
  });
  if (isKind(IMAGE)) return shown('img', { alt: title });
  if (isKind(VIDEO)) return shown('video', { title, controls: true, preload: 'metadata' });
  if (isKind(AUDIO)) return shown('audio', { title, controls: true, preload: 'metadata' });
  const hasSize = ['width', 'height', 'style', 'class'].some((name) => others[name] !== undefined);
  return shown('iframe', hasSize ? { title } : { title, class: 'd-document' });
}
