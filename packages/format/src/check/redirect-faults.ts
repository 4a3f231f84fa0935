import type { Diagnostic } from '../diagnostics.ts';
import type { SiteConfig } from '../docs-json/site-config.ts';
import { decodeAddress } from '../links.ts';
import { createRedirects } from '../site-files/redirects.ts';

export interface RedirectTargets {
  /** Those of the author, then those of `addedRedirects`, which are not checked. */
  redirects: SiteConfig['redirects'];
  /** Whether a site path is a page or a file. */
  exists(path: string): boolean;
  placeOf(source: string): { file: string; line?: number; column?: number };
}

/** A longer chain is a loop. */
const MAX_STEPS = 20;

/** Finds redirects that loop, that lead nowhere, or that hide a page. */
export function redirectFaults({ redirects, exists, placeOf }: RedirectTargets): Diagnostic[] {
  const follow = createRedirects(redirects);
  const diagnostics: Diagnostic[] = [];
  for (const { source, destination, isAdded } of redirects) {
    if (isAdded || isPattern(source)) continue;
    const add = (severity: Diagnostic['severity'], code: string, message: string, remedy: string) =>
      diagnostics.push({ severity, code, message, remedy, ...placeOf(source) });
    if (exists(bare(source))) {
      const message = `The redirect from "${source}" hides the page at that path.`;
      add('warning', 'redirect-hides-page', message, 'Remove the redirect, or move the page.');
    }
    const end = endOf(destination, follow);
    if (end.kind === 'loop') {
      const message = `The redirect from "${source}" is part of a loop: ${[source, ...end.trail].join(' → ')}.`;
      add('error', 'redirect-loop', message, 'Point one of them to a page.');
    } else if (end.kind === 'inside' && !exists(decodeAddress(bare(end.path)))) {
      // Without the source: redirects to the same place are one fact.
      const message = `A redirect points to "${end.path}", which is not a page.`;
      add('warning', 'redirect-target', message, 'Correct the destination.');
    }
  }
  return diagnostics;
}

type End =
  | { kind: 'outside' }
  | { kind: 'inside'; path: string }
  | { kind: 'loop'; trail: string[] };

function endOf(destination: string, follow: ReturnType<typeof createRedirects>): End {
  const trail: string[] = [];
  let target: string | undefined = destination;
  while (target !== undefined) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return { kind: 'outside' };
    const path = bare(target);
    if (trail.includes(path) || trail.length >= MAX_STEPS)
      return { kind: 'loop', trail: [...trail, path].slice(0, 6) };
    trail.push(path);
    target = follow(path)?.destination;
  }
  return { kind: 'inside', path: trail.at(-1) ?? '/' };
}

function isPattern(source: string): boolean {
  return /[:*]/.test(source);
}

/** The path without query, anchor and trailing slash. */
function bare(target: string): string {
  return target.replace(/[?#][\s\S]*/, '').replace(/(?<=[^/]|^\/)\/+$/, '');
}
