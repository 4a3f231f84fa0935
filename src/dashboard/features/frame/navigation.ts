import type { LinkProps } from '@tanstack/react-router';
import type { Role } from '../../api/session.ts';
import type { IconName } from '../../ui/icon-names.ts';

export interface Place {
  title: string;
  icon: IconName;
  to: NonNullable<LinkProps['to']>;
  /** The letter after `g` that leads there. */
  letter?: string;
  /** The lowest role that has something to see there. */
  role?: Role;
}

/** The pages of a site, in the order of the rail. */
export const sitePlaces: readonly Place[] = [
  { title: 'Overview', icon: 'gauge', to: '/$org/$domain', letter: 'o' },
  { title: 'Exports', icon: 'package', to: '/$org/$domain/exports', letter: 'e' },
  { title: 'API keys', icon: 'key-round', to: '/$org/$domain/keys', letter: 'k' },
];

/** The pages of an organization. */
export const organisationPlaces: readonly Place[] = [
  { title: 'Sites', icon: 'layout-grid', to: '/$org', letter: 's' },
  { title: 'Admin keys', icon: 'key-round', to: '/$org/settings/admin-keys' },
];
