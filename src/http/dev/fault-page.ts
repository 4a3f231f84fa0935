import type { Diagnostic } from '../../core/diagnostics.ts';
import { html, trustedHtml } from '../../core/html.ts';

/**
 * Returns the document shown instead of a site that could not be built yet. The client script shows the error over it, and loads
 * the site once there is one.
 * @param script the tag of the client script
 */
export function faultPage(fault: Diagnostic | undefined, script: string): string {
  const place = [fault?.file, fault?.line].filter(Boolean).join(':');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>The site cannot be built yet</title>${trustedHtml(script)}</head><body><noscript><h1>The site cannot be built yet</h1><p>${place} ${fault?.message}</p></noscript></body></html>
`.value;
}
