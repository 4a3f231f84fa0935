import type { Role } from '@docent/format/access/may.ts';
import { type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useOrganization } from '../../api/queries.ts';
import type { IconName } from '../../ui/icon-names.ts';

export interface Place {
  title: string;
  icon: IconName;
  to: NonNullable<LinkProps['to']>;
  /** The key after `g` that navigates there. */
  letter?: string;
  /** The lowest role that can use the page. */
  role?: Role;
  /** The page of the documentation about it. */
  help: string;
  /** Its title as one of several tabs. */
  tab?: string;
}

/**
 * An entry of the rail: a page, or several that are tabs of one subject, the first of which it
 * opens.
 */
export interface Entry {
  title: string;
  icon: IconName;
  tabs: readonly [Place, ...Place[]];
}

interface Group {
  title: string;
  entries: readonly Entry[];
}

const page = (place: Place): Entry => ({ title: place.title, icon: place.icon, tabs: [place] });

/** The pages of a site, as the rail groups them. */
export const siteGroups: readonly Group[] = [
  {
    title: 'Publish',
    entries: [
      page({
        title: 'Overview',
        icon: 'gauge',
        to: '/$org/$domain',
        letter: 'o',
        help: 'guides/dashboard',
      }),
      page({
        title: 'Deployments',
        icon: 'rocket',
        to: '/$org/$domain/deployments',
        letter: 'd',
        help: 'guides/deployments',
      }),
      page({
        title: 'Previews',
        icon: 'eye',
        to: '/$org/$domain/previews',
        letter: 'p',
        help: 'guides/previews',
      }),
      page({
        title: 'Git',
        icon: 'git-branch',
        to: '/$org/$domain/git',
        role: 'editor',
        help: 'guides/git',
      }),
      page({
        title: 'Access',
        icon: 'shield-check',
        to: '/$org/$domain/access',
        role: 'editor',
        help: 'guides/readers',
      }),
    ],
  },
  {
    title: 'Insights',
    entries: [
      {
        title: 'Analytics',
        icon: 'chart-column',
        tabs: [
          {
            title: 'Analytics',
            tab: 'Traffic',
            icon: 'chart-column',
            to: '/$org/$domain/analytics',
            letter: 'a',
            help: 'guides/analytics',
          },
          {
            title: 'Live view',
            icon: 'activity',
            to: '/$org/$domain/live',
            letter: 'l',
            help: 'guides/analytics',
          },
          {
            title: 'Searches',
            icon: 'search',
            to: '/$org/$domain/searches',
            letter: 'q',
            help: 'guides/analytics',
          },
          {
            title: 'Questions',
            icon: 'circle-question-mark',
            to: '/$org/$domain/questions',
            letter: 'u',
            help: 'guides/questions',
          },
          {
            title: 'Feedback',
            icon: 'inbox',
            to: '/$org/$domain/feedback',
            letter: 'f',
            help: 'guides/feedback',
          },
        ],
      },
      page({
        title: 'Conversations',
        icon: 'message-square',
        to: '/$org/$domain/conversations',
        letter: 'c',
        help: 'guides/assistant',
      }),
    ],
  },
  {
    title: 'Assistant',
    entries: [
      page({
        title: 'Assistant',
        icon: 'bot',
        to: '/$org/$domain/assistant',
        letter: 'i',
        help: 'guides/assistant',
      }),
    ],
  },
  {
    title: 'Ship',
    entries: [
      page({
        title: 'Exports',
        icon: 'package',
        to: '/$org/$domain/exports',
        letter: 'e',
        help: 'guides/bundles',
      }),
      {
        title: 'Settings',
        icon: 'settings',
        tabs: [
          {
            title: 'Settings',
            tab: 'General',
            icon: 'settings',
            to: '/$org/$domain/settings',
            letter: ',',
            help: 'self-hosting/hostnames',
          },
          {
            title: 'API keys',
            icon: 'key-round',
            to: '/$org/$domain/keys',
            letter: 'k',
            help: 'api/keys',
          },
        ],
      },
    ],
  },
];

