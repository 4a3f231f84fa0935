/** The tools of a site's MCP server. */
const TOOLS = ['search', 'read_page', 'list', 'read', 'grep', 'submit_feedback'] as const;
export type McpTool = (typeof TOOLS)[number];

/** Clients limit names to 64 characters, including the name of the server before them. */
const MAX_SITE_CHARACTERS = 32;

/**
 * Returns the names of a site's tools: `search_acme`. They let an agent that is connected to
 * several sites distinguish their tools.
 * @param siteId letters, digits and hyphens
 */
export function mcpToolNames(siteId: string): Record<McpTool, string> {
  const site = siteId.replaceAll('-', '_').slice(0, MAX_SITE_CHARACTERS).replace(/_$/, '');
  return Object.fromEntries(TOOLS.map((tool) => [tool, `${tool}_${site}`])) as Record<
    McpTool,
    string
  >;
}
