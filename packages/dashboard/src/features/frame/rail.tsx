import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries, siteQuery, useOrganization, useSession } from '../../api/queries.ts';
import { endSession } from '../../api/session-end.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SHORTCUT_KEY } from '../../ui/format.ts';
import { Icon, Logo } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts';
import { entryOf, helpAddress, organizationGroups, placeAt, siteGroups } from './navigation.ts';
import { usePathname } from './use-pathname.ts';

interface RailProps {
  onCommands: () => void;
  /** Opens the search for sites. */
  onSites: () => void;
  onKeys: () => void;
  /** Whether it shows only icons if there is little room. */
  isCompact?: boolean;
}

/** The main navigation: organization, site, pages, help, account. */
export function Rail({ onCommands, onSites, onKeys, isCompact = false }: RailProps) {
  const { domain } = useParams({ strict: false });
  const wide = isCompact ? 'max-wide:sr-only' : '';
  const row = (look: string) => cx(ROW, look, isCompact && CENTERED);
  return (
    <nav aria-label="Pages" className="flex h-full flex-col gap-1 overflow-y-auto p-3">
      <OrganizationSwitcher wide={wide} />
      <button
        type="button"
        onClick={onCommands}
        title="Search and commands"
        className={row('border border-line-strong bg-surface text-muted')}
      >
        <Icon name="search" />
        <span className={cx('flex-1 text-left', wide)}>Search</span>
        <kbd className={cx('font-sans text-xs', wide)}>{SHORTCUT_KEY}K</kbd>
      </button>
      {domain !== undefined && (
        <button
          type="button"
          onClick={onSites}
          title="Switch the site"
          className={row('mt-2 font-medium hover:bg-hover')}
        >
          <Icon name="book-open" className="text-accent-text" />
          <SiteName domain={domain} className={cx('flex-1 truncate text-left', wide)} />
          <Icon name="chevrons-up-down" size={14} className={cx('text-muted', wide)} />
        </button>
      )}
      <Groups wide={wide} row={row} />
      <div className="flex-1" />
      <Help wide={wide} row={row} />
      <button
        type="button"
        onClick={onKeys}
        title="Keyboard shortcuts"
        className={row('text-muted hover:bg-hover')}
      >
        <Icon name="command" />
        <span className={wide}>Keyboard shortcuts</span>
      </button>
      <AccountMenu className={row('hover:bg-hover')} wide={wide} />
    </nav>
  );
}

const ROW =
  'flex h-8 w-full shrink-0 items-center gap-2.5 rounded-md px-2 text-s transition-colors';
const CENTERED = 'max-wide:justify-center';

interface PartProps {
  /** Hides a text where only icons fit. */
  wide: string;
  row: (look: string) => string;
}

function SiteName({ domain, className }: { domain: string; className: string }) {
  const { slug: org } = useOrganization();
  const { data: site } = useQuery(siteQuery(org, domain));
  return <span className={className}>{site?.name ?? domain}</span>;
}

/** The pages in groups; tabs of one subject are one entry. */
function Groups({ wide, row }: PartProps) {
  const { domain } = useParams({ strict: false });
  // Account pages belong to no organization, but the menu beside them does.
  const { slug: org, may } = useOrganization();
  const current = entryOf(placeAt(usePathname()));
  return (domain === undefined ? organizationGroups : siteGroups).map(({ title, entries }) => (
    <section key={title} aria-label={title} className="mt-2">
      <h2 className={cx('px-2 pb-0.5 text-xs text-muted', wide)}>{title}</h2>
      <ul className="flex flex-col gap-0.5">
        {entries
          .filter(({ tabs: [{ role }] }) => role === undefined || may(role))
          .map((entry) => (
            <li key={entry.title}>
              <Link
                to={entry.tabs[0].to}
                params={{ org, domain: domain ?? '' }}
                title={entry.title}
                activeOptions={{ exact: true, includeSearch: false }}
                aria-current={entry === current ? 'page' : undefined}
                className={row(
                  entry === current
                    ? 'bg-hover font-medium text-text'
                    : 'text-muted hover:bg-hover hover:text-text',
                )}
              >
                <Icon name={entry.icon} />
                <span className={wide}>{entry.title}</span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}

/** A link to the documentation of the page. */
function Help({ wide, row }: PartProps) {
  const help = placeAt(usePathname())?.help ?? 'guides/dashboard';
  return (
    <a
      href={helpAddress(help)}
      target="_blank"
      rel="noreferrer"
      title="Documentation of this page"
      className={row('text-muted hover:bg-hover')}
    >
      <Icon name="circle-question-mark" />
      <span className={wide}>Documentation</span>
    </a>
  );
}

function OrganizationSwitcher({ wide }: { wide: string }) {
  const { organizations, organizationCreation } = useSession();
  const { slug, name } = useOrganization();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className={cx(ROW, 'mb-1 h-9 font-semibold hover:bg-hover')}
          title="Switch the organization"
        >
          <Logo size={20} />
          <span className={cx('flex-1 truncate text-left', wide)}>{name}</span>
          <Icon name="chevrons-up-down" size={14} className={cx('text-muted', wide)} />
        </button>
      }
    >
      {organizations.map((organization) => (
        <MenuItem
          key={organization.id}
          icon="building"
          isCurrent={organization.slug === slug}
          onSelect={() => navigate({ to: '/$org', params: { org: organization.slug } })}
        >
          {organization.name}
        </MenuItem>
      ))}
      {organizationCreation === 'members' && (
        <>
          <MenuSeparator />
          <MenuItem
            icon="plus"
            onSelect={() =>
              navigate({ to: '/$org/settings/new-organization', params: { org: slug } })
            }
          >
            New organization
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

const THEMES: [Theme, string, 'monitor' | 'sun' | 'moon'][] = [
  ['system', 'System theme', 'monitor'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

export async function signOut(): Promise<void> {
  try {
    await api.post('/v1/auth/sign-out');
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
