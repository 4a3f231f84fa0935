import { shared } from '../shared.ts';

/** Cleans up after a start: observers, timers, marks. */
export type Stop = () => void;
type Start = () => Stop | undefined;

interface Part {
  start: Start;
  stop: Stop | undefined;
}

const parts = shared('parts', (): Part[] => []);

// A part that fails, for example on markup that a site's own script has changed, must not affect
// the others.
function guarded<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

/**
 * Runs `start` for the current page, and again for each swapped-in page. Calls the returned
 * function before the next run.
 * @param isFirst whether it prepares the article for the other parts
 */
export function onEachPage(start: Start, isFirst = false): void {
  parts[isFirst ? 'unshift' : 'push']({ start, stop: guarded(start) });
}

/** Runs before the regions of a page are removed. */
export function leavePage(): void {
  for (const part of parts) {
    if (part.stop) guarded(part.stop);
    part.stop = undefined;
  }
}

/** Runs once the regions of the next page are in place. */
export function enterPage(): void {
  for (const part of parts) part.stop = guarded(part.start);
}

/** The details of `docent:page`. */
export interface PageEventDetail {
  url: string;
  /** Whether the document was loaded for this page, rather than regions swapped. */
  first: boolean;
}

/** Notifies the scripts of the site that a page is ready: `docent:page` on `document`. */
export function announcePage(first: boolean): void {
  document.dispatchEvent(
    new CustomEvent<PageEventDetail>('docent:page', { detail: { url: location.href, first } }),
  );
}
