import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { LiveSite } from '../sites/live-sites.ts';
import { readPage } from '../sites/read-page.ts';
import { listedPages } from '../sites/site-markdown.ts';

/** People pick from this list, so it is bounded; the tools find the other pages. */
const MAX_RESOURCES = 1000;
const MARKDOWN = 'text/markdown';

/** Offers the pages of a site as resources, which people attach to a conversation, and prompts to start one. */
export function addPages(server: McpServer, site: LiveSite, name: string, searchTool: string): void {
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
    { title: `Page of the documentation of ${name}`, description: 'A page as Markdown.', mimeType: MARKDOWN },
    async (uri) => {
      const page = await readPage(site, uri.href);
      if (!page) throw new Error(`There is no page at ${uri.href}; list the resources.`);
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: `# ${page.title}\n${page.url}\n\n${page.content}` }] };
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
      argsSchema: { path: z.string().min(1).max(600).describe('Path of the page, such as `guides/start`.') },
    },
    async ({ path }) => {
      const page = await readPage(site, path);
      if (!page) throw new Error(`There is no page at ${path}; search for it.`);
      return promptOf(`Explain this page of the documentation of ${name}.\n\n# ${page.title}\n${page.url}\n\n${page.content}`);
    },
  );
}

function promptOf(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
