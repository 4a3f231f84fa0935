import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries, sitesQuery, useOrganisation, useSession } from '../../api/queries.ts';
import { endSession } from '../../api/session-end.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon, Logo } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts';
import { organisationPlaces, type Place, sitePlaces } from './navigation.ts';

interface RailProps {
  onCommands: () => void;
  onKeys: () => void;
  /** Whether it shows only icons if there is little room. */
  isCompact?: boolean;
}

/** The main navigation: organization, site, pages, account. */
export function Rail({ onCommands, onKeys, isCompact = false }: RailProps) {
  const { domain } = useParams({ strict: false });
  const wide = isCompact ? 'max-wide:sr-only' : '';
  return (
    <nav aria-label="Pages" className="flex h-full flex-col gap-1 p-3">
      <OrganisationSwitcher wide={wide} />
      <button
        type="button"
        onClick={onCommands}
        title="Search and commands"
        className={cx(ROW, 'border border-line-strong bg-surface text-muted', isCompact && CENTERED)}
      >
        <Icon name="search" />
        <span className={cx('flex-1 text-left', wide)}>Search</span>
        <kbd className={cx('font-sans text-xs', wide)}>⌘K</kbd>
      </button>
      {domain !== undefined && <SiteSwitcher domain={domain} wide={wide} />}
      <Places places={domain === undefined ? organisationPlaces : sitePlaces} wide={wide} isCompact={isCompact} />
      <div className="flex-1" />
      <button
        type="button"
        onClick={onKeys}
        title="Keyboard shortcuts"
        className={cx(ROW, 'text-muted hover:bg-hover', isCompact && CENTERED)}
      >
        <Icon name="command" />
        <span className={wide}>Keyboard shortcuts</span>
      </button>
      <AccountMenu className={cx(ROW, 'hover:bg-hover', isCompact && CENTERED)} wide={wide} />
    </nav>
  );
}

const ROW = 'flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-s transition-colors';
const CENTERED = 'max-wide:justify-center';

function Places({ places, wide, isCompact }: { places: readonly Place[]; wide: string; isCompact: boolean }) {
  const { domain = '' } = useParams({ strict: false });
  // Account pages belong to no organization, but the menu beside them does.
  const { slug: org, may } = useOrganisation();
  return (
    <ul className="mt-2 flex flex-col gap-0.5">
      {places
        .filter(({ role }) => role === undefined || may(role))
        .map(({ title, icon, to }) => (
          <li key={title}>
            <Link
              to={to}
              params={{ org, domain }}
              activeOptions={{ exact: to === '/$org' || to === '/$org/$domain', includeSearch: false }}
              title={title}
              className={cx(ROW, 'text-muted hover:bg-hover hover:text-text', isCompact && CENTERED)}
              activeProps={{ className: 'bg-hover font-medium !text-text' }}
            >
              <Icon name={icon} />
              <span className={wide}>{title}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
}

function OrganisationSwitcher({ wide }: { wide: string }) {
  const { organisations } = useSession();
  const { slug, name, may } = useOrganisation();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={cx(ROW, 'mb-1 h-9 font-semibold hover:bg-hover')} title="Switch the organization">
          <Logo size={20} />
          <span className={cx('flex-1 truncate text-left', wide)}>{name}</span>
          <Icon name="chevrons-up-down" size={14} className={cx('text-muted', wide)} />
        </button>
      }
    >
      {organisations.map((one) => (
        <MenuItem
          key={one.id}
          icon="building"
          isCurrent={one.slug === slug}
          onSelect={() => navigate({ to: '/$org', params: { org: one.slug } })}
        >
          {one.name}
        </MenuItem>
      ))}
      {may('owner') && (
        <>
          <MenuSeparator />
          <MenuItem icon="plus" onSelect={() => navigate({ to: '/$org/settings/new-organization', params: { org: slug } })}>
            New organization
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function SiteSwitcher({ domain, wide }: { domain: string; wide: string }) {
  const { slug: org } = useOrganisation();
  const { data: sites = [] } = useQuery(sitesQuery(org));
  const navigate = useNavigate();
  const name = sites.find(({ slug }) => slug === domain)?.name ?? domain;
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={cx(ROW, 'mt-2 font-medium hover:bg-hover')} title="Switch the site">
          <Icon name="book-open" className="text-accent-text" />
          <span className={cx('flex-1 truncate text-left', wide)}>{name}</span>
          <Icon name="chevrons-up-down" size={14} className={cx('text-muted', wide)} />
        </button>
      }
    >
      {sites.slice(0, 50).map((site) => (
        <MenuItem
          key={site.projectId}
          isCurrent={site.slug === domain}
          onSelect={() => navigate({ to: '/$org/$domain', params: { org, domain: site.slug } })}
        >
          {site.name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon="layout-grid" onSelect={() => navigate({ to: '/$org', params: { org } })}>
        All sites
      </MenuItem>
    </Menu>
  );
}

const THEMES: [Theme, string, 'monitor' | 'sun' | 'moon'][] = [
  ['system', 'System theme', 'monitor'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

async function signOut(): Promise<void> {
  try {
    await api.POST('/v1/auth/sign-out');
    endSession();
    queries.clear();
    window.location.assign('/dashboard/sign-in');
  } catch (error) {
    notifyFailure('You could not be signed out', error);
  }
}

export function SignOutButton() {
  return (
    <Button icon="log-out" onClick={signOut}>
      Sign out
    </Button>
  );
}

/** The menu of the signed-in user: theme, account, sign-out. */
function AccountMenu({ className, wide }: { className: string; wide: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [theme, setTheme] = useState<Theme>();
  return (
    <Menu
      align="start"
      onOpen={() => setTheme(chosenTheme())}
      trigger={
        <button type="button" className={className} title="Account">
          <Icon name="user" className="text-muted" />
          <span className={cx('flex-1 truncate text-left', wide)}>{user.name}</span>
        </button>
      }
    >
      <div className="px-2 py-1.5 text-s">
        <div className="font-medium">{user.name}</div>
        <div className="text-muted">{user.email}</div>
      </div>
      <MenuItem icon="settings" onSelect={() => navigate({ to: '/account/profile' })}>
        Account
      </MenuItem>
      <MenuSeparator />
      {THEMES.map(([value, title, icon]) => (
        <MenuItem
          key={value}
          icon={icon}
          isCurrent={theme === value}
          onSelect={() => {
            chooseTheme(value);
            setTheme(value);
          }}
        >
          {title}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon="log-out" onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
