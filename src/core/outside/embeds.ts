import { hostOf } from './address.ts';

/** What a frame is replaced by. */
export interface Embed {
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
