import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const agents = {
  agent:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  training: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  crawler: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  program: 'curl/8.9.1',
};

describe('server-side page views', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await startDocent();
  });
  // Each attempt counts on a site of its own.
  let site = '';
  beforeEach(async () => {
    site = `counted-${Date.now()}`;
    await publishArchive(docent, site, tarball(fixtureSite('small')));
  });
  afterAll(async () => {
    await docent?.stop();
    await removeTemporaryFolders();
  });

  const host = () => `${site}.localhost:${docent.port}`;
  const get = (path: string, agent: string, headers: Record<string, string> = {}) =>
    getAs(docent.port, host(), path, { 'user-agent': agent, ...headers });
  const views = async () => {
    const response = await fetch(`${docent.apiUrl}/v1/analytics/${site}/views`, {
      headers: { authorization: `Bearer ${docent.adminKey}` },
    });
    return (await response.json()) as {
      totals: { human: number; ai: number; total: number };
      views: { path: string; ai: number }[];
    };
  };

  test('count pages and Markdown fetched by AI, exclude crawlers and readers, and survive a restart', async () => {
    await get('/guides/install', agents.agent);
    await get('/guides/install', agents.training);
    await get('/guides/install', agents.crawler);
    await get('/guides/install', READER);
    await get('/guides/install.md', agents.program);
    await get('/guides/install', agents.program, { accept: 'text/markdown' });
    await get('/guides/install.md', agents.crawler);
    await get('/guides/install.md', READER, {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
    });
    await get('/llms.txt', agents.program);
    await get('/nothing', agents.agent);
    const { dataFolder, port } = docent;
    await docent.stop();
    docent = await startDocent({ dataFolder, port });
    expect(await views()).toMatchObject({
      totals: { human: 0, ai: 4, total: 4 },
      views: [{ path: '/guides/install', ai: 4 }],
    });
  });
});
