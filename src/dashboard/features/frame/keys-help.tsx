import { useParams } from '@tanstack/react-router';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { organisationPlaces, sitePlaces } from './navigation.ts';

const GENERAL: [keys: string, what: string][] = [
  ['⌘ K', 'Search and commands (Ctrl K on Windows and Linux)'],
  ['/', 'Search the list'],
  ['F6', 'Go to the notifications, for example to undo'],
  ['?', 'Show these keys'],
  ['Esc', 'Close'],
];

/** The keyboard shortcuts of the dashboard. */
export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { domain } = useParams({ strict: false });
  const places = domain === undefined ? organisationPlaces : [...sitePlaces, ...organisationPlaces];
  const rows = [...GENERAL, ...places.flatMap(({ letter, title }) => (letter ? [[`g ${letter}`, title] as const] : []))];
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-s">
        {rows.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs">{keys}</kbd>
            </dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
