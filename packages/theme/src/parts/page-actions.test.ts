import type { ContextualOption } from '@docent/format/docs-json/site-config.ts';
import { describe, expect, it } from 'vitest';
import { testConfig, testSite, testView } from '../../../../test/support/test-view.ts';
import { renderPage } from '../render-page.ts';
import { frameOf } from '../view/frame.ts';
import type { SiteView } from '../view/page-view.ts';
import { pageActionsOf } from './page-actions.ts';

const ALL =
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop mcp add-mcp cursor vscode devin-mcp';
const builtin = (name: string): ContextualOption => ({ kind: 'builtin', name });

function viewWith(
  options: ContextualOption[],
  site: Partial<SiteView> = {},
  display: 'header' | 'toc' = 'header',
) {
  const config = testConfig({ contextual: { display, options } });
  return testView({ site: testSite({ config, ...site }) });
}

function actions(options: ContextualOption[], site: Partial<SiteView> = {}) {
  const view = viewWith(options, site);
  return pageActionsOf(frameOf(view, view.page.href, undefined), view);
}

describe('the page menu', () => {
  it('omits actions that need a site origin, an MCP server or an assistant if those are missing', () => {
    const labels = actions(ALL.split(' ').map(builtin)).map((action) => action.label);
    expect(labels).toEqual(['Copy page', 'View as Markdown', 'Save as PDF']);
  });

  it('contains the actions for the site origin, the MCP server and the assistant if the site has them', () => {
    const site = {
      origin: 'https://docs.acme.test',
      mcpUrl: 'https://docs.acme.test/mcp',
      hasAssistant: true,
    };
    const labels = actions(ALL.split(' ').map(builtin), site).map((action) => action.label);
    expect(labels).toContain('Open in ChatGPT');
    expect(labels).toContain('Ask the assistant');
    expect(labels).toContain('Connect to VS Code');
    expect(labels).toHaveLength(14);
  });

  it('links assistants to the Markdown of the page', () => {
    const [claude] = actions([builtin('claude')], { origin: 'https://docs.acme.test' });
    expect(decodeURIComponent(claude?.href ?? '')).toContain(
      'https://docs.acme.test/guides/start.md',
    );
  });

  it('replaces $page, $path and $mcp in custom entries, and drops entries with an unknown value', () => {
    const own = (
      href: Extract<ContextualOption, { kind: 'custom' }>['href'],
    ): ContextualOption => ({
      kind: 'custom',
      title: 'Own',
      description: '',
      href,
    });
    const query = [{ key: 'q', value: 'About $page & more' }];
    const entries = actions(
      [
        own('https://a.test/?p=$path'),
        own({ base: 'https://a.test/ask', query }),
        own('https://a.test/$mcp'),
      ],
      {
        origin: 'https://docs.acme.test',
      },
    );
    expect(entries.map((action) => action.href)).toEqual([
      'https://a.test/?p=guides/start',
      'https://a.test/ask?q=About%20https%3A%2F%2Fdocs.acme.test%2Fguides%2Fstart%20%26%20more',
    ]);
  });

  it('never lets an entry run code or close its tag', () => {
    const attack = '"><script>alert(1)</script>';
    const entry: ContextualOption = {
      kind: 'custom',
      title: attack,
      description: attack,
      icon: attack,
      href: `javascript:alert(1)${attack}`,
    };
    const page = renderPage(
      viewWith([entry, builtin('mcp')], { mcpUrl: `https://a.test/${attack}` }),
    );
    expect(page).not.toContain('<script>alert');
    expect(page).not.toMatch(/href="javascript:/i);
  });

  it('can be disabled or replaced by the page', () => {
    const none = testView({ page: { contextual: { display: 'header', options: [] } } });
    expect(renderPage(none)).not.toContain('d-actions');
    const own = testView({
      page: { contextual: { display: 'header', options: [builtin('view')] } },
    });
    expect(renderPage(own)).toContain('View as Markdown');
    expect(renderPage(own)).not.toContain('data-copy-page');
  });

  it('is below the table of contents if configured, even on a page without headings', () => {
    expect(renderPage(viewWith([builtin('view')], {}, 'toc'))).toContain('d-rail-actions');
    expect(renderPage(viewWith([builtin('view')], {}, 'header'))).not.toContain('d-rail-actions');
  });
});
