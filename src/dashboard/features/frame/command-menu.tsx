import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { sitesQuery, useOrganisation } from '../../api/queries.ts';
import { usePageCommands } from '../../ui/commands.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { Overlay, useDialogFocus } from '../../ui/overlays/panels.tsx';
import { chooseTheme } from '../../ui/theme.ts';
import { organisationPlaces, sitePlaces } from './navigation.ts';

interface Command {
  group: string;
  title: string;
  icon: IconName;
  run: () => void;
}

interface CommandMenuProps {
  isOpen: boolean;
  onClose: () => void;
  onKeys: () => void;
}

/** Navigates to any site and page, and runs the actions of the page. */
export function CommandMenu({ isOpen, onClose, onKeys }: CommandMenuProps) {
  const focus = useDialogFocus();
  // It may be opened again while it is still closing; it starts anew then too.
  const [opened, setOpened] = useState({ isOpen, times: 0 });
  if (opened.isOpen !== isOpen) setOpened({ isOpen, times: opened.times + Number(isOpen) });
  return (
    <Overlay isOpen={isOpen} onClose={onClose}>
      <Base.Popup
        {...focus}
        aria-label="Search and commands"
        className="popup fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden"
      >
        <Commands key={opened.times} onClose={onClose} onKeys={onKeys} />
      </Base.Popup>
    </Overlay>
  );
}

function Commands({ onClose, onKeys }: Omit<CommandMenuProps, 'isOpen'>) {
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  return (
    <Autocomplete.Root
      inline
      open
      autoHighlight="always"
      keepHighlight
      items={useCommands(onKeys)}
      itemToStringValue={textOf}
      filter={(command, text) =>
        text
          .toLowerCase()
          .split(/\s+/)
          .every((word) => textOf(command).includes(word))
      }
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" className="text-muted" />
        <Autocomplete.Input
          aria-label="Search sites, pages and commands"
          placeholder="Search sites, pages and commands"
          className="h-12 flex-1 bg-transparent outline-none"
        />
      </div>
      <Autocomplete.Empty className="not-empty:px-3 not-empty:py-6 text-center text-muted">No results.</Autocomplete.Empty>
      <Autocomplete.List aria-label="Results" className="max-h-80 overflow-y-auto p-1.5 empty:hidden">
        {(command: Command) => (
          <Autocomplete.Item
            key={textOf(command)}
            value={command}
            onClick={() => run(command)}
            className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-s data-highlighted:bg-hover"
          >
            <Icon name={command.icon} className="text-muted" />
            <span className="flex-1 truncate">{command.title}</span>
            <span className="text-xs text-muted">{command.group}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** The words that a command is found by. */
const textOf = ({ group, title }: Command) => `${group} ${title}`.toLowerCase();

function useCommands(onKeys: () => void): Command[] {
  const { slug: org, may } = useOrganisation();
  const { domain } = useParams({ strict: false });
  const { data: sites = [] } = useQuery(sitesQuery(org));
  const navigate = useNavigate();
  const here = usePageCommands();
  const go = (to: string, params: object) => navigate({ to, params } as never);
  const places = (list: typeof sitePlaces, group: string) =>
    list
      .filter(({ role }) => role === undefined || may(role))
      .map(({ title, icon, to }) => ({ group, title, icon, run: () => go(to, { org, domain }) }));
  return [
    ...here.map((command) => ({ ...command, group: 'This page' })),
    ...(domain === undefined ? [] : places(sitePlaces, domain)),
    ...sites.map(({ slug, name }) => ({
      group: 'Site',
      title: name,
      icon: 'book-open' as const,
      run: () => go('/$org/$domain', { org, domain: slug }),
    })),
    ...places(organisationPlaces, 'Organization'),
    ...(may('owner')
      ? [
          {
            group: 'Organization',
            title: 'New organization',
            icon: 'plus' as const,
            run: () => go('/$org/settings/new-organization', { org }),
          },
        ]
      : []),
    { group: 'Theme', title: 'Light', icon: 'sun', run: () => chooseTheme('light') },
    { group: 'Theme', title: 'Dark', icon: 'moon', run: () => chooseTheme('dark') },
    { group: 'Help', title: 'Keyboard shortcuts', icon: 'command', run: onKeys },
  ];
}
