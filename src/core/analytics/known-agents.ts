/** The kind of a client: a person, a kind of AI, a search engine's crawler, a monitor, or other automation. */
export const CLIENT_CLASSES = ['human', 'ai.agent', 'ai.training', 'ai.search', 'search', 'monitor', 'other'] as const;
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

function rows(agentClass: KnownAgent['class'], list: readonly (readonly [token: string, source: string])[]): KnownAgent[] {
  return list.map(([token, source]) => ({ token, class: agentClass, source }));
}

/**
 * Known agents, as of 2026-11-22. The first token that a user agent contains decides, so longer tokens come before shorter ones.
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
    ['Meta-ExternalFetcher', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers'],
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
    ['Googlebot', 'https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers'],
    ['Google-InspectionTool', 'https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers'],
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
    ['Amazon-Route53-Health-Check-Service', 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/'],
    ['kube-probe', 'https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/'],
    ['Prometheus', 'https://github.com/prometheus/blackbox_exporter'],
    ['Checkly', 'https://www.checklyhq.com/docs/'],
    ['Chrome-Lighthouse', 'https://developer.chrome.com/docs/lighthouse/'],
  ]),
];
