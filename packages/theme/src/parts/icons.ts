import { type Html, trustedHtml } from '@docent/format/html.ts';
import { type Frame, siteIcon } from '../view/frame.ts';

/** The UI icons, drawn on a 24 × 24 grid with a line width of 1.75. */
const DRAWINGS = {
  search: '<circle cx="10.75" cy="10.75" r="6.5"/><path d="m15.5 15.5 5 5"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>',
  moon: '<path d="M20.5 14.2A8.5 8.5 0 1 1 9.8 3.5a7 7 0 0 0 10.7 10.7Z"/>',
  system: '<rect x="3" y="4.5" width="18" height="12" rx="2"/><path d="M9 20.5h6M12 16.5v4"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  copy: '<rect x="8.5" y="8.5" width="12" height="12" rx="2.5"/><path d="M15.5 5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2"/>',
  markdown:
    '<path d="M13.5 3.5h-6a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-10Z"/><path d="M13.5 3.5v5h5M9 13h6M9 16.5h4"/>',
  chat: '<path d="M20.5 11.5a8 8 0 0 1-8.5 8 9.3 9.3 0 0 1-3.6-.7L3.5 20.5l1.6-4.3a7.6 7.6 0 0 1-1.6-4.7 8 8 0 0 1 8.5-8 8 8 0 0 1 8.5 8Z"/>',
  plug: '<path d="M9 3.5v4.5M15 3.5v4.5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0ZM12 17v3.5"/>',
  print:
    '<path d="M7 8.5v-5h10v5M7 17.5H5.5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H17M7 14.5h10v6H7Z"/>',
  download: '<path d="M12 3.5v11.5M7.5 10.5 12 15l4.5-4.5M4 20h16"/>',
  globe:
    '<circle cx="12" cy="12" r="8.75"/><path d="M3.25 12h17.5M12 3.25c2.4 2.4 3.6 5.3 3.6 8.75s-1.2 6.35-3.6 8.75c-2.4-2.4-3.6-5.3-3.6-8.75S9.6 5.65 12 3.25Z"/>',
  back: '<path d="M19 12H5M11 6l-6 6 6 6"/>',
  forward: '<path d="M5 12h14M13 6l6 6-6 6"/>',
  feed: '<path d="M5 11a8 8 0 0 1 8 8M5 4.5A14.5 14.5 0 0 1 19.5 19"/><circle cx="6" cy="18" r="1"/>',
  sparkle:
    '<path d="M11 4.5c.5 4.3 2.7 6.5 7 7-4.3.5-6.5 2.7-7 7-.5-4.3-2.7-6.5-7-7 4.3-.5 6.5-2.7 7-7Z"/><path d="M18.5 3v4M16.5 5h4"/>',
  'thumbs-up':
    '<path d="M7.5 20.5h-3v-10h3m0 10v-10l4-7a2.5 2.5 0 0 1 2.4 3.1l-.9 3.4h5.2a2 2 0 0 1 2 2.4l-1.3 6.5a2 2 0 0 1-2 1.6Z"/>',
  'thumbs-down':
    '<path d="M16.5 3.5h3v10h-3m0-10v10l-4 7a2.5 2.5 0 0 1-2.4-3.1l.9-3.4H5.8a2 2 0 0 1-2-2.4l1.3-6.5a2 2 0 0 1 2-1.6Z"/>',
  pencil:
    '<path d="m4 20 1-4.5L16.2 4.3a1.75 1.75 0 0 1 2.5 0l1 1a1.75 1.75 0 0 1 0 2.5L8.5 19Z"/><path d="m14 6.5 3.5 3.5"/>',
  flag: '<path d="M5.5 21V4M5.5 4.5c4.5-2.5 8 2.5 13 0v9c-5 2.5-8.5-2.5-13 0"/>',
  lines: '<path d="M4 6.5h16M4 12h10M4 17.5h13"/>',
} as const;

export type InterfaceIcon = keyof typeof DRAWINGS;

