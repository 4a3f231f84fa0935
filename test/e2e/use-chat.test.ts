import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, closeContexts, sharedBrowser } from '../support/browser.ts';
import { clientsFolder, haveClients, installClients } from '../support/real-clients.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

const canRun = chromiumPath !== '' && haveClients('useChat in a browser');

/** A typical application with the hook of that release. */
const programs = {
  v4: `
    import { useChat } from 'ai4-react';
    export function Chat({ api, token }) {
      const { messages, append, status, error } = useChat({
        api: api + '/v1/assistant/docent/message', headers: { Authorization: 'Bearer ' + token },
        body: { fp: 'anonymous', retrievalPageSize: 5 }, streamProtocol: 'data', sendExtraMessageFields: true,
      });
      const ask = (content) => append({ role: 'user', content });
      return show(messages.map((m) => ({ role: m.role, text: m.content })), status, error, ask);
    }`,
  v6: `
    import { useChat } from 'ai6-react';
    import { DefaultChatTransport } from 'ai6';
    export function Chat({ api, token }) {
      const [transport] = React.useState(() => new DefaultChatTransport({
        api: api + '/v2/assistant/docent/message', headers: { Authorization: 'Bearer ' + token }, body: { fp: 'anonymous' },
      }));
      const { messages, sendMessage, status, error } = useChat({ transport });
      const textOf = (m) => m.parts.map((p) => (p.type === 'text' ? p.text : '')).join('');
      const thread = messages.at(-1)?.metadata?.threadId;
      return show(messages.map((m) => ({ role: m.role, text: textOf(m) })), status, error, (text) => sendMessage({ text }), thread);
    }`,
};

const shared = `
  import React from 'react';
  import { createRoot } from 'react-dom/client';
  const show = (messages, status, error, ask, thread) => React.createElement('main', { 'data-status': status, 'data-thread': thread },
    React.createElement('button', { onClick: () => ask('How do I publish a site?') }, 'Ask'),
    error ? React.createElement('p', { role: 'alert' }, String(error)) : null,
    messages.map((m, i) => React.createElement('p', { key: i, className: m.role }, m.text)));
`;

describe.skipIf(!canRun)('an application of another origin in a real browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let server: http.Server;
  const scripts = new Map<string, string>();

  beforeAll(async () => {
    installClients();
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    for (const [release, program] of Object.entries(programs)) {
      const start = `const { api, token } = window.config; createRoot(document.body).render(React.createElement(Chat, { api, token }));`;
      const bundled = await build({
        stdin: { contents: shared + program + start, resolveDir: clientsFolder, loader: 'js' },
        bundle: true,
        write: false,
        format: 'iife',
        define: { 'process.env.NODE_ENV': '"production"' },
      });
      scripts.set(`/${release}.js`, bundled.outputFiles[0]?.text ?? '');
    }
    server = http.createServer((request, response) => {
      const script = scripts.get(request.url ?? '');
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
      const config = JSON.stringify({
        api: `http://localhost:${docent.port}`,
        token: docent.assistantKey,
      });
      const release = (request.url ?? '').slice(1);
      response.end(
        script ??
          `<!doctype html><body><script>window.config=${config}</script><script src="/${release}.js"></script>`,
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }, 180_000);
  afterAll(async () => {
    server.close();
    await closeContexts(browser);
  });

  test.each(Object.keys(programs))(
    'asks and shows the answer with useChat of %s',
    async (release) => {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on(
        'console',
        (message) =>
          message.type() === 'error' &&
          !message.text().includes('favicon') &&
          faults.push(message.text()),
      );
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${release}`);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.locator('main[data-status="ready"] p.assistant').waitFor({ timeout: 30_000 });
      await expect.poll(() => page.locator('p.assistant').innerText()).toContain('publish');
      if (release === 'v6')
        await expect
          .poll(() => page.locator('main').getAttribute('data-thread'))
          .toMatch(/^[0-9A-Z]{26}$/);
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      expect(faults).toEqual([]);
      await page.close();
    },
    120_000,
  );
});
