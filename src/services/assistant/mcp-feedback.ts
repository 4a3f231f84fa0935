import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { MAX_FEEDBACK_CHARACTERS } from '../../core/analytics/feedback.ts';
import { DocentError } from '../../core/errors.ts';
import type { PageOpinion } from '../feedback/take-feedback.ts';

/** Stores an agent's feedback about a page; returns false if there is no such page. */
export type SendFeedback = (opinion: PageOpinion) => Promise<boolean>;

/** The tool by which an agent reports a problem with a page. The owners of the site see that a program sent it. */
export function addFeedbackTool(server: McpServer, site: string, tool: string, sendFeedback: SendFeedback): void {
  server.registerTool(
    tool,
    {
      title: 'Send feedback on a page',
      description: `Tells the authors of the documentation of ${site} what is wrong, missing or unclear on a page. Use it when a page misled you or did not answer what it should; not for questions.`,
      inputSchema: {
        path: z.string().min(1).max(600).describe('Path of the page, as returned by the search.'),
        feedback: z.string().trim().min(1).max(MAX_FEEDBACK_CHARACTERS).describe('What the problem is, and what would solve it.'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async ({ path, feedback: comment }) => {
      const name = path.replace(/^\/+/, '').replace(/\.mdx?$/, '');
      try {
        const isStored = await sendFeedback({ href: name === 'index' ? '/' : `/${name}`, comment, isByAgent: true });
        return isStored
          ? textResult('The feedback was sent to the authors.')
          : { ...textResult(`There is no page at ${path}; search for it.`), isError: true };
      } catch (error) {
        if (!(error instanceof DocentError)) throw error;
        return { ...textResult(error.message), isError: true };
      }
    },
  );
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}
