import { isbot } from 'isbot';

/** The kind of a client: a person, a kind of AI, a search engine's crawler, a monitor, or other automation. */
export const CLIENT_CLASSES = ['human', 'ai.agent', 'ai.training', 'ai.search', 'search', 'monitor', 'other'] as const;
export type ClientClass = (typeof CLIENT_CLASSES)[number];

/**
 * Names by which known machines identify themselves in their user agent, as of 2026-11-22. https://knownagents.com/agents
 * describes them, and so do their operators: platform.openai.com/docs/bots, support.claude.com/en/articles/8896518,
 * docs.perplexity.ai/guides/bots, docs.mistral.ai/robots, developers.google.com/search/docs/crawling-indexing. The first name that a
 * user agent contains decides, so longer names come before shorter ones. `Google-Extended` and `Applebot-Extended` are robots.txt
 * tokens that no client sends, so they are not listed.
 */
const KNOWN_AGENTS: readonly (readonly [agentClass: ClientClass, names: string])[] = [
  [
    'ai.agent',
    `ChatGPT-User, ChatGPT Agent, Claude-User, Claude-Code, Claude-Web, Perplexity-User, MistralAI-User, DuckAssistBot,
    Gemini-Deep-Research, Google-NotebookLM, GoogleAgent-Mariner, Meta-ExternalFetcher, Amzn-User, cohere-ai, Devin,
    NovaAct, Manus-User`,
  ],
  [
    'ai.search',
    `OAI-SearchBot, Claude-SearchBot, PerplexityBot, YouBot, PhindBot, Andibot, ExaBot, TavilyBot, AzureAI-SearchBot,
    Amzn-SearchBot, MistralAI-Index`,
  ],
  [
    'ai.training',
    `GPTBot, ClaudeBot, anthropic-ai, CCBot, Bytespider, TikTokSpider, Meta-ExternalAgent, FacebookBot, Amazonbot,
    cohere-training-data-crawler, Diffbot, AI2Bot, PanguBot, Brightbot, ChatGLM-Spider, Timpibot, omgili, ImagesiftBot,
    Kangaroo Bot`,
  ],
  [
    'search',
    `Googlebot, Google-InspectionTool, bingbot, DuckDuckBot, Applebot, YandexBot, Baiduspider, Slurp, Bravebot, Qwantbot,
    SeznamBot, PetalBot, Sogou, Yeti`,
  ],
  [
    'monitor',
    `UptimeRobot, Pingdom, Better Uptime, BetterStackBot, StatusCake, Site24x7, DatadogSynthetics,
    GoogleStackdriverMonitoring, Amazon-Route53-Health-Check-Service, kube-probe, Prometheus, Checkly, Chrome-Lighthouse`,
  ],
];

/** The client that a user agent describes. */
export interface Client {
  class: ClientClass;
  /** The name of a known agent; empty for others. */
  agent: string;
  device: 'desktop' | 'mobile' | 'tablet' | '';
  browser: string;
}

const MAX_CHARACTERS = 512;
const AGENTS = KNOWN_AGENTS.flatMap(([agentClass, names]) =>
  names.split(/,\s+/).map((agent) => ({ class: agentClass, agent, lower: agent.toLowerCase() })),
);

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
  const known = AGENTS.find((one) => lower.includes(one.lower));
  if (known) return { class: known.class, agent: known.agent, device: '', browser: '' };
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
