import { expect, it } from 'vitest';
import { openTestApp } from '../../../../test/support/test-app.ts';

it('the schema of docs.json is available at a stable URL, to editors of any origin', async () => {
  const { app, deps, close } = await openTestApp();
  try {
    const answer = await app.inject({
      method: 'GET',
      url: '/schema/docs.json',
      headers: { host: new URL(deps.config.publicUrl).host },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('application/schema+json');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.json()).toMatchObject({ $id: `${deps.config.publicUrl}/schema/docs.json`, type: 'object' });
  } finally {
    await close();
  }
});
