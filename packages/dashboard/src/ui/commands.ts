import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from './icon-names.ts';

/** An action of the current page that is also in the command menu. */
export interface PageCommand {
  title: string;
  icon: IconName;
  run: () => void;
}

let commands: readonly PageCommand[] = [];
const listeners = new Set<() => void>();

function offer(next: readonly PageCommand[]): void {
  commands = next;
  for (const listener of listeners) listener();
}

/** Adds a command to the command menu while the page is shown and the command is defined. */
export function useCommand(command: PageCommand | undefined): void {
  const { title, icon, run } = command ?? {};
  useEffect(() => {
    if (title === undefined || icon === undefined || run === undefined) return;
    const offered = { title, icon, run };
    offer([...commands, offered]);
    return () => offer(commands.filter((pageCommand) => pageCommand !== offered));
  }, [title, icon, run]);
}

/** The commands of the current page. */
export function usePageCommands(): readonly PageCommand[] {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => commands,
  );
}
