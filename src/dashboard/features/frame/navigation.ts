import type { LinkProps } from '@tanstack/react-router';
import type { Role } from '../../../core/access/may.ts';
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
