import { skillName } from '@docent/compiler/site/agent-files.ts';
import { MAX_FEEDBACK_CHARACTERS } from '@docent/format/analytics/feedback.ts';
import { DocentError } from '@docent/format/errors.ts';
import { mcpToolNames } from '@docent/format/site-files/mcp-tool-names.ts';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import type { PageOpinion } from '../analytics/feedback.ts';
import type { Deps } from '../kernel/deps.ts';
import * as field from '../kernel/operations/described.ts';
import {
  grepFiles,
  listedPages,
  listFiles,
  readLines,
  readPage,
} from '../kernel/sites/site-pages.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { searchSite } from '../search/search-site.ts';

const MAX_PAGES = 20;
/** A page as structured data for programs; the text contains the same for people and models. */
const pageOutput = {
  path: field.text('Path of the page without a leading slash.'),
  title: z.string(),
  url: field.text('Absolute address.'),
  content: field.text('Markdown.'),
};
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/**
 * Creates a Model Context Protocol server over one site: what an agent needs to read its
 * documentation.
 */
export function createMcpServer(
  deps: Pick<Deps, 'siteSearch'> & { sendFeedback?: SendFeedback },
  site: LiveSite,
  serverVersion: string,
): McpServer {
  const name = site.build.config.name.trim() || site.slug;
  const server = new McpServer(
    { name: `${name} documentation`, version: serverVersion },
    {
      instructions: `The documentation of ${name}. Search it first, then read the pages that answer.`,
    },
  );
  const tools = mcpToolNames(skillName(name));
  server.registerTool(
    tools.search,
    {
      title: `Search the documentation of ${name}`,
      description: 'Finds the pages that match a query, best first, with the matching passages.',
      inputSchema: {
        query: z.string().min(1).max(600).describe('Words or a question.'),
        pageSize: field.optional(
          z.number().int().min(1).max(MAX_PAGES),
          'Maximum number of pages; 5 by default.',
        ),
        version: z.string().max(100).optional(),
        language: z.string().max(100).optional(),
      },
      outputSchema: {
        pages: z.array(z.object({ ...pageOutput, score: field.number('0 to 1, best first.') })),
      },
      annotations: readOnly,
    },
    async ({ query, pageSize, version, language }) => {
      const filter = { ...(version && { version }), ...(language && { language }) };
      const pages = await searchSite(deps, site, {
        query,
        pageSize: pageSize ?? 5,
        scoreThreshold: 0,
        filter,
      });
      const structuredContent = {
        pages: pages.map(({ path, url, content, metadata: { title, score } }) => ({
          path,
          title,
          url,
          content,
          score,
        })),
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
      inputSchema: {
        path: z.string().min(1).max(600).describe('Path of the page, as returned by the search.'),
      },
      outputSchema: pageOutput,
      annotations: readOnly,
    },
    async ({ path }) => {
      const page = await readPage(site, path);
      if (!page) return errorResult(`There is no page at ${path}; search for it.`);
      return { ...textResult(pageText(page)), structuredContent: { ...page } };
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
function addFileTools(
  server: McpServer,
  site: LiveSite,
  name: string,
  tools: ReturnType<typeof mcpToolNames>,
): void {
  server.registerTool(
    tools.list,
    {
      title: 'List files',
      description: `Lists the Markdown files of the documentation of ${name}, below a folder, with their titles.`,
      inputSchema: {
        path,
        depth: z.number().int().min(1).max(20).default(20).describe('Levels of folders to list.'),
      },
      annotations: readOnly,
    },
    async (input) => textResult(listFiles(site, input.path, input.depth)),
  );
  server.registerTool(
    tools.read,
    {
      title: 'Read lines of a file',
      description: `Returns lines of a Markdown file of the documentation of ${name}, with their numbers.`,
      inputSchema: {
        path: z
          .string()
          .min(1)
          .max(600)
          .describe('The file, as returned by the list and grep tools.'),
        from: z.number().int().min(1).default(1).describe('First line, counted from 1.'),
        lines: z.number().int().min(1).max(2000).default(400).describe('Maximum number of lines.'),
      },
      annotations: readOnly,
    },
    async (input) => {
      const text = await readLines(site, input.path, input.from, input.lines);
      return text === undefined
        ? errorResult(`There is no file ${input.path}; list the files.`)
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
    async (input) => textResult(await grepFiles(site, input)),
  );
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

function errorResult(text: string) {
  return { ...textResult(text), isError: true };
}

const pageText = ({ title, url, content }: { title: string; url: string; content: string }) =>
  `# ${title}\n${url}\n\n${content}`;

/** Stores an agent's feedback about a page; returns false if there is no such page. */
export type SendFeedback = (opinion: PageOpinion) => Promise<boolean>;

/**
 * The tool by which an agent reports a problem with a page. The owners of the site see that a
 * program sent it.
 */
function addFeedbackTool(
  server: McpServer,
  site: string,
  tool: string,
  sendFeedback: SendFeedback,
): void {
  server.registerTool(
    tool,
    {
      title: 'Send feedback on a page',
      description: `Tells the authors of the documentation of ${site} what is wrong, missing or unclear on a page. Use it when a page misled you or did not answer what it should; not for questions.`,
      inputSchema: {
        path: z.string().min(1).max(600).describe('Path of the page, as returned by the search.'),
        feedback: z
          .string()
          .trim()
          .min(1)
          .max(MAX_FEEDBACK_CHARACTERS)
          .describe('What the problem is, and what would solve it.'),
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    async ({ path, feedback: comment }) => {
      const name = path.replace(/^\/+/, '').replace(/\.mdx?$/, '');
      try {
        const isStored = await sendFeedback({
          href: name === 'index' ? '/' : `/${name}`,
          comment,
          isByAgent: true,
        });
        return isStored
          ? textResult('The feedback was sent to the authors.')
          : errorResult(`There is no page at ${path}; search for it.`);
      } catch (error) {
        if (!(error instanceof DocentError)) throw error;
        return errorResult(error.message);
      }
    },
  );
}

/** People pick from this list, so it is bounded; the tools find the other pages. */
const MAX_RESOURCES = 1000;
const MARKDOWN = 'text/markdown';

/**
 * Offers the pages of a site as resources, which people attach to a conversation, and prompts to
 * start one.
 */
function addPages(server: McpServer, site: LiveSite, name: string, searchTool: string): void {
  const list = () => ({
    resources: listedPages(site)
      .slice(0, MAX_RESOURCES)
      .map(({ path, title, description }) => ({
        uri: `${site.publicUrl}/${path}.md`,
        name: path,
        title,
        ...(description && { description }),
        mimeType: MARKDOWN,
      })),
  });
  server.registerResource(
    'page',
    new ResourceTemplate(`${site.publicUrl}/{+path}`, { list }),
    {
      title: `Page of the documentation of ${name}`,
      description: 'A page as Markdown.',
      mimeType: MARKDOWN,
    },
    async (uri) => {
      const page = await readPage(site, uri.href);
      if (!page) throw new Error(`There is no page at ${uri.href}; list the resources.`);
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: pageText(page) }] };
    },
  );
  server.registerPrompt(
    'ask',
    {
      title: `Ask the documentation of ${name}`,
      description: 'Answers a question from the documentation, with links to its pages.',
      argsSchema: { question: z.string().min(1).max(4000).describe('The question.') },
    },
    ({ question }) =>
      promptOf(
        `Answer from the documentation of ${name} alone: find pages with the tool ${searchTool}, read those that answer, and link them. Say so where the documentation does not answer.\n\n${question}`,
      ),
  );
  server.registerPrompt(
    'explain_page',
    {
      title: 'Explain a page',
      description: 'Explains a page of the documentation, with its text as context.',
      argsSchema: {
        path: z.string().min(1).max(600).describe('Path of the page, such as `guides/start`.'),
      },
    },
    async ({ path }) => {
      const page = await readPage(site, path);
      if (!page) throw new Error(`There is no page at ${path}; search for it.`);
      return promptOf(`Explain this page of the documentation of ${name}.\n\n${pageText(page)}`);
    },
  );
}

function promptOf(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
