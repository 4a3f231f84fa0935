import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call as callApi, fetchLocal, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

describe('the MCP server of a site', () => {
  let docent: RunningDocent;
  const client = new Client({ name: 'test', version: '1.0.0' });
  beforeAll(async () => {
    docent = await startDocent();
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${docent.siteUrl}mcp`), { fetch: fetchLocal }),
    );
  });
  afterAll(async () => {
    await client.close();
    await docent.stop();
    await removeTemporaryFolders();
  });

  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name: `${name}_docent`, arguments: args });
    return {
      isError: result.isError,
      structured: result.structuredContent,
      texts: (result.content as { text: string }[]).map((one) => one.text),
    };
  };

  test('offers tools to search, to read pages and files, and to submit feedback, the only one that writes', async () => {
    const { tools } = await client.listTools();
    // Their names contain the site's name, so that an agent can distinguish the tools of two sites.
    const names = ['grep', 'list', 'read', 'read_page', 'search', 'submit_feedback'].map(
      (name) => `${name}_docent`,
    );
    expect(tools.map((tool) => tool.name).sort()).toEqual(names);
    const writing = tools.filter((tool) => !tool.annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual(names.filter((name) => name.startsWith('submit_feedback_')));
  });

  test('finds pages and reads one of them', async () => {
    const { texts, structured } = await call('search', { query: 'publish a site', pageSize: 3 });
    expect(texts.length).toBeGreaterThan(0);
    const { pages } = structured as {
      pages: { path: string; title: string; url: string; content: string; score: number }[];
    };
    expect(texts[0]).toBe(
      `# ${pages[0]?.title}\npath: ${pages[0]?.path}\n${pages[0]?.url}\n\n${pages[0]?.content}`,
    );
    expect((await call('search', { query: 'zzqxv' })).structured).toEqual({ pages: [] });
    const path = /^path: (.+)$/m.exec(texts[0] as string)?.[1] as string;
    const page = await call('read_page', { path });
    expect(page.isError).toBeFalsy();
    expect(page.texts[0]).toMatch(/^# /);
    expect(page.structured).toMatchObject({ path, content: expect.any(String) });
  });

  test('accepts feedback from agents, marks it as such, and rejects unknown pages and empty feedback', async () => {
    // Differs in each attempt.
    const words = `The flag was renamed at ${performance.now()}.`;
    const comment = { feedback: words };
    expect((await call('submit_feedback', { path: 'api/keys', ...comment })).isError).toBeFalsy();
    expect((await call('submit_feedback', { path: 'api/nowhere', ...comment })).texts[0]).toContain(
      'There is no page at api/nowhere',
    );
    expect((await call('submit_feedback', { path: 'api/keys', feedback: ' ' })).isError).toBe(true);
    const answer = await callApi(
      docent,
      docent.adminKey,
      'GET',
      '/v1/analytics/docent/feedback?source=agent',
    );
    const { feedback } = (await answer.json()) as { feedback: object[] };
    expect(feedback.filter((entry) => 'comment' in entry && entry.comment === words)).toMatchObject(
      [{ path: '/api/keys', source: 'agent', helpful: null }],
    );
  });

  test('lists pages as resources and reads a selected one', async () => {
    const { resources } = await client.listResources();
    const keys = resources.find(({ name }) => name === 'api/keys');
    expect(keys).toMatchObject({
      title: 'Keys',
      mimeType: 'text/markdown',
      uri: `${docent.siteUrl}api/keys.md`,
    });
    const { contents } = await client.readResource({ uri: keys?.uri as string });
    expect(contents).toMatchObject([{ uri: keys?.uri, text: expect.stringContaining('svc_dsc_') }]);
    await expect(client.readResource({ uri: `${docent.siteUrl}no/such/page.md` })).rejects.toThrow(
      'There is no page',
    );
  });

  test('offers prompts that begin a conversation about the documentation', async () => {
    const ask = await client.getPrompt({
      name: 'ask',
      arguments: { question: 'How do I publish?' },
    });
    expect(JSON.stringify(ask.messages)).toMatch(/search_docent.*How do I publish\?/);
    const explain = await client.getPrompt({
      name: 'explain_page',
      arguments: { path: 'api/keys' },
    });
    expect(JSON.stringify(explain.messages)).toContain('svc_dsc_');
  });

  test('reports missing pages and invalid arguments as tool errors', async () => {
    expect((await call('read_page', { path: '../../../etc/passwd' })).isError).toBe(true);
    expect((await call('search', { query: '' })).isError).toBe(true);
  });

  test('lists files, finds text in them, reads single lines, and rejects paths outside the site', async () => {
    expect((await call('list', { path: 'api' })).texts[0]).toContain('api/keys.md');
    const found = await call('grep', { text: 'svc_dsc_', path: 'api' });
    const [, file, line] = /^(.+):(\d+): /.exec(found.texts[0] as string) ?? [];
    const { texts } = await call('read', { path: file, from: Number(line), lines: 1 });
    expect(texts[0]).toContain('svc_dsc_');
    expect((await call('read', { path: '../../../etc/passwd' })).isError).toBe(true);
  });

  test('explains itself to a person who opens its address in a browser', async () => {
    const url = `${docent.siteUrl}mcp`;
    const page = await fetchLocal(url, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('Model Context Protocol');
  });

  test('is accompanied by an API catalog and by Link headers whose targets all exist', async () => {
    const base = docent.siteUrl;
    const link = (await fetchLocal(`${base}quickstart`)).headers.get('link') ?? '';
    for (const [, path, relation] of link.matchAll(/<([^>]+)>; rel="([^"]+)"/g)) {
      const answer = await fetchLocal(new URL(path as string, base));
      expect([relation, answer.status]).toEqual([relation, 200]);
    }
    expect(link).toContain('rel="agent-card"');
    const catalog = await fetchLocal(`${base}.well-known/api-catalog`);
    expect(catalog.headers.get('content-type')).toContain('application/linkset+json');
    expect(await catalog.text()).toContain('/openapi.json');
  });

  test('rejects invalid messages with 400 and requests for a stream with 405', async () => {
    const url = `${docent.siteUrl}mcp`;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    expect(
      (await fetchLocal(url, { method: 'POST', headers, body: '{"no":"message"}' })).status,
    ).toBe(400);
    expect((await fetchLocal(url, { method: 'POST', headers, body: '{' })).status).toBe(400);
    const stream = await fetchLocal(url, { headers: { accept: 'text/event-stream' } });
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('accepts requests from its own origin and allowed origins, and rejects every other origin', async () => {
    const url = `${docent.siteUrl}mcp`;
    const ask = (origin: string, method = 'POST') =>
      fetchLocal(url, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          origin,
        },
        ...(method === 'POST' && {
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        }),
      });
    for (const origin of [
      'https://evil.example',
      'null',
      `http://docent.localhost:${docent.port}.evil.example`,
      `http://localhost:${docent.port}`,
    ]) {
      const refused = await ask(origin);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        403,
        'origin_not_allowed',
      ]);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect((await ask(origin, 'OPTIONS')).status).toBe(403);
    }
    expect((await ask(`http://docent.localhost:${docent.port}`)).status).toBe(200);
    const allowed = 'https://tools.example.com';
    await callApi(
      docent,
      docent.adminKey,
      'PATCH',
      `/v1/project/${docent.domain}/assistant-settings`,
      {
        allowedOrigins: [allowed],
      },
    );
    const accepted = await until(async () => {
      const answer = await ask(allowed);
      return answer.status === 200 ? answer : undefined;
    });
    expect(accepted.headers.get('access-control-allow-origin')).toBe(allowed);
    const preflight = await ask(allowed, 'OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('mcp-protocol-version'),
    ]);
  });
});
