import { isbot } from 'isbot';
import { BoundedCache } from '../bounded-cache.ts';

/**
 * The kind of a client: a person, a kind of AI, a search engine's crawler, a monitor, or other
 * automation.
 */
export const CLIENT_CLASSES = [
  'human',
  'ai.agent',
  'ai.training',
  'ai.search',
  'search',
  'monitor',
  'other',
] as const;
export type ClientClass = (typeof CLIENT_CLASSES)[number];

/** A client that names itself in its user agent. */
export interface KnownAgent {
  /** Part of the user agent, compared case-insensitively. */
  token: string;
  class: Exclude<ClientClass, 'human' | 'other'>;
  /** Where its operator or a public register describes it. */
  source: string;
}

const REGISTER = 'https://knownagents.com/agents/';

function rows(
  agentClass: KnownAgent['class'],
  list: readonly (readonly [token: string, source: string])[],
): KnownAgent[] {
  return list.map(([token, source]) => ({ token, class: agentClass, source }));
}

/**
 * Known agents, as of 2026-11-22. The first token that a user agent contains decides, so longer
 * tokens come before shorter ones.
 * `Google-Extended` and `Applebot-Extended` are robots.txt tokens that no client sends, so they are not listed.
 */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  ...rows('ai.agent', [
    ['ChatGPT-User', 'https://platform.openai.com/docs/bots'],
    ['ChatGPT Agent', `${REGISTER}chatgpt-agent`],
    ['Claude-User', 'https://support.claude.com/en/articles/8896518'],
    ['Claude-Code', `${REGISTER}claude-code`],
    ['Claude-Web', `${REGISTER}claude-web`],
    ['Perplexity-User', 'https://docs.perplexity.ai/guides/bots'],
    ['MistralAI-User', 'https://docs.mistral.ai/robots'],
    ['DuckAssistBot', 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot'],
    ['Gemini-Deep-Research', `${REGISTER}gemini-deep-research`],
    ['Google-NotebookLM', `${REGISTER}google-notebooklm`],
    ['GoogleAgent-Mariner', `${REGISTER}googleagent-mariner`],
    [
      'Meta-ExternalFetcher',
      'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers',
    ],
    ['Amzn-User', `${REGISTER}amzn-user`],
    ['cohere-ai', `${REGISTER}cohere-ai`],
    ['Devin', `${REGISTER}devin`],
    ['NovaAct', `${REGISTER}novaact`],
    ['Manus-User', `${REGISTER}manus-user`],
  ]),
  ...rows('ai.search', [
    ['OAI-SearchBot', 'https://platform.openai.com/docs/bots'],
    ['Claude-SearchBot', 'https://support.claude.com/en/articles/8896518'],
    ['PerplexityBot', 'https://docs.perplexity.ai/guides/bots'],
    ['YouBot', `${REGISTER}youbot`],
    ['PhindBot', `${REGISTER}phindbot`],
    ['Andibot', `${REGISTER}andibot`],
    ['ExaBot', `${REGISTER}exabot`],
    ['TavilyBot', `${REGISTER}tavilybot`],
    ['AzureAI-SearchBot', `${REGISTER}azureai-searchbot`],
    ['Amzn-SearchBot', `${REGISTER}amzn-searchbot`],
    ['MistralAI-Index', 'https://docs.mistral.ai/robots'],
  ]),
  ...rows('ai.training', [
    ['GPTBot', 'https://platform.openai.com/docs/bots'],
    ['ClaudeBot', 'https://support.claude.com/en/articles/8896518'],
    ['anthropic-ai', `${REGISTER}anthropic-ai`],
    ['CCBot', 'https://commoncrawl.org/ccbot'],
    ['Bytespider', `${REGISTER}bytespider`],
    ['TikTokSpider', `${REGISTER}tiktokspider`],
    ['Meta-ExternalAgent', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers'],
    ['FacebookBot', `${REGISTER}facebookbot`],
    ['Amazonbot', 'https://developer.amazon.com/amazonbot'],
    ['cohere-training-data-crawler', `${REGISTER}cohere-training-data-crawler`],
    ['Diffbot', `${REGISTER}diffbot`],
    ['AI2Bot', 'https://allenai.org/crawler'],
    ['PanguBot', `${REGISTER}pangubot`],
    ['Brightbot', 'https://brightdata.com/brightbot'],
    ['ChatGLM-Spider', `${REGISTER}chatglm-spider`],
    ['Timpibot', `${REGISTER}timpibot`],
    ['omgili', `${REGISTER}omgili`],
    ['ImagesiftBot', `${REGISTER}imagesiftbot`],
    ['Kangaroo Bot', `${REGISTER}kangaroo-bot`],
  ]),
  ...rows('search', [
    [
      'Googlebot',
      'https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers',
    ],
    [
      'Google-InspectionTool',
      'https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers',
    ],
    ['bingbot', 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0'],
    ['DuckDuckBot', 'https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot'],
    ['Applebot', 'https://support.apple.com/en-us/119829'],
    ['YandexBot', 'https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html'],
    ['Baiduspider', 'https://help.baidu.com/question?prod_id=99&class=0&id=3001'],
    ['Slurp', `${REGISTER}yahoo-slurp`],
    ['Bravebot', 'https://safe.search.brave.com/help/brave-search-crawler'],
    ['Qwantbot', 'https://help.qwant.com/bot/'],
    ['SeznamBot', `${REGISTER}seznambot`],
    ['PetalBot', `${REGISTER}petalbot`],
    ['Sogou', `${REGISTER}sogou-web-spider`],
    ['Yeti', `${REGISTER}yeti`],
  ]),
  ...rows('monitor', [
    ['UptimeRobot', 'https://uptimerobot.com/help/locations/'],
    ['Pingdom', 'https://www.pingdom.com'],
    ['Better Uptime', 'https://betterstack.com'],
    ['BetterStackBot', 'https://betterstack.com'],
    ['StatusCake', 'https://www.statuscake.com'],
    ['Site24x7', 'https://www.site24x7.com'],
    ['DatadogSynthetics', 'https://docs.datadoghq.com/synthetics/'],
    ['GoogleStackdriverMonitoring', 'https://cloud.google.com/monitoring/uptime-checks'],
    [
      'Amazon-Route53-Health-Check-Service',
      'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/',
    ],
    [
      'kube-probe',
      'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/',
    ],
    ['Prometheus', 'https://github.com/prometheus/blackbox_exporter'],
    ['Checkly', 'https://www.checklyhq.com/docs/'],
    ['Chrome-Lighthouse', 'https://developer.chrome.com/docs/lighthouse/'],
  ]),
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
const TOKENS = KNOWN_AGENTS.map((agent) => ({ ...agent, lower: agent.token.toLowerCase() }));

/** A browser whose user agent includes another browser's name comes before that one. */
const BROWSERS: readonly (readonly [name: string, token: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
];

/** The same browser sends the same text with each request. */
const clients = new BoundedCache<Client>('clients', { maxBytes: 1024 * 1024, sizeOf: () => 100 });

/** Distinguishes readers from machines. A client without a user agent counts as automation. */
export function classifyClient(userAgent: string | undefined): Client {
  const text = (userAgent ?? '').slice(0, MAX_CHARACTERS);
  const cachedClient = clients.get(text);
  if (cachedClient) return cachedClient;
  const client = readClient(text);
  clients.set(text, client);
  return client;
}

function readClient(text: string): Client {
  const lower = text.toLowerCase();
  const agent = TOKENS.find(({ lower: token }) => lower.includes(token));
  if (agent) return { class: agent.class, agent: agent.token, device: '', browser: '' };
  if (!text.startsWith('Mozilla/') || isbot(text))
    return { class: 'other', agent: '', device: '', browser: '' };
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

/**
 * Programs read Markdown, MCP and the API for people, so any client there that is not a crawler is
 * an agent.
 */
export function asReadingProgram(client: Client): Client {
  return client.class === 'human' || client.class === 'other'
    ? { ...client, class: 'ai.agent' }
    : client;
}