/** Icons of nearly every page: masks in `site.css`, so that the page itself does not draw them. */
const MASKS = [
  'search',
  'sun',
  'moon',
  'system',
  'menu',
  'close',
  'copy',
  'markdown',
  'chat',
  'sparkle',
  'lines',
] as const satisfies readonly InterfaceIcon[];

/** The rules of `site.css` for these icons. */
export function iconMasks(): string {
  const rules = MASKS.map((name) => {
    const drawing = DRAWINGS[name].replaceAll('"', "'");
    const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='black' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'>${drawing}</svg>`;
    const address = svg.replaceAll('<', '%3C').replaceAll('>', '%3E');
    return `.d-i-${name}{--d-sign:url("data:image/svg+xml,${address}")}`;
  });
  return `@layer base{${rules.join('')}}`;
}

/**
 * Returns an icon, hidden from assistive technology: the control around it has the accessible name.
 * The lines of one that is in the page are in the style sheet.
 */
export function interfaceIcon(name: InterfaceIcon, sizePx: 14 | 16 | 18 = 16): Html {
  if (MASKS.some((mask) => mask === name)) {
    const size = sizePx === 16 ? '' : ` d-i-${sizePx}`;
    return trustedHtml(`<i class="d-i d-i-${name}${size}"></i>`);
  }
  return trustedHtml(
    `<svg class="d-i" width="${sizePx}" height="${sizePx}" viewBox="0 0 24 24" aria-hidden="true">${DRAWINGS[name]}</svg>`,
  );
}

interface Platform {
  /** Name of its brand icon; a globe for a platform without one. */
  mark?: string;
  /** The accessible name. */
  label: string;
}

/** The platforms in docs.json. */
const PLATFORMS: ReadonlyMap<string, Platform> = new Map([
  ['x', { mark: 'x-twitter', label: 'X' }],
  ['x-twitter', { mark: 'x-twitter', label: 'X' }],
  ['twitter', { mark: 'twitter', label: 'Twitter' }],
  ['website', { label: 'Website' }],
  ['earth-americas', { label: 'Website' }],
  ['facebook', { mark: 'facebook', label: 'Facebook' }],
  ['youtube', { mark: 'youtube', label: 'YouTube' }],
  ['discord', { mark: 'discord', label: 'Discord' }],
  ['slack', { mark: 'slack', label: 'Slack' }],
  ['github', { mark: 'github', label: 'GitHub' }],
  ['linkedin', { mark: 'linkedin', label: 'LinkedIn' }],
  ['instagram', { mark: 'instagram', label: 'Instagram' }],
  ['hacker-news', { mark: 'hacker-news', label: 'Hacker News' }],
  ['medium', { mark: 'medium', label: 'Medium' }],
  ['telegram', { mark: 'telegram', label: 'Telegram' }],
  ['bluesky', { mark: 'bluesky', label: 'Bluesky' }],
  ['threads', { mark: 'threads', label: 'Threads' }],
  ['reddit', { mark: 'reddit', label: 'Reddit' }],
  ['podcast', { label: 'Podcast' }],
]);

const PREFIX = 'brand:';

/**
 * Returns the brand icons that links to these platforms need.
 * @returns the name of the icon by the name used with `SiteView.icon`
 */
export function brandIcons(platforms: readonly string[]): Map<string, string> {
  const marks = platforms.flatMap((platform) => PLATFORMS.get(platform)?.mark ?? []);
  return new Map(marks.map((mark) => [PREFIX + mark, mark]));
}

/** Renders the icon of a platform; a globe if it has none. */
export function socialIcon(frame: Frame, platform: string): Html {
  const mark = PLATFORMS.get(platform)?.mark;
  const icon = siteIcon(frame, mark && PREFIX + mark);
  return icon.value ? icon : interfaceIcon('globe', 18);
}

/** Returns the name of a platform in its usual spelling. */
export function socialLabel(platform: string): string {
  return PLATFORMS.get(platform)?.label ?? platform;
}
