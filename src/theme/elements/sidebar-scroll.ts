import { onEachPage } from './navigation/page-lifecycle.ts';
import { readStored, writeStored } from './storage.ts';

const KEY = 'docent-sidebar-scroll';

interface Kept {
  /** Identifies a sidebar: its first and last entries and their number. */
  list: string;
  top: number;
}

function listName(panel: HTMLElement): string {
  const links = panel.querySelectorAll<HTMLAnchorElement>('#navigation-items a');
  return `${links.length} ${links[0]?.textContent} ${links[links.length - 1]?.textContent}`;
}

function keptTop(list: string): number | undefined {
  try {
    const kept = JSON.parse(readStored('session', KEY) ?? 'null') as Kept | null;
    return kept?.list === list ? Number(kept.top) : undefined;
  } catch {
    return undefined;
  }
}

/** The scroll position before a swap; an element that stays keeps its own. */
let shown: { panel: HTMLElement; list: string } | undefined;

function place(): undefined {
  const panel = document.getElementById('sidebar-content');
  if (!panel) return;
  const list = listName(panel);
  if (shown?.panel !== panel || shown.list !== list) panel.scrollTop = keptTop(list) ?? 0;
  shown = { panel, list };
  const current = panel.querySelector<HTMLElement>('#navigation-items [aria-current="page"]');
  if (!current) return;
  const frame = panel.getBoundingClientRect();
  const item = current.getBoundingClientRect();
  const hidden = item.top < frame.top + 16 || item.bottom > frame.bottom - 48;
  if (hidden) panel.scrollTop += item.top - frame.top - frame.height / 3;
}

/** Keeps the scroll position of the list of pages, unless the current page would then be out of view. */
export function startSidebarScroll(): void {
  onEachPage(place);
  addEventListener('pagehide', () => {
    if (!shown) return;
    const { list, panel } = shown;
    writeStored('session', KEY, JSON.stringify({ list, top: panel.scrollTop } satisfies Kept));
  });
}
