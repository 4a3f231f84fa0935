import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { type Site, useOrganization, useSession } from '../../api/queries.ts';
import type { IconName } from '../../ui/icon-names.ts';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { chooseTheme } from '../../ui/theme.ts';
import { helpAddress, organizationPlaces, type Place, placeAt, sitePlaces } from './navigation.ts';
import { signOut } from './rail.tsx';
import { usePathname } from './use-pathname.ts';

/** Something that the command menu does or opens. */
export interface Command {
  /** Identifies it among all commands, also on the next visit. */
  id: string;
  group: string;
  title: string;
  icon: IconName;
  /** More words that it is found by. */
  words?: string;
  run: () => void;
}

const HELP: Record<string, string> = {
  quickstart: 'Quickstart',
  'guides/publish': 'Publish from a pipeline',
  'guides/deployments': 'Deployments and rolling back',
  'guides/git': 'Publish from Git',
  'guides/readers': 'Private sites',
  'guides/previews': 'Previews',
  'guides/assistant': 'The assistant on your site',
  'guides/analytics': 'Analytics',
  'guides/bundles': 'Exports',
  'guides/components': 'Components',
  'reference/docs-json': 'docs.json',
  'api/keys': 'Keys',
  'api/overview': 'The API',
  'self-hosting/hostnames': 'Hostnames',
  'self-hosting/accounts': 'Accounts, roles and the audit log',
  'guides/command-line': 'The command line',
};

const openElsewhere = (address: string) => void window.open(address, '_blank', 'noopener');

/** Makes the build live that was live before, with an undo. */
function useRollBack(site: Site | undefined) {
  const action = useAction({
    run: ({ to }: { to: string; from?: string | undefined }) =>
      api.post('/v1/projects/{projectId}/deployments/{deploymentId}/promote', {
        path: { projectId: site?.projectId ?? '', deploymentId: to },
      }),
    done: (_, { from }) =>
      from === undefined
        ? notify('The deployment from before is live again')
        : notify('The previous deployment is live', () => action.mutate({ to: from })),
    failed: 'The live deployment is unchanged',
  });
  return action.mutate;
}

/**
 * Returns everything that can be done from any page: first with the site in the address, then in
 * the organization.
 * @param site the site in the address
 * @param onKeys shows the keyboard shortcuts
 */
export function useActions(site: Site | undefined, onKeys: () => void): Command[] {
  const { slug: org, may } = useOrganization();
  const { organizationCreation } = useSession();
  const { domain } = useParams({ strict: false });
  const here = placeAt(usePathname());
  const navigate = useNavigate();
  const rollBack = useRollBack(site);
  const go = (to: string, search = {}) =>
    navigate({ to, params: { org, domain }, search } as never);
  const places = (list: readonly Place[], group: string): Command[] =>
    list
      .filter(({ role }) => role === undefined || may(role))
      .map(({ title, icon, to }) => ({ id: to, group, title, icon, run: () => go(to) }));
  const action =
    (group: string) =>
    (id: string, title: string, icon: IconName, run: () => void, words = '') => ({
      id,
      group,
      title,
      icon,
      run,
      words,
    });
  return [
    ...(site ? [...siteActions(), ...places(sitePlaces, site.name)] : []),
    ...organizationActions(),
    ...places(organizationPlaces, 'Organization'),
    ...accountActions(),
    ...documentation(),
  ];

  function siteActions(): Command[] {
    if (!site) return [];
    const { live, url, name } = site;
    const act = action(name);
    const previousId = live?.previousId;
    return [
      ...(may('editor')
        ? [
            act(
              'publish',
              'Publish',
              'upload',
              () => go('/$org/$domain/publish'),
              'upload new version',
            ),
          ]
        : []),
      ...(live
        ? [act('visit', 'Visit the site', 'external-link', () => openElsewhere(url), 'open live')]
        : []),
      ...(previousId && may('editor')
        ? [
            act('roll-back', 'Roll back to the previous deployment', 'rotate-ccw', () =>
              rollBack({ to: previousId, from: live?.id }),
            ),
          ]
        : []),
      ...(may('editor')
        ? [
            act('create-preview', 'Create preview', 'eye', () =>
              go('/$org/$domain/previews', { create: true }),
            ),
            act(
              'create-key',
              'Create key',
              'key-round',
              () => go('/$org/$domain/keys', { create: true }),
              'assistant api',
            ),
            act(
              'start-export',
              'Start export',
              'package',
              () => go('/$org/$domain/exports', { start: true }),
              'bundle download',
            ),
          ]
        : []),
      ...(may('admin')
        ? [
            act(
              'add-hostname',
              'Add a hostname',
              'globe',
              () => go('/$org/$domain/settings'),
              'domain dns',
            ),
          ]
        : []),
    ];
  }

  function organizationActions(): Command[] {
    const act = action('Organization');
    return [
      ...(may('editor')
        ? [
            act(
              'new-site',
              'New site',
              'plus',
              () => go('/$org/settings/new-site'),
              'create publish',
            ),
          ]
        : []),
      ...(may('admin')
        ? [
            act(
              'invite',
              'Invite a member',
              'plus',
              () => go('/$org/settings/members', { create: true }),
              'add person user',
            ),
            act('create-admin-key', 'Create admin key', 'key-round', () =>
              go('/$org/settings/keys', { create: true }),
            ),
          ]
        : []),
      ...(organizationCreation === 'members'
        ? [
            act('new-organization', 'New organization', 'plus', () =>
              go('/$org/settings/new-organization'),
            ),
          ]
        : []),
    ];
  }

  function accountActions(): Command[] {
    const act = action('Account');
    return [
      act('profile', 'Profile', 'user', () => go('/account/profile'), 'name password'),
      act(
        'security',
        'Two-factor authentication',
        'shield-check',
        () => go('/account/security'),
        'security password',
      ),
      act('sessions', 'Sessions', 'monitor', () => go('/account/sessions'), 'sign out everywhere'),
      act('sign-out', 'Sign out', 'log-out', () => void signOut(), 'log out'),
      act('light', 'Light', 'sun', () => chooseTheme('light'), 'theme'),
      act('dark', 'Dark', 'moon', () => chooseTheme('dark'), 'theme'),
      act('keys', 'Keyboard shortcuts', 'command', onKeys, 'help'),
    ];
  }

  function documentation(): Command[] {
    const act = action('Documentation');
    const open = (help: string) => () => openElsewhere(helpAddress(help));
    return [
      ...(here
        ? [
            act(
              'help',
              'Documentation of this page',
              'circle-question-mark',
              open(here.help),
              'help docs',
            ),
          ]
        : []),
      ...Object.entries(HELP).map(([help, title]) =>
        act(`help-${help}`, title, 'book-open', open(help), 'help docs guide'),
      ),
    ];
  }
}
