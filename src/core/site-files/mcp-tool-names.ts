/** What an agent may call at the MCP server of a site. */
const TOOLS = ['search', 'read_page', 'list', 'read', 'grep', 'submit_feedback'] as const;
export type McpTool = (typeof TOOLS)[number];

/** Clients limit names to 64 characters, and put the name of the server before them. */
const MAX_SITE_CHARACTERS = 32;

/**
 * The names of the tools of a site: `search_acme`. So an agent that is connected to several sites can distinguish their tools.
 * @param siteId letters, digits and hyphens
 */
export function mcpToolNames(siteId: string): Record<McpTool, string> {
  const site = siteId.replaceAll('-', '_').slice(0, MAX_SITE_CHARACTERS).replace(/_$/, '');
  return Object.fromEntries(TOOLS.map((tool) => [tool, `${tool}_${site}`])) as Record<McpTool, string>;
}
