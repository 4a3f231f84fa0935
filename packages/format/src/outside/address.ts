import { decodeAddress } from '../links.ts';

const OUTSIDE = /^(?:https?:)?[\\/]{2}[^\\/\s]/i;

/**
 * Returns the absolute URL of an address on another server; undefined for files of the site, data
 * URLs and the like. Reads
 * `//x.test/a` as `https:`.
 */
export function outsideAddress(text: string): string | undefined {
  const address = text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  if (!OUTSIDE.test(address)) return undefined;
  return /^https?:/i.test(address) ? address : `https://${address.slice(2)}`;
}

/** Returns the server of a URL as readers know it. */
export function hostOf(address: string): string {
  return /^https?:[\\/]{2}(?:www\.)?([^\\/?#\s]+)/i.exec(address)?.[1] ?? address;
}

/**
 * Returns the name of the file at an address, which often describes it; undefined if the address
 * names none.
 */
export function fileNameOf(address: string): string | undefined {
  const name = /(?:^|\/)([^/?#]+\.\w{2,5})(?:[?#]|$)/.exec(
    address.replace(/^(?:https?:)?\/\/[^/]*/i, ''),
  )?.[1];
  return name === undefined ? undefined : decodeAddress(name);
}

/**
 * Returns the words in place of a picture: the first of its texts, else its file name, and its
 * server.
 */
export function outsideLabel(
  address: string,
  texts: readonly unknown[],
): { text: string; host: string } {
  const host = hostOf(address);
  const written = texts
    .map((text) => (typeof text === 'string' ? text.trim() : ''))
    .find((text) => text !== '');
  return { text: written ?? fileNameOf(address) ?? host, host };
}

/** An address or a link mark, and the text up to the next comma. */
const CANDIDATE = /[\s,]*(\u0001[^\u0001]*\u0001|[^\s,]\S*)(\s+[^,\s][^,]*)?/y;
const SIZE = /^\s+\d{1,9}(?:\.\d{1,9})?[wxh](?=\s|$)/;

/**
 * Rewrites the addresses of a `srcset`; sizes stay. Commas may be part of an address (HTML
 * §4.8.4.2.1).
 * @param change returns the new address; undefined to remove it
 */
export function mapSourceSet(
  value: string,
  change: (address: string) => string | undefined,
): string {
  const candidates: string[] = [];
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(value); match; match = CANDIDATE.exec(value)) {
    const [, written = '', size = ''] = match;
    const address = written.replace(/(?<!,),+$/, '');
    // A trailing comma means that no size follows.
    if (address !== written) CANDIDATE.lastIndex -= size.length;
    const changed = change(address);
    const kept = address === written ? SIZE.exec(size)?.[0].trim() : undefined;
    if (changed !== undefined) candidates.push(kept === undefined ? changed : `${changed} ${kept}`);
  }
  return candidates.join(', ');
}

const MAX_INLINE_LENGTH = 4 * 1024;

/**
 * A small SVG as a `data:` URL, for masks in CSS: browsers load none from another file of a site
 * that is opened from disk. Returns undefined for a large one.
 */
export function inlinePicture(svg: string): string | undefined {
  return svg.length <= MAX_INLINE_LENGTH
    ? `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`
    : undefined;
}

/** What a frame is replaced by. */
interface Embed {
  /** The video's page, for readers. */
  href: string;
  /** Whether it is a video rather than an application. */
  isFilm: boolean;
  /** URL of its thumbnail, or of the video's description that names it (oEmbed 1.0). */
  poster?: { kind: 'poster' | 'oembed'; address: string };
}

interface Platform {
  host: RegExp;
  /** Extracts the video's id from the path. */
  path: RegExp;
  href: (id: string) => string;
  poster: (id: string, href: string) => NonNullable<Embed['poster']>;
}

const oembed =
  (endpoint: string) =>
  (_: string, href: string): NonNullable<Embed['poster']> => ({
    kind: 'oembed',
    address: `${endpoint}?format=json&url=${encodeURIComponent(href)}`,
  });

const PLATFORMS: readonly Platform[] = [
  {
    host: /^(?:m\.)?(?:youtube|youtube-nocookie)\.com$/,
    path: /^\/(?:embed|shorts|live|v)\/([\w-]{6,20})(?=[/?#]|$)/,
    href: (id) => `https://www.youtube.com/watch?v=${id}`,
    poster: (id) => ({ kind: 'poster', address: `https://i.ytimg.com/vi/${id}/hqdefault.jpg` }),
  },
  {
    host: /^(?:player\.)?vimeo\.com$/,
    path: /^\/(?:video\/)?(\d{4,20})(?=[/?#]|$)/,
    href: (id) => `https://vimeo.com/${id}`,
    poster: oembed('https://vimeo.com/api/oembed.json'),
  },
  {
    host: /^loom\.com$/,
    path: /^\/(?:embed|share)\/([\da-f]{16,64})(?=[/?#]|$)/,
    href: (id) => `https://www.loom.com/share/${id}`,
    poster: oembed('https://www.loom.com/v1/oembed'),
  },
  {
    host: /^fast\.wistia\.(?:net|com)$/,
    path: /^\/embed\/(?:iframe|medias)\/([\w-]{6,20})(?=[/.?#]|$)/,
    href: (id) => `https://fast.wistia.net/embed/iframe/${id}`,
    poster: oembed('https://fast.wistia.com/oembed'),
  },
  {
    host: /^dailymotion\.com$/,
    path: /^\/embed\/video\/(\w{4,20})(?=[/?#]|$)/,
    href: (id) => `https://www.dailymotion.com/video/${id}`,
    poster: oembed('https://www.dailymotion.com/services/oembed'),
  },
];

/** Parses the address of a frame. An unknown platform links to itself. */
export function embedOf(address: string): Embed {
  const host = hostOf(address).toLowerCase();
  const path = address.replace(/^https?:[\\/]{2}[^\\/?#]*/i, '');
  for (const platform of PLATFORMS) {
    const id = platform.host.test(host) ? platform.path.exec(path)?.[1] : undefined;
    if (id === undefined) continue;
    const href = platform.href(id);
    return { href, isFilm: true, poster: platform.poster(id, href) };
  }
  return { href: address, isFilm: /\.(?:mp4|webm|mov|m4v|ogv|m3u8)(?:[?#]|$)/i.test(address) };
}
