import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { skillName } from '../../compiler/site/agent-files.ts';
import { mcpToolNames } from '../../core/site-files/mcp-tool-names.ts';
import type { Deps } from '../deps.ts';
import { searchSite } from '../search/search-site.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { readPage } from '../sites/read-page.ts';
import { grepFiles, listFiles, readLines } from '../sites/site-markdown.ts';
import { addFeedbackTool, type SendFeedback } from './mcp-feedback.ts';
import { addPages } from './mcp-pages.ts';

const MAX_PAGES = 20;
/** A page as structured data for programs; the text contains the same for people and models. */
const pageOutput = {
  path: z.string().describe('Path of the page without a leading slash.'),
  title: z.string(),
  url: z.string().describe('Absolute address.'),
  content: z.string().describe('Markdown.'),
};
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** Creates a Model Context Protocol server over one site: what an agent needs to read its documentation. */
export function createMcpServer(
  deps: Pick<Deps, 'siteSearch'> & { sendFeedback?: SendFeedback },
  site: LiveSite,
  serverVersion: string,
): McpServer {
  const name = site.build.config.name.trim() || site.slug;
  const server = new McpServer(
    { name: `${name} documentation`, version: serverVersion },
    { instructions: `The documentation of ${name}. Search it first, then read the pages that answer.` },
  );
  const tools = mcpToolNames(skillName(name));
  server.registerTool(
    tools.search,
    {
      title: `Search the documentation of ${name}`,
      description: 'Finds the pages that match a query, best first, with the matching passages.',
      inputSchema: {
        query: z.string().min(1).max(600).describe('Words or a question.'),
        pageSize: z.number().int().min(1).max(MAX_PAGES).optional().describe('Maximum number of pages; 5 by default.'),
        version: z.string().max(100).optional(),
        language: z.string().max(100).optional(),
      },
      outputSchema: { pages: z.array(z.object({ ...pageOutput, score: z.number().describe('0 to 1, best first.') })) },
      annotations: readOnly,
    },
    async ({ query, pageSize, version, language }) => {
      const filter = { ...(version && { version }), ...(language && { language }) };
      const pages = await searchSite(deps, site, { query, pageSize: pageSize ?? 5, scoreThreshold: 0, filter });
      const structuredContent = {
        pages: pages.map(({ path, url, content, metadata: { title, score } }) => ({ path, title, url, content, score })),
      };
      if (pages.length === 0) return { ...textResult('Nothing was found.'), structuredContent };
      return {
        structuredContent,
        content: pages.map(({ metadata, path, url, content }) => ({
          type: 'text' as const,
          text: `# ${metadata.title}\npath: ${path}\n${url}\n\n${content}`,
        })),
      };
    },
  );
  server.registerTool(
    tools.read_page,
    {
      title: 'Read a page',
      description: `Returns a page of the documentation of ${name} as Markdown.`,
      inputSchema: { path: z.string().min(1).max(600).describe('Path of the page, as returned by the search.') },
      outputSchema: pageOutput,
      annotations: readOnly,
    },
    async ({ path }) => {
      const page = await readPage(site, path);
      if (!page) return { ...textResult(`There is no page at ${path}; search for it.`), isError: true };
      return { ...textResult(`# ${page.title}\n${page.url}\n\n${page.content}`), structuredContent: { ...page } };
    },
  );
  addFileTools(server, site, name, tools);
  addPages(server, site, name, tools.search);
  if (deps.sendFeedback) addFeedbackTool(server, name, tools.submit_feedback, deps.sendFeedback);
  return server;
}

const path = z
  .string()
  .max(600)
  .default('')
  .describe('Folder or file, such as `guides` or `guides/start.md`; the whole site by default.');

/** The site's Markdown as a file tree, for agents that navigate with a shell. */
function addFileTools(server: McpServer, site: LiveSite, name: string, tools: ReturnType<typeof mcpToolNames>): void {
  server.registerTool(
    tools.list,
    {
      title: 'List files',
      description: `Lists the Markdown files of the documentation of ${name}, below a folder, with their titles.`,
      inputSchema: { path, depth: z.number().int().min(1).max(20).default(20).describe('Levels of folders to list.') },
      annotations: readOnly,
    },
    async (asked) => textResult(listFiles(site, asked.path, asked.depth)),
  );
  server.registerTool(
    tools.read,
    {
      title: 'Read lines of a file',
      description: `Returns lines of a Markdown file of the documentation of ${name}, with their numbers.`,
      inputSchema: {
        path: z.string().min(1).max(600).describe('The file, as returned by the list and grep tools.'),
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
    tools.grep,
    {
      title: 'Find lines',
      description: `Finds the lines of the documentation of ${name} that contain a text, in all files or below a folder. The text is not a regular expression.`,
      inputSchema: {
        text: z.string().min(1).max(400).describe('The exact text to find.'),
        path,
        ignoreCase: z.boolean().default(true).describe('Whether to ignore case.'),
      },
      annotations: readOnly,
    },
    async (asked) => textResult(await grepFiles(site, asked)),
  );
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
