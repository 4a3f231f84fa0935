import { isbot } from 'isbot';
import { type ClientClass, KNOWN_AGENTS } from './known-agents.ts';

/** The client that a user agent describes. */
export interface Client {
  class: ClientClass;
  /** The name of a known agent; empty for others. */
  agent: string;
  device: 'desktop' | 'mobile' | 'tablet' | '';
  browser: string;
}

const MAX_CHARACTERS = 512;
const TOKENS = KNOWN_AGENTS.map((known) => ({ ...known, lower: known.token.toLowerCase() }));

/** A browser whose user agent includes another browser's name comes before that one. */
const BROWSERS: readonly (readonly [name: string, token: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
];

/** Distinguishes readers from machines. A client without a user agent counts as automation. */
export function classifyClient(userAgent: string | undefined): Client {
  const text = (userAgent ?? '').slice(0, MAX_CHARACTERS);
  const lower = text.toLowerCase();
  const known = TOKENS.find(({ lower: token }) => lower.includes(token));
  if (known) return { class: known.class, agent: known.token, device: '', browser: '' };
  if (!text.startsWith('Mozilla/') || isbot(text)) return { class: 'other', agent: '', device: '', browser: '' };
  return {
    class: 'human',
    agent: '',
    device: deviceOf(text),
    browser: BROWSERS.find(([, token]) => token.test(text))?.[0] ?? '',
  };
}

function deviceOf(text: string): Client['device'] {
  if (/\biPad\b|\bTablet\b|\bAndroid\b(?!.*\bMobile\b)/.test(text)) return 'tablet';
  return /\bMobi|\biPhone\b|\bAndroid\b/.test(text) ? 'mobile' : 'desktop';
}

/** Programs read Markdown, MCP and the API for people, so any client there that is not a crawler is an agent. */
export function asReadingProgram(client: Client): Client {
  return client.class === 'human' || client.class === 'other' ? { ...client, class: 'ai.agent' } : client;
}
