import type { Html } from '../../core/html.ts';
import { type Frame, siteIcon } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';

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
