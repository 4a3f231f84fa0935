import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canServeGit, type GitServer, startGitServer } from '../support/git-server.ts';
import { call, fetchSite, until } from '../support/http.ts';
import { type RunningDocent, startDocent } from '../support/start-docent.ts';

const docsJson = JSON.stringify({
  name: 'Quick',
  theme: 'mint',
  colors: { primary: '#0a0' },
  navigation: { pages: ['index'] },
});

describe.skipIf(!canServeGit)('a server of repositories that never answers', () => {
  let server: GitServer;
  let docent: RunningDocent;
  const waiting: ServerResponse[] = [];

  beforeAll(async () => {
    server = await startGitServer();
    server.intercept = (request, response) => {
      const isHostile = request.url?.startsWith('/hostile.git') === true;
      if (isHostile) waiting.push(response);
      return isHostile;
    };
    docent = await startDocent({
      isBasic: true,
      env: {
        DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
        // Both sites are of one organization here.
        DOCENT_PUBLISHES_PER_ORGANIZATION: '2',
      },
    });
  });
  afterAll(async () => {
    for (const response of waiting) response.destroy();
    await docent?.stop();
    await server?.close();
  });

  it('holds up neither the first deployment nor the next push of another site', async () => {
    const ask = async (method: string, path: string, body?: object) => {
      const response = await call(docent, docent.adminKey, method, path, body);
      expect([path, response.ok]).toEqual([path, true]);
      return (await response.json()) as { id: string; statusId: string; status: string };
    };
    const connect = async (slug: string) => {
      await ask('POST', '/v1/projects', { slug });
      return ask('POST', `/v1/projects/${slug}/sources`, { url: `${server.origin}/${slug}.git` });
    };
    await connect('hostile');
    await until(async () => waiting.length > 0 || undefined);
    const { statusId } = await ask('POST', '/v1/project/update/hostile');
    // The look and the deployment wait for it at the same time.
    await until(async () => waiting.length > 1 || undefined);

    const quick = server.createRepository('quick');
    quick.push({ 'docs.json': docsJson, 'index.mdx': '# Before' });
    const isLive = (text: string) =>
      until(async () => {
        const response = await fetchSite(docent, 'quick', '/');
        return (await response.text()).includes(text) || undefined;
      });
    const source = await connect('quick');
    await isLive('Before');
    quick.push({ 'index.mdx': '# After' });
    await ask('POST', `/v1/projects/quick/sources/${source.id}/fetch`);
    await isLive('After');
    const { status } = await ask('GET', `/v1/project/update-status/${statusId}`);
    expect(status).not.toBe('success');
  });
});
