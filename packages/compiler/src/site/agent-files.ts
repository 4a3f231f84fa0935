import { createHash } from 'node:crypto';
import { isPublicPage } from '@docent/format/access/public-page.ts';
import type { AgentSkill } from '@docent/format/build/site-build.ts';
import { readFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { mcpToolNames } from '@docent/format/site-files/mcp-tool-names.ts';
import { llmsPages } from '@docent/format/site-files/sitemap.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { type ListedBuild, llmsSections, specLinks } from './site-listings.ts';

const ROOT_FILE = /^skill\.md$/i;
const SKILL_FILE = /^\.(?:docent|mintlify)\/skills\/([^/]+)\/skill\.md$/i;
const MAX_SKILLS = 50;
const MAX_CHARACTERS = 200_000;

/** Returns whether a source file is a skill for agents rather than a page. */
export function isSkillFile(path: string): boolean {
  return ROOT_FILE.test(path) || SKILL_FILE.test(path);
}

/**
 * Returns the skills of a repository (agentskills.io): `skill.md`, and
 * `.docent/skills/<name>/SKILL.md` or the same below
 * `.mintlify`. Leaves out a skill with `groups`, which is not public, one that is too long, and all after the fiftieth.
 */
export function readSkills(source: Pick<SourceTree, 'paths' | 'readText'>): AgentSkill[] {
  const skills = new Map<string, AgentSkill>();
  for (const file of source.paths().filter(isSkillFile)) {
    const text = source.readText(file);
    if (text === undefined || text.length > MAX_CHARACTERS || skills.size === MAX_SKILLS) continue;
    const { custom, description = '' } = readFrontmatter(text, file).frontmatter;
    if (!isPublicPage(custom.groups)) continue;
    const folder = SKILL_FILE.exec(file)?.[1];
    const name = skillName(typeof custom.name === 'string' ? custom.name : (folder ?? ''));
    if (!skills.has(name))
      skills.set(name, { name, description, text, isRoot: folder === undefined });
  }
  return [...skills.values()];
}

/** Converts a name to the specified form: lower-case letters, digits and hyphens, at most 64. */
export function skillName(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 64).replace(/-$/, '') || 'docs';
}

/** Input of the files for agents. */
export interface AgentSite extends ListedBuild {
  /** Address of the site's MCP server; a bundle has none. */
  mcpUrl?: string;
}

