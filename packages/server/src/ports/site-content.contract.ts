import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteAnswer, SiteBody, SiteContent, SiteRequest } from './site-content.ts';

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Writes the source of the site that the contract reads into an existing folder. */
export function writeContractSite(folder: string): void {
  const config = {
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#123456' },
    navigation: { pages: ['index', 'guides/start'] },
    redirects: [
      { source: '/old', destination: '/guides/start' },
      { source: '/away', destination: 'https://example.org/x', permanent: false },
    ],
  };
  mkdirSync(join(folder, 'guides'), { recursive: true });
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'index.mdx'), '---\ntitle: Home\n---\n\n![A logo](/logo.svg)\n');
  writeFileSync(
    join(folder, 'guides/start.mdx'),
    '---\ntitle: Start\n---\n\n## Install Acme\n\nRun it.\n',
  );
  writeFileSync(join(folder, 'logo.svg'), DRAWING);
}

/**
 * What the content of every site guarantees, in any store.
 * @param open opens the site of `writeContractSite` at the root of its origin; called before each
 *   request with its path
 */
export function siteContentContract(
  name: string,
  open: (path: string) => Promise<SiteContent>,
): void {
  const find = async (
    path: string,
    request: Partial<SiteRequest> = {},
  ): Promise<{ answer: SiteAnswer; content: SiteContent }> => {
    const content = await open(path);
    const answer = content.find({ path, query: '', wantsMarkdown: false, ...request });
    if (!answer) throw new Error(`no content at ${path}`);
    return { answer, content };
  };
  const bodyAt = async (
    path: string,
    request?: Partial<SiteRequest>,
  ): Promise<{ body: SiteBody; content: SiteContent }> => {
    const { answer, content } = await find(path, request);
    if (answer.kind !== 'body') throw new Error(`${path} redirects to ${answer.location}`);
    return { body: answer, content };
  };

  describe(`site content contract: ${name}`, () => {
    beforeAll(async () => {
      await open('/');
    });

    it('serves a page as HTML, with a content security policy and a link to its Markdown', async () => {
      const { body, content } = await bodyAt('/guides/start');
      expect(body).toMatchObject({
        status: 200,
        type: 'text/html; charset=utf-8',
        page: '/guides/start',
        immutable: false,
      });
      expect(String(await body.read())).toContain('Install Acme');
      const headers = content.headersOf(body);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("'self'"),
      });
      expect(headers.link).toContain('</guides/start.md>; rel="alternate"; type="text/markdown"');
    });

    it('serves the same page as Markdown, at its own address and to clients that request it', async () => {
      for (const { body } of [
        await bodyAt('/guides/start.md'),
        await bodyAt('/guides/start', { wantsMarkdown: true }),
      ]) {
        expect(body).toMatchObject({
          status: 200,
          type: 'text/markdown; charset=utf-8',
          page: '/guides/start',
        });
        expect(String(await body.read())).toContain('## Install Acme');
      }
    });

    it('redirects other spellings of an address and the redirects of docs.json, and keeps the query', async () => {
      expect((await find('/guides/start/', { query: '?a=1' })).answer).toMatchObject({
        kind: 'redirect',
        location: '/guides/start?a=1',
      });
      expect((await find('/old', { query: '?a=1' })).answer).toMatchObject({
        kind: 'redirect',
        location: '/guides/start?a=1',
      });
      expect((await find('/away')).answer).toMatchObject({
        kind: 'redirect',
        status: 307,
        location: 'https://example.org/x',
      });
    });

    it('serves a file with its type and size, also in ranges, and forbids scripts in SVG files', async () => {
      const { body, content } = await bodyAt('/logo.svg');
      expect(body).toMatchObject({ status: 200, sizeBytes: DRAWING.length });
      expect(body.type).toMatch(/^image\/svg\+xml/);
      expect(Buffer.from(await body.read()).toString()).toBe(DRAWING);
      const part: Uint8Array[] = [];
      for await (const chunk of (await body.open?.({ start: 1, end: 3 })) ?? []) part.push(chunk);
      expect(Buffer.concat(part).toString()).toBe('svg');
      expect(content.headersOf(body)['content-security-policy']).toContain('sandbox');
    });

    it('answers unknown addresses with a 404 page, and serves nothing outside its folder', async () => {
      for (const path of [
        '/nothing',
        '/../docs.json',
        '/guides/../../docs.json',
        '/docs.json',
        '/_docent/none.js',
        '//example.org/',
      ]) {
        const answer = (await open(path)).find({ path, query: '', wantsMarkdown: false });
        if (answer?.kind === 'body') expect([path, answer.status]).toEqual([path, 404]);
        else expect([path, answer]).toEqual([path, undefined]);
      }
      expect(String(await (await bodyAt('/nothing')).body.read())).toContain('</html>');
    });
  });
}
