import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/client.ts';
import { siteQuery, useOrganization, useSession } from '../../api/queries.ts';
import { askToSignIn, useSessionState } from '../../api/session-end.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SHORTCUT_KEY } from '../../ui/format.ts';
import { Icon, Logo } from '../../ui/icon.tsx';
import { Confirmation, Dialog, onceOpened, Sheet } from '../../ui/overlays/dialog.tsx';
import { ErrorState, NotFound, Skeleton } from '../../ui/page.tsx';
import { entryOf, organizationPlaces, placeAt, sitePlaces, useShortcuts } from './navigation.ts';
import { Rail, SignOutButton } from './rail.tsx';
import { usePathname } from './use-pathname.ts';

const CommandMenu = onceOpened(async () => (await import('./command-menu.tsx')).CommandMenu);

/** The frame around every page. */
export function Frame() {
  return useSession().organizations.length > 0 ? <PageFrame /> : <NoOrganization />;
}

/** Shown to users who are not a member of any organization any more. */
function NoOrganization() {
  const { user } = useSession();
  return (
    <main className="mx-auto max-w-md px-6 py-24 text-center">
      <title>No organization · Docent</title>
      <h1 className="text-title font-semibold">You are in no organization</h1>
      <p className="mt-1 mb-4 text-muted">
        Ask an owner to invite {user.email}, or sign in with another account.
      </p>
      <SignOutButton />
    </main>
  );
}

/** The navigation rail on the left, behind a button on phones, and the page. */
function PageFrame() {
  const [opened, setOpened] = useState<'menu' | 'commands' | 'sites' | 'keys'>();
  const pathname = usePathname();
  const { domain = '' } = useParams({ strict: false });
  const { slug: org, name: organization } = useOrganization();
  const { data: site } = useQuery({ ...siteQuery(org, domain), enabled: domain !== '' });
  const name = domain === '' ? organization : (site?.name ?? domain);
  const close = () => setOpened(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is what closes the menu
  useEffect(() => setOpened((open) => (open === 'menu' ? undefined : open)), [pathname]);
  const openCommands = () => setOpened('commands');
  const openSites = () => setOpened('sites');
  const openKeys = () => setOpened('keys');
  useShortcuts(openCommands, openKeys);
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[4rem_minmax(0,1fr)] wide:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-surface px-3 md:hidden">
        <IconButton label="Open the menu" icon="menu" onClick={() => setOpened('menu')} />
        <Logo size={20} />
        <span className="flex-1 truncate font-semibold">{name}</span>
        <IconButton label="Search and commands" icon="search" onClick={openCommands} />
      </div>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-sunken md:block">
        <Rail onCommands={openCommands} onSites={openSites} onKeys={openKeys} isCompact />
      </aside>
      <div className="min-w-0">
        <OfflineBar />
        <SignedOutBar />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-[75rem] px-4 py-6 outline-none md:px-10 md:py-8"
        >
          <Outlet />
        </main>
      </div>
      <Sheet side="left" title="Menu" isOpen={opened === 'menu'} onClose={close}>
        <Rail onCommands={openCommands} onSites={openSites} onKeys={openKeys} />
      </Sheet>
      <CommandMenu
        isOpen={opened === 'commands' || opened === 'sites'}
        isForSites={opened === 'sites'}
        onClose={close}
        onKeys={openKeys}
      />
      <KeysHelp isOpen={opened === 'keys'} onClose={close} />
      <Confirmation />
    </div>
  );
}

function onConnection(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Reports that the browser is offline; loaded content stays readable. */
function OfflineBar() {
  const isOnline = useSyncExternalStore(
    onConnection,
    () => navigator.onLine,
    () => true,
  );
  if (isOnline) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 bg-warning-soft px-4 py-2 text-s text-warning"
    >
      <Icon name="triangle-alert" />
      You are offline. You can read loaded content; changes need a connection.
    </div>
  );
}

/** Reports that the session has ended, to users who did not want to sign in again yet. */
function SignedOutBar() {
  if (useSessionState() !== 'declined') return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 bg-warning-soft px-4 py-2 text-s text-warning"
    >
      <Icon name="triangle-alert" />
      <span className="flex-1">You are signed out. Changes need a sign-in.</span>
      <Button size="sm" onClick={askToSignIn}>
        Sign in again
      </Button>
    </div>
  );
}

const GENERAL: [keys: string, what: string][] = [
  [`${SHORTCUT_KEY}K`, 'Search and commands'],
  ['/', 'Search the list'],
  ['F6', 'Go to the notifications, for example to undo'],
  ['?', 'Show these keys'],
  ['Esc', 'Close'],
];

/** The keyboard shortcuts of the dashboard. */
function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { domain } = useParams({ strict: false });
  const places = domain === undefined ? organizationPlaces : [...sitePlaces, ...organizationPlaces];
  const rows = [
    ...GENERAL,
    ...places.flatMap(({ letter, title }) => (letter ? [[`g ${letter}`, title] as const] : [])),
  ];
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-s">
        {rows.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs">
                {keys}
              </kbd>
            </dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The pages of a site, rendered once the site is known to exist. */
export function SitePages() {
  const { org = '', domain = '' } = useParams({ strict: false });
  const { data: site, error, refetch } = useQuery(siteQuery(org, domain));
  if (error instanceof ApiError && error.code === 'site_not_found') return <NotFound />;
  if (!site) return error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton lines={5} />;
  return (
    <>
      <Tabs />
      <Outlet key={site.projectId} />
    </>
  );
}

/** The pages of one subject, which is one entry of the rail. */
function Tabs() {
  const { org = '', domain = '' } = useParams({ strict: false });
  const current = placeAt(usePathname());
  const entry = entryOf(current);
  if (!entry || entry.tabs.length === 1) return null;
  return (
    <nav
      aria-label={entry.title}
      className="-mt-2 mb-5 flex gap-1 overflow-x-auto border-b border-line md:-mt-3"
    >
      {entry.tabs.map((place) => (
        <Link
          key={place.title}
          to={place.to}
          params={{ org, domain }}
          aria-current={place === current ? 'page' : undefined}
          // A phone shows only some of them.
          ref={
            place === current
              ? (tab) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
              : undefined
          }
          className={cx(
            '-mb-px flex h-9 items-center border-b-2 px-3 text-s whitespace-nowrap transition-colors',
            place === current
              ? 'border-accent-text font-medium'
              : 'border-transparent text-muted hover:text-text',
          )}
        >
          {place.tab ?? place.title}
        </Link>
      ))}
    </nav>
  );
}
