/** Undoes what a start has done: observers, timers, marks. */
export type Stop = () => void;
type Start = () => Stop | undefined;

interface Part {
  start: Start;
  stop: Stop | undefined;
}

const parts: Part[] = [];

// One part that fails, for example on markup that a site's own script has changed, must not take the others with it.
function guarded<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

/** Runs `start` for the page that is open, and again for each page that is swapped in. What it returns is called before. */
export function onEachPage(start: Start): void {
  parts.push({ start, stop: guarded(start) });
}

/** Before the regions of a page go. */
export function leavePage(): void {
  for (const part of parts) {
    if (part.stop) guarded(part.stop);
    part.stop = undefined;
  }
}

/** When the regions of the next page stand. */
export function enterPage(): void {
  for (const part of parts) part.stop = guarded(part.start);
}

/** What listeners of `docent:page` learn. */
export interface PageEventDetail {
  /** Whole address of the page. */
  url: string;
  /** Whether the document was loaded for this page, instead of regions being swapped. */
  first: boolean;
}

/** Notifies the scripts of the site that a page is ready: `docent:page` on `document`. */
export function announcePage(first: boolean): void {
  document.dispatchEvent(new CustomEvent<PageEventDetail>('docent:page', { detail: { url: location.href, first } }));
}
