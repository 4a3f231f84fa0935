import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useOrganisation } from '../../api/current.ts';
import { organisationPlaces, type Place, sitePlaces } from './navigation.ts';

const AFTER_G_MS = 1500;

/** What is being closed takes no keys any more. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    !target.closest('[data-closed]') &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Global keyboard shortcuts: ⌘K, `?`, `/`, and `g` with the letter of a page. */
export function useShortcuts({ onCommands, onKeys }: { onCommands: () => void; onKeys: () => void }): void {
  const navigate = useNavigate();
  const { domain } = useParams({ strict: false });
  const { slug: org } = useOrganisation();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      onCommands();
      return;
    }
    if (
      isTyping(event.target) ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      document.querySelector('[role="dialog"][data-open]')
    )
      return;
    // When the key was pressed: a busy page handles it later.
    const place = event.timeStamp - pressedG.current < AFTER_G_MS ? placeOf(event.key, domain) : undefined;
    pressedG.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (place) navigate({ to: place.to, params: { org, domain } } as never);
    else if (event.key === '?') onKeys();
    else if (event.key === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLElement>('[data-list-search]');
      if (field) field.focus();
      else onCommands();
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function placeOf(key: string, domain: string | undefined): Place | undefined {
  const places = domain === undefined ? organisationPlaces : [...sitePlaces, ...organisationPlaces];
  return places.find(({ letter }) => letter === key);
}
