import { html } from '../core/html.ts';
import { inlineScript } from './inline-script.ts';

/** The redirect page for authorization servers; its script passes on the response. */
export const oauthPage = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>OAuth</title></head><body><p>✓</p>${inlineScript('oauth')}</body></html>
`.value;
