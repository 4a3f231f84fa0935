import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/test-app.ts';

let test: TestApp;
let link: string;
const bytes = new TextEncoder().encode('0123456789');

beforeAll(async () => {
  test = await openTestApp();
  await test.deps.blobs.put('bundles/a.tar.gz', bytes, { contentType: 'application/gzip' });
  link = await linkTo('bundles/a.tar.gz');
});
afterAll(() => test.close());

async function linkTo(key: string): Promise<string> {
  const { url } = await test.deps.blobs.presign(key, {
    expiresInSeconds: 900,
    filename: 'docs export.tar.gz',
  });
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.inject({ method, url, headers });

describe('a presigned link', () => {
  it('serves the bytes as an attachment that browsers do not render', async () => {
    const response = await get(link);
    expect([response.statusCode, response.body]).toEqual([200, '0123456789']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': '10',
      'content-disposition': 'attachment; filename="docs_export.tar.gz"',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=0-99', '0123456789', 'bytes 0-9/10'],
  ])(
    'serves the range %s, so that a download can be resumed',
    async (range, body, contentRange) => {
      const response = await get(link, { range });
      expect([response.statusCode, response.body, response.headers['content-range']]).toEqual([
        206,
        body,
        contentRange,
      ]);
      expect(response.headers['content-length']).toBe(String(body.length));
    },
  );

  it('responds with 416 to a range outside the file, and with the whole file to a malformed range', async () => {
    const outside = await get(link, { range: 'bytes=10-' });
    expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect((await get(link, { range: 'bytes=x' })).statusCode).toBe(200);
  });

  it('responds to HEAD with the size and no body', async () => {
    const response = await get(link, {}, 'HEAD');
    expect([response.statusCode, response.headers['content-length'], response.body]).toEqual([
      200,
      '10',
      '',
    ]);
  });

  it.each([
    ['no signature', () => '/blobs/bundles/a.tar.gz'],
    ['another key', () => link.replace('a.tar.gz', 'b.tar.gz')],
    [
      'a later expiry',
      () => link.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) + 1}`),
    ],
    ['another filename', () => link.replace('filename=docs', 'filename=evil')],
    ['an escape from the folder', () => link.replace('bundles/a.tar.gz', '..%2f..%2fetc/passwd')],
    ['a key with U+0000', () => '/blobs/a%00b?expires=1&signature=x'],
  ])('with %s is rejected with 403 and the same message as for a missing file', async (_, url) => {
    const response = await get(url());
    const other = await get('/blobs/nothing/here?expires=99999999999&signature=x');
    expect([response.statusCode, response.json().code]).toEqual([403, 'link_refused']);
    expect(response.json().detail).toBe(other.json().detail);
  });

  it('is rejected with 403 after its expiry, and returns 404 for a deleted file', async () => {
    const gone = await linkTo('bundles/gone.tar.gz');
    expect((await get(gone)).statusCode).toBe(404);
    const short = await linkTo('bundles/a.tar.gz');
    test.deps.clock.advance(900);
    const response = await get(short);
    expect([response.statusCode, response.json().code]).toEqual([403, 'link_refused']);
  });
});