interface AgentFile {
  type: string;
  text: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
export const API_CATALOG = '.well-known/api-catalog';
/** RFC 9727, section 2. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Returns whether `agentFiles` may have a file at a path of a site, without a leading slash. */
export function mayBeAgentFile(path: string): boolean {
  return path === 'skill.md' || path.startsWith('.well-known/');
}

/**
 * Returns the files by which agents discover what a site offers, by path without a leading slash:
 * skills (agentskills.io, both discovery forms), the API catalog (RFC 9727), and, if there is an
 * MCP server, its cards and an A2A agent card.
 */
export function agentFiles(site: AgentSite): Map<string, AgentFile> {
  const files = new Map<string, AgentFile>();
  const siteSkills = site.build.skills ?? [];
  const skills = siteSkills.length > 0 ? siteSkills : [generatedSkill(site, [])];
  const root =
    siteSkills.find((skill) => skill.isRoot) ??
    (siteSkills.length === 1 ? siteSkills[0] : generatedSkill(site, siteSkills));
  files.set('skill.md', { type: MARKDOWN, text: (root as AgentSkill).text });
  for (const { name, text } of skills) {
    files.set(`.well-known/skills/${name}/skill.md`, { type: MARKDOWN, text });
    files.set(`.well-known/agent-skills/${name}/SKILL.md`, { type: MARKDOWN, text });
  }
  const json = (path: string, value: object, type = JSON_TYPE) =>
    files.set(path, { type, text: `${JSON.stringify(value, undefined, 2)}\n` });
  json('.well-known/skills/index.json', {
    skills: skills.map(({ name, description }) => ({ name, description, files: ['skill.md'] })),
  });
  json('.well-known/agent-skills/index.json', {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(({ name, description, text }) => ({
      name,
      type: 'skill-md',
      description,
      url: `${site.origin}/.well-known/agent-skills/${name}/SKILL.md`,
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    })),
  });
  json(API_CATALOG, apiCatalog(site), API_CATALOG_TYPE);
  if (site.mcpUrl !== undefined)
    for (const [path, value] of serverCards(site, site.mcpUrl, skills)) json(path, value);
  return files;
}

function apiCatalog(site: AgentSite): object {
  const specs = [...specLinks(site, 'openapi'), ...specLinks(site, 'asyncapi')];
  const anchor = `${site.origin}/${API_CATALOG}`;
  const described = specs.map(({ url }) => ({
    anchor: url,
    'service-desc': [
      { href: url, type: /\.ya?ml$/i.test(url) ? 'application/yaml' : 'application/json' },
    ],
    'service-doc': [{ href: `${site.origin}/`, type: 'text/html' }],
  }));
  return { linkset: [{ anchor, item: specs.map(({ url }) => ({ href: url })) }, ...described] };
}

function serverCards(
  site: AgentSite,
  mcpUrl: string,
  skills: readonly AgentSkill[],
): [string, object][] {
  const { name } = site.build.config;
  const id = skillName(name);
  const description = summaryOf(site);
  const server = {
    name: id,
    title: `${name} documentation`,
    description,
    url: mcpUrl,
    transport: 'streamable-http',
  };
  const card = {
    protocolVersion: '2025-06-18',
    serverInfo: { name: id, title: server.title, version: '1.0.0' },
    description,
    documentationUrl: `${site.origin}/`,
    transport: { type: 'streamable-http', url: mcpUrl },
    authentication: { required: false },
    capabilities: { tools: {}, resources: {}, prompts: {} },
    tools: Object.values(mcpToolNames(id)).map((tool) => ({ name: tool })),
  };
  const agentCard = {
    protocolVersion: '0.3.0',
    name: server.title,
    description,
    version: '1.0.0',
    url: mcpUrl,
    preferredTransport: 'MCP',
    documentationUrl: `${site.origin}/`,
    provider: { organization: name, url: `${site.origin}/` },
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/markdown'],
    skills: skills.map((skill) => ({
      id: skill.name,
      name: skill.name,
      description: skill.description,
      tags: ['documentation'],
    })),
  };
  return [
    ['.well-known/mcp', { servers: [server] }],
    ['.well-known/mcp.json', { servers: [server] }],
    ['.well-known/mcp/server-card.json', card],
    ['.well-known/mcp/server-cards.json', { servers: [card] }],
    ['.well-known/agent-card.json', agentCard],
  ];
}

function summaryOf({ build: { config } }: AgentSite): string {
  return config.description ?? `The documentation of ${config.name}.`;
}

/**
 * Returns a skill for a site without its own: what the product is, how to read its documentation,
 * and its table of contents.
 */
function generatedSkill(site: AgentSite, others: readonly AgentSkill[]): AgentSkill {
  const { build, origin, mcpUrl } = site;
  const { name, agentInstructions } = build.config;
  const description = `${summaryOf(site)} Use when a task involves ${name}.`;
  const specs = [...specLinks(site, 'openapi'), ...specLinks(site, 'asyncapi')];
  const ways = [
    `Index of all pages: ${origin}/llms.txt`,
    `All pages in one file: ${origin}/llms-full.txt`,
    'Any page as Markdown: append `.md` to its address',
    ...(mcpUrl === undefined ? [] : [`MCP server, to search and read: ${mcpUrl}`]),
    ...specs.map(({ title, url }) => `API description \`${title}\`: ${url}`),
    ...others.map(
      (skill) =>
        `Skill \`${skill.name}\`: ${origin}/.well-known/agent-skills/${skill.name}/SKILL.md`,
    ),
  ];
  const blocks = [
    `---\nname: ${skillName(name)}\ndescription: ${JSON.stringify(description)}\n---`,
    `# ${name}`,
    summaryOf(site),
    ...(agentInstructions?.length ? [`## Instructions\n\n${agentInstructions.join('\n\n')}`] : []),
    `## How to read the documentation\n\n${ways.map((way) => `- ${way}`).join('\n')}`,
    llmsSections(
      site,
      llmsPages({
        navigation: build.navigation,
        pages: site.pages,
        indexing: build.config.seo.indexing,
      }),
    ),
  ];
  return {
    name: skillName(name),
    description,
    text: `${blocks.filter(Boolean).join('\n\n')}\n`,
    isRoot: true,
  };
}

/**
 * Returns the values of the `Link` header (RFC 8288) that link from a page to the files for agents.
 */
export function agentLinks(basePath: string, hasMcp: boolean): string[] {
  return [
    `<${basePath}/llms.txt>; rel="llms-txt"`,
    `<${basePath}/llms-full.txt>; rel="llms-full-txt"`,
    `<${basePath}/${API_CATALOG}>; rel="api-catalog"`,
    `<${basePath}/.well-known/agent-skills/index.json>; rel="agent-skills"`,
    ...(hasMcp
      ? [
          `<${basePath}/.well-known/mcp/server-card.json>; rel="mcp-server-card"`,
          `<${basePath}/.well-known/agent-card.json>; rel="agent-card"`,
        ]
      : []),
  ];
}
