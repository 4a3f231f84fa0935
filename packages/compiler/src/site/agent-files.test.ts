import { createHash } from 'node:crypto';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { describe, expect, it } from 'vitest';
import { fakePage } from '../../../../test/support/fakes.ts';
import { type AgentSite, agentFiles, readSkills, skillName } from './agent-files.ts';
import { hostedAddresses } from './site-addresses.ts';
import { createSiteRenderer } from './site-renderer.ts';

const origin = 'https://docs.acme.test';
const config = {
  name: 'Acme: "Pay"',
  description: 'Payments for everyone.',
  navigation: {
    tabs: [
      {
        tab: 'API',
        groups: [{ group: 'R', openapi: { source: '/api/pay.json', directory: 'api' } }],
      },
    ],
  },
  api: { openapi: [], asyncapi: [] },
  seo: { indexing: 'all' },
};

function siteOf(build: Partial<SiteBuild> = {}): AgentSite {
  const pages = [
    fakePage('index'),
    fakePage('guides/start'),
    { ...fakePage('secret'), hidden: true, noindex: true },
  ];
  const complete = {
    config,
    navigation: { roots: [], global: [] },
    files: { 'api/pay.json': {} },
    pages,
    icons: {},
    ...build,
  } as unknown as SiteBuild;
  const renderer = createSiteRenderer(complete, {
    addresses: hostedAddresses('', complete),
    assetFile: (asset) => asset,
    searchIndexFile: () => 'search-index.js',
    origin,
  });
  return { build: complete, pages, origin, sectionOf: renderer.sectionOf };
}

const textOf = (site: AgentSite, path: string) => agentFiles(site).get(path)?.text ?? '';
const jsonOf = (site: AgentSite, path: string) => JSON.parse(textOf(site, path));

describe('the generated files for agents', () => {
  it('include a skill for a site without one: how to read it, and its visible pages', () => {
    const text = textOf(siteOf(), 'skill.md');
    expect(text).toMatch(
      /^---\nname: acme-pay\ndescription: "Payments for everyone\. Use when a task involves Acme: \\"Pay\\"\."\n---\n/,
    );
    expect(text).toContain(`${origin}/llms.txt`);
    expect(text).toContain(`(${origin}/guides/start.md)`);
    expect(text).not.toContain('secret');
    expect(textOf(siteOf(), '.well-known/agent-skills/acme-pay/SKILL.md')).toBe(text);
  });

  it('list every skill of a repository with its digest', () => {
    const skills = ['pay', 'refund'].map((name) => ({
      name,
      description: `To ${name}.`,
      text: `# ${name}`,
      isRoot: false,
    }));
    const site = siteOf({ skills });
    const { skills: listed } = jsonOf(site, '.well-known/agent-skills/index.json');
    expect(listed).toHaveLength(2);
    for (const { name, url, digest } of listed) {
      const text = textOf(site, new URL(url).pathname.slice(1));
      expect(text).toBe(`# ${name}`);
      expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    }
    expect(jsonOf(site, '.well-known/skills/index.json').skills[1]).toEqual({
      name: 'refund',
      description: 'To refund.',
      files: ['skill.md'],
    });
    expect(textOf(site, 'skill.md')).toContain(
      `Skill \`refund\`: ${origin}/.well-known/agent-skills/refund/SKILL.md`,
    );
  });

  it('list the API descriptions that the navigation names and the site serves', () => {
    const { linkset } = jsonOf(siteOf(), '.well-known/api-catalog');
    expect(linkset[0]).toEqual({
      anchor: `${origin}/.well-known/api-catalog`,
      item: [{ href: `${origin}/api/pay.json` }],
    });
    expect(linkset[1]['service-desc']).toEqual([
      { href: `${origin}/api/pay.json`, type: 'application/json' },
    ]);
    expect(jsonOf(siteOf({ files: {} }), '.well-known/api-catalog').linkset).toHaveLength(1);
  });

  it('name the MCP server exactly if the site has one', () => {
    const mcpUrl = `${origin}/mcp`;
    const names = [
      '.well-known/mcp',
      '.well-known/mcp.json',
      '.well-known/mcp/server-card.json',
      '.well-known/agent-card.json',
    ];
    for (const name of names) {
      expect(agentFiles({ ...siteOf(), mcpUrl }).get(name)?.text, name).toContain(`"${mcpUrl}"`);
      expect(agentFiles(siteOf()).has(name), name).toBe(false);
    }
  });
});

describe('the skills of a repository', () => {
  const read = (files: Record<string, string>) =>
    readSkills({ paths: () => Object.keys(files), readText: (path: string) => files[path] });

  it('are the root file and the folders, except those for specific groups', () => {
    const skills = read({
      'SKILL.md': '---\nname: Acme Pay\ndescription: Pays.\n---\nText',
      '.mintlify/skills/refund/SKILL.md': '---\ndescription: Refunds.\n---\n',
      '.docent/skills/inside/skill.md': '---\ngroups: [staff]\n---\n',
      '.mintlify/skills/refund/notes.md': 'no skill',
      'guides/skill.md': 'a page',
    });
    expect(
      skills.map(({ name, description, isRoot }) => [name, description, isRoot]).sort(),
    ).toEqual([
      ['acme-pay', 'Pays.', true],
      ['refund', 'Refunds.', false],
    ]);
  });

  it('have URL-safe names for any title', () => {
    expect(['Ünï Cödé', '../../etc', '', '日本', 'a'.repeat(100)].map(skillName)).toEqual([
      'uni-code',
      'etc',
      'docs',
      'docs',
      'a'.repeat(64),
    ]);
  });
});
