import { expect, it } from 'vitest';
import { openTestApp } from '../../../../test/support/test-app.ts';

it('the schemas of docs.json and questions.yaml are available at stable URLs, to editors of any origin', async () => {
  const { app, deps, close } = await openTestApp();
  try {
    for (const url of ['/schema/docs.json', '/schema/questions.json']) {
      const answer = await app.inject({
        method: 'GET',
        url,
        headers: { host: new URL(deps.config.publicUrl).host },
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toContain('application/schema+json');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.json()).toMatchObject({ $id: deps.config.publicUrl + url, type: 'object' });
    }
  } finally {
    await close();
  }
});
