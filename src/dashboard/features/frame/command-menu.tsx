import { Dialog as Base } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { sitesQuery, useOrganisation } from '../../api/queries.ts';
import { usePageCommands } from '../../ui/commands.ts';
import { cx } from '../../ui/cx.ts';
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
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const wanted = text.toLowerCase().split(/\s+/);
  const found = useCommands(onKeys).filter(({ title, group }) =>
    wanted.every((word) => `${group} ${title}`.toLowerCase().includes(word)),
  );
  const current = Math.min(index, found.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry moved when the number did
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((current + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[current]);
    }
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" className="text-muted" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          aria-label="Search sites, pages and commands"
          placeholder="Search sites, pages and commands"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 flex-1 bg-transparent outline-none"
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-80 overflow-y-auto p-1.5">
        {found.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${command.group} ${command.title}`}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            onClick={() => run(command)}
            onMouseMove={() => setIndex(place)}
            className={cx(
              'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-s',
              place === current && 'bg-hover',
            )}
          >
            <Icon name={command.icon} className="text-muted" />
            <span className="flex-1 truncate">{command.title}</span>
            <span className="text-xs text-muted">{command.group}</span>
          </div>
        ))}
        {found.length === 0 && <p className="px-3 py-6 text-center text-muted">No results.</p>}
      </div>
    </>
  );
}

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
