import { type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Role } from '../../../core/access/may.ts';
import { useOrganisation } from '../../api/queries.ts';
import type { IconName } from '../../ui/icon-names.ts';

export interface Place {
  title: string;
  icon: IconName;
  to: NonNullable<LinkProps['to']>;
  /** The key after `g` that navigates there. */
  letter?: string;
  /** The lowest role that can use the page. */
  role?: Role;
}

/** The pages of a site, in rail order. */
export const sitePlaces: readonly Place[] = [
  { title: 'Overview', icon: 'gauge', to: '/$org/$domain', letter: 'o' },
  { title: 'Deployments', icon: 'rocket', to: '/$org/$domain/deployments', letter: 'd' },
  { title: 'Previews', icon: 'eye', to: '/$org/$domain/previews', letter: 'p' },
  { title: 'Analytics', icon: 'chart-column', to: '/$org/$domain/analytics', letter: 'a' },
  { title: 'Live view', icon: 'activity', to: '/$org/$domain/live', letter: 'l' },
  { title: 'Searches', icon: 'search', to: '/$org/$domain/searches', letter: 'q' },
  { title: 'Assistant', icon: 'bot', to: '/$org/$domain/assistant', letter: 'i' },
  { title: 'Conversations', icon: 'message-square', to: '/$org/$domain/conversations', letter: 'c' },
  { title: 'Questions', icon: 'circle-question-mark', to: '/$org/$domain/questions', letter: 'u' },
  { title: 'Feedback', icon: 'inbox', to: '/$org/$domain/feedback', letter: 'f' },
  { title: 'Exports', icon: 'package', to: '/$org/$domain/exports', letter: 'e' },
  { title: 'API keys', icon: 'key-round', to: '/$org/$domain/keys', letter: 'k' },
  { title: 'Settings', icon: 'settings', to: '/$org/$domain/settings', letter: ',' },
];

/** The pages of an organization. */
export const organisationPlaces: readonly Place[] = [
  { title: 'Sites', icon: 'layout-grid', to: '/$org', letter: 's' },
  { title: 'Members', icon: 'users', to: '/$org/settings/members', letter: 'm' },
  { title: 'Admin keys', icon: 'key-round', to: '/$org/settings/keys' },
  { title: 'Audit log', icon: 'scroll-text', to: '/$org/settings/audit-log', role: 'admin' },
  { title: 'Usage', icon: 'gauge', to: '/$org/settings/usage' },
  { title: 'General', icon: 'settings', to: '/$org/settings/general' },
];

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
  const { slug: org } = useOrganisation();
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
    const place = event.timeStamp - pressedG.current < AFTER_G_MS ? placeOf(event.key, domain) : undefined;
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
  const places = domain === undefined ? organisationPlaces : [...sitePlaces, ...organisationPlaces];
  return places.find(({ letter }) => letter === key);
}
