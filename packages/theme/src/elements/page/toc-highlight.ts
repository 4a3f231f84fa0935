import { placeNamed } from '../dom.ts';
import { onEachPage, type Stop } from '../navigation/page-lifecycle.ts';

/** A heading counts as read up to this distance below the scroll target of its link. */
const SLACK_PX = 16;

interface Entry {
  link: HTMLAnchorElement;
  heading: HTMLElement;
}

function entriesOf(list: HTMLElement): Entry[] {
  const entries: Entry[] = [];
  for (const link of list.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    const heading = placeNamed(decodeURIComponent(link.hash.slice(1)));
    if (heading) entries.push({ link, heading });
  }
  return entries;
}

/** Returns the last heading above the line; at the end of the page the last visible one. */
function currentEntry(entries: readonly Entry[], linePx: number): Entry | undefined {
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
  if (atEnd && scrollY > 0)
    return entries.findLast(({ heading }) => heading.getBoundingClientRect().top < innerHeight);
  return (
    entries.findLast(({ heading }) => heading.getBoundingClientRect().top <= linePx) ?? entries[0]
  );
}

/**
 * Returns the line that a read heading has passed. The header may be beside the article, so this
 * asks the style sheet, not the header.
 */
function linePx(): number {
  return (
    (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0) + SLACK_PX
  );
}

/**
 * Marks an entry as current, and it and its parents for the CSS of authors (`data-active`,
 * `data-active-deepest`).
 */
function mark(link: HTMLAnchorElement | undefined, isCurrent: boolean): void {
  if (isCurrent) link?.setAttribute('aria-current', 'location');
  else link?.removeAttribute('aria-current');
  let item = link?.closest('li');
  item?.toggleAttribute('data-active-deepest', isCurrent);
  for (let depth = Infinity; item; item = item.previousElementSibling as HTMLLIElement | null) {
    const itemDepth = Number(item.dataset.depth);
    if (itemDepth >= depth) continue;
    item.toggleAttribute('data-active', isCurrent);
    depth = itemDepth;
  }
}

function follow(): Stop | undefined {
  const list = document.getElementById('table-of-contents');
  const entries = list ? entriesOf(list) : [];
  if (!list || entries.length === 0) return undefined;
  let marked: HTMLAnchorElement | undefined;
  const update = (): void => {
    const next = currentEntry(entries, linePx())?.link;
    if (next === marked) return;
    mark(marked, false);
    mark(next, true);
    marked = next;
    const box = list.closest<HTMLElement>('.d-rail');
    if (box && next && box.scrollHeight > box.clientHeight) {
      box.scrollTop +=
        next.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
    }
  };
  const observer = new IntersectionObserver(update, {
    rootMargin: `-${linePx()}px 0px 0px 0px`,
    threshold: [0, 1],
  });
  for (const { heading } of entries) observer.observe(heading);
  addEventListener('scrollend', update, { passive: true });
  addEventListener('hashchange', update);
  update();
  return () => {
    observer.disconnect();
    removeEventListener('scrollend', update);
    removeEventListener('hashchange', update);
    mark(marked, false);
  };
}

/**
 * Highlights the reader's position in the table of contents. The observer only reports that it may
 * have changed.
 */
export function startTocHighlight(): void {
  onEachPage(follow);
}
