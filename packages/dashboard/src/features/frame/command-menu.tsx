import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog as Base } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sitesKey, useOrganization, useSite } from '../../api/queries.ts';
import { usePageCommands } from '../../ui/commands.ts';
import { Icon } from '../../ui/icon.tsx';
import { Overlay, useDialogFocus } from '../../ui/overlays/panels.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { readRecents, rememberCommand } from './recent-commands.ts';
import { type Command, useActions } from './use-actions.ts';

interface CommandMenuProps {
  isOpen: boolean;
  /** Whether it is for sites only. */
  isForSites: boolean;
  onClose: () => void;
  onKeys: () => void;
}

/** Maximum number of sites that one search shows. */
const MAX_SITES = 20;
/** Sites that are shown before anything is typed. */
const FIRST_SITES = 5;

/** Navigates to any site and page, and does anything that the dashboard can do. */
export function CommandMenu({ isOpen, isForSites, onClose, onKeys }: CommandMenuProps) {
  const focus = useDialogFocus();
  // It may be opened again while it is still closing; it starts anew then too.
  const [opened, setOpened] = useState({ isOpen, times: 0, isForSites });
  if (opened.isOpen !== isOpen)
    setOpened({
      isOpen,
      times: opened.times + Number(isOpen),
      isForSites: isOpen ? isForSites : opened.isForSites,
    });
  return (
    <Overlay isOpen={isOpen} onClose={onClose}>
      <Base.Popup
        {...focus}
        aria-label={opened.isForSites ? 'Switch the site' : 'Search and commands'}
        className="popup fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden"
      >
        <Commands
          key={opened.times}
          isForSites={opened.isForSites}
          onClose={onClose}
          onKeys={onKeys}
        />
      </Base.Popup>
    </Overlay>
  );
}

function Commands({ isForSites, onClose, onKeys }: Omit<CommandMenuProps, 'isOpen'>) {
  const { slug: org } = useOrganization();
  const [text, setText] = useState('');
  const sites = useSiteCommands(org, text, isForSites);
  const commands = useCommands(onKeys, text, sites);
  const run = (command: Command) => {
    if (command.group !== PAGE_GROUP) rememberCommand(org, command.id);
    onClose();
    command.run();
  };
  const label = isForSites ? 'Search sites' : 'Search sites, pages and commands';
  return (
    <Autocomplete.Root
      inline
      open
      autoHighlight="always"
      keepHighlight
      items={isForSites ? sites : commands}
      itemToStringValue={({ title }: Command) => title}
      value={text}
      onValueChange={setText}
      filter={null}
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" className="text-muted" />
        <Autocomplete.Input
          aria-label={label}
          placeholder={label}
          className="h-12 flex-1 bg-transparent outline-none"
        />
      </div>
      <Autocomplete.Empty className="not-empty:px-3 not-empty:py-6 text-center text-muted">
        No results.
      </Autocomplete.Empty>
      <Autocomplete.List
        aria-label="Results"
        className="max-h-80 overflow-y-auto p-1.5 empty:hidden"
      >
        {(command: Command) => (
          <Autocomplete.Item
            key={command.id}
            value={command}
            onClick={() => run(command)}
            className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-s data-highlighted:bg-hover"
          >
            <Icon name={command.icon} className="text-muted" />
            <span className="flex-1 truncate">{command.title}</span>
            <span className="max-w-40 truncate text-xs text-muted">{command.group}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

const PAGE_GROUP = 'This page';

/** The sites that match a text, searched by the server in all of them, the last deployed first. */
function useSiteCommands(org: string, text: string, isForSites: boolean): Command[] {
  const navigate = useNavigate();
  const q = useSettled(text.trim());
  const limit = q === '' && !isForSites ? FIRST_SITES : MAX_SITES;
  const query = { ...(q !== '' && { q }), sort: 'deployed', limit } as const;
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...sitesKey(org), 'search', query],
    queryFn: () => api.get('/v1/projects', { query }),
    placeholderData: keepPreviousData,
  });
  // What matched an earlier text; the server also finds what is only nearly written like that.
  const isEarlier = isPlaceholderData || q !== text.trim();
  const sites =
    data?.projects.filter(
      ({ name, slug, url }) => !isEarlier || saysAll(`${name} ${slug} ${url}`, text),
    ) ?? [];
  const commands = sites.map(
    ({ projectId, slug, name }): Command => ({
      id: `site ${projectId}`,
      group: slug,
      title: name,
      icon: 'book-open',
      run: () => navigate({ to: '/$org/$domain', params: { org, domain: slug } }),
    }),
  );
  if (isEarlier || limit !== MAX_SITES || !data?.nextCursor) return commands;
  const all = q === '' ? 'Show all sites' : 'Show all sites that match';
  const showAll = () => navigate({ to: '/$org', params: { org }, search: q === '' ? {} : { q } });
  return [
    ...commands,
    { id: 'all-sites', group: 'Sites', title: all, icon: 'layout-grid', run: showAll },
  ];
}

/** What matches a text; without one, what was used recently first. */
function useCommands(onKeys: () => void, text: string, sites: readonly Command[]): Command[] {
  const { slug: org } = useOrganization();
  const actions = useActions(useSite(), onKeys);
  const page = usePageCommands().map(
    (command): Command => ({ ...command, id: `page ${command.title}`, group: PAGE_GROUP }),
  );
  const [recents] = useState(() => readRecents(org));
  const titles = new Set(page.map(({ title }) => title));
  // What the page offers itself is not listed twice.
  const all = [
    ...page,
    ...actions.filter(({ title, group }) => group === 'Documentation' || !titles.has(title)),
  ];
  if (text.trim() !== '') {
    const matches = all.filter(({ title, group, words = '' }) =>
      saysAll(`${title} ${group} ${words}`, text),
    );
    const isFirst = ({ title }: Command) => saysAll(title, text);
    // A title that says it comes before a command that is only about it.
    return [
      ...matches.filter(isFirst),
      ...sites,
      ...matches.filter((command) => !isFirst(command)),
    ];
  }
  const isRecent = ({ id }: Command) => recents.includes(id);
  const recent = [...all, ...sites]
    .filter(isRecent)
    .sort((a, b) => recents.indexOf(a.id) - recents.indexOf(b.id));
  const rest = [
    ...page,
    ...all.filter((command) => !page.some(({ id }) => id === command.id)),
  ].filter((command) => !isRecent(command));
  const first = rest.findIndex(({ group }) => group === 'Organization');
  const others = sites.filter((site) => !isRecent(site));
  return [
    ...recent.map((command) => ({ ...command, group: `Recent · ${command.group}` })),
    ...rest.toSpliced(first, 0, ...others),
  ];
}

/** Whether a text contains every word of another. */
function saysAll(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
