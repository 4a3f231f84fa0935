import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import type { LiveSite } from './live-sites.ts';
import { readPage } from './read-page.ts';
import { searchSite } from './search-site.ts';

const MOST_PAGES = 20;
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** A Model Context Protocol server over one site: what an agent needs to read its documentation. */
export function createMcpServer(deps: Pick<Deps, 'siteSearch'>, site: LiveSite, serverVersion: string): McpServer {
  const name = site.build.config.name.trim() || site.slug;
  const server = new McpServer(
    { name: `${name} documentation`, version: serverVersion },
    { instructions: `The documentation of ${name}. Search it first, then read the pages that answer.` },
  );
  server.registerTool(
    'search',
    {
      title: `Search the documentation of ${name}`,
      description: 'Finds the pages that speak of a query, best first, with the passages that matched.',
      inputSchema: {
        query: z.string().min(1).max(600).describe('Words or a question.'),
        pageSize: z.number().int().min(1).max(MOST_PAGES).optional().describe('Most pages; 5 without it.'),
        version: z.string().max(100).optional(),
        language: z.string().max(100).optional(),
      },
      annotations: readOnly,
    },
    async ({ query, pageSize, version, language }) => {
      const filter = { ...(version && { version }), ...(language && { language }) };
      const pages = await searchSite(deps, site, { query, pageSize: pageSize ?? 5, scoreThreshold: 0, filter });
      if (pages.length === 0) return textResult('Nothing was found.');
      return {
        content: pages.map(({ metadata, path, url, content }) => ({
          type: 'text' as const,
          text: `# ${metadata.title}\npath: ${path}\n${url}\n\n${content}`,
        })),
      };
    },
  );
  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description: 'Gives a whole page as Markdown.',
      inputSchema: { path: z.string().min(1).max(600).describe('Path of the page, as the search gives it.') },
      annotations: readOnly,
    },
    async ({ path }) => {
      const page = await readPage(site, path);
      if (!page) return { ...textResult(`There is no page at ${path}; search for it.`), isError: true };
      return textResult(`# ${page.title}\n${page.url}\n\n${page.content}`);
    },
  );
  return server;
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
