import { skillName } from '../../compiler/site/agent-skills.ts';
import { html } from '../../core/html.ts';
import type { LiveSite } from '../sites/live-sites.ts';

/** Explains the address to a person who opens it in a browser. */
export function mcpPage(site: LiveSite): string {
  const { name } = site.build.config;
  const url = `${site.publicUrl}/mcp`;
  const settings = JSON.stringify({ mcpServers: { [skillName(name)]: { type: 'http', url } } }, undefined, 2);
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>MCP server of ${name}</title><style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem}pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem}</style></head><body><main><h1>MCP server of ${name}</h1><p>This address is for AI tools. They search and read this documentation with the Model Context Protocol.</p><p>Add it to your tool with its address, without a key:</p><pre><code>${url}</code></pre><p>Or in a file of settings:</p><pre><code>${settings}</code></pre><p><a href="${site.publicUrl}/">Read the documentation</a></p></main></body></html>`;
  return page.value;
}
