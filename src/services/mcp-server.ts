import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Deps } from './deps.ts';
import type { LiveSite } from './live-sites.ts';
import { readPage } from './read-page.ts';
import { searchSite } from './search-site.ts';
import { grepFiles, listFiles, readLines } from './site-markdown.ts';

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
  addFileTools(server, site, name);
  return server;
}

const path = z
  .string()
  .max(600)
  .default('')
  .describe('Folder or file, such as `guides` or `guides/start.md`; the whole site without it.');

/** The site's Markdown as a tree of files, for agents that find their way with a shell. */
function addFileTools(server: McpServer, site: LiveSite, name: string): void {
  server.registerTool(
    'list',
    {
      title: 'List files',
      description: `Lists the Markdown files of the documentation of ${name}, below a folder, with their titles.`,
      inputSchema: { path, depth: z.number().int().min(1).max(20).default(20).describe('Levels of folders to list.') },
      annotations: readOnly,
    },
    async (asked) => textResult(listFiles(site, asked.path, asked.depth)),
  );
  server.registerTool(
    'read',
    {
      title: 'Read lines of a file',
      description: 'Gives lines of a Markdown file, with their numbers.',
      inputSchema: {
        path: z.string().min(1).max(600).describe('The file, as `list` and `grep` name it.'),
        from: z.number().int().min(1).default(1).describe('First line, counted from 1.'),
        lines: z.number().int().min(1).max(2000).default(400).describe('Maximum number of lines.'),
      },
      annotations: readOnly,
    },
    async (asked) => {
      const text = await readLines(site, asked.path, asked.from, asked.lines);
      return text === undefined
        ? { ...textResult(`There is no file ${asked.path}; list the files.`), isError: true }
        : textResult(text);
    },
  );
  server.registerTool(
    'grep',
    {
      title: 'Find lines',
      description: 'Finds the lines that hold a text, in all files or below a folder. The text is no regular expression.',
      inputSchema: {
        text: z.string().min(1).max(400).describe('What the lines hold, exactly as it is written.'),
        path,
        ignoreCase: z.boolean().default(true).describe('Whether capital letters count as small ones.'),
      },
      annotations: readOnly,
    },
    async (asked) => textResult(await grepFiles(site, asked)),
  );
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