/** The pages of an organization. */
export const organizationGroups: readonly Group[] = [
  {
    title: 'Organization',
    entries: [
      page({
        title: 'Sites',
        icon: 'layout-grid',
        to: '/$org',
        letter: 's',
        help: 'guides/dashboard',
      }),
      page({
        title: 'Members',
        icon: 'users',
        to: '/$org/settings/members',
        letter: 'm',
        help: 'guides/dashboard',
      }),
      page({
        title: 'Sign-in',
        icon: 'shield-check',
        to: '/$org/settings/sign-in',
        role: 'admin',
        help: 'self-hosting/saml-and-scim',
      }),
      page({ title: 'Admin keys', icon: 'key-round', to: '/$org/settings/keys', help: 'api/keys' }),
      page({
        title: 'Audit log',
        icon: 'scroll-text',
        to: '/$org/settings/audit-log',
        role: 'admin',
        help: 'self-hosting/accounts',
      }),
      page({ title: 'Usage', icon: 'gauge', to: '/$org/settings/usage', help: 'api/limits' }),
      page({
        title: 'General',
        icon: 'settings',
        to: '/$org/settings/general',
        help: 'self-hosting/accounts',
      }),
    ],
  },
];

const placesOf = (groups: readonly Group[]) =>
  groups.flatMap(({ entries }) => entries.flatMap(({ tabs }) => tabs));

/** All pages of a site, and all of an organization, in the order of the rail. */
export const sitePlaces: readonly Place[] = placesOf(siteGroups);
export const organizationPlaces: readonly Place[] = placesOf(organizationGroups);

/** Returns the place of a path such as `/acme/docs/keys`, or of a page below it. */
export function placeAt(pathname: string): Place | undefined {
  const [org, second, third] = pathname.split('/').slice(1);
  if (org === undefined || org === '' || org === 'account') return undefined;
  const part =
    second === undefined || second === ''
      ? ''
      : second === 'settings'
        ? `/settings/${third}`
        : `/$domain${third ? `/${third}` : ''}`;
  return [...sitePlaces, ...organizationPlaces].find(({ to }) => to === `/$org${part}`);
}

/** Returns the entry of the rail that a place belongs to. */
export function entryOf(place: Place | undefined): Entry | undefined {
  const entries = [...siteGroups, ...organizationGroups].flatMap((group) => group.entries);
  return entries.find(({ tabs }) => tabs.some((tab) => tab === place));
}

/** The address of a page of Docent's documentation, on this server. */
export const helpAddress = (help: string) => `/help/${help}`;

const AFTER_G_MS = 1500;

/** What is being closed takes no keys any more. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    !target.closest('[data-closed]') &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Global keyboard shortcuts: ⌘K, `?`, `/`, and `g` with the letter of a page. */
export function useShortcuts(onCommands: () => void, onKeys: () => void): void {
  const navigate = useNavigate();
  const { domain } = useParams({ strict: false });
  const { slug: org } = useOrganization();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      onCommands();
      return;
    }
    if (
      isTyping(event.target) ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      document.querySelector('[role="dialog"][data-open]')
    )
      return;
    // When the key was pressed: a busy page handles it later.
    const place =
      event.timeStamp - pressedG.current < AFTER_G_MS ? placeOf(event.key, domain) : undefined;
    pressedG.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (place) navigate({ to: place.to, params: { org, domain } } as never);
    else if (event.key === '?') onKeys();
    else if (event.key === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLElement>('[data-list-search]');
      if (field) field.focus();
      else onCommands();
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function placeOf(key: string, domain: string | undefined): Place | undefined {
  const places = domain === undefined ? organizationPlaces : [...sitePlaces, ...organizationPlaces];
  return places.find(({ letter }) => letter === key);
}
