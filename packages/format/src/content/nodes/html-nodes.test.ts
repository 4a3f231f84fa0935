import { describe, expect, it } from 'vitest';
import { compileText, type FakeSite } from '../../../../../test/support/fake-site.ts';
import { withoutOutside } from '../../outside/without-outside.ts';

const site: FakeSite = {
  files: {
    'files/user guide.pdf': '',
    'files/plan.svg': '',
    'files/tour.mp4': '',
    'files/bell.mp3': '',
  },
};

async function shown(text: string) {
  const { content, diagnostics, assets } = await compileText(text, site);
  return {
    html: content.html.replaceAll('\u0001', '|'),
    markdown: content.markdown,
    assets,
    diagnostics: diagnostics.map(({ message }) => message),
  };
}

describe('an <object> or <embed>', () => {
  it.each([
    '<object data="/files/user%20guide.pdf#page=2" type="application/pdf" width="100%" height="600" />',
    '<embed src="/files/user guide.pdf#page=2" type="application/pdf" width="100%" height="600" />',
    '<object data="../files/user guide.pdf#page=2" width="100%" height="600">\n\n  Sorry: [download](/files/x.pdf)\n\n</object>',
    '<div dangerouslySetInnerHTML={{ __html: \'<object data="/files/user guide.pdf#page=2" width="100%" height="600"><embed src="/x.pdf"></object>\' }} />',
  ])('shows a PDF from the repository in a frame: %s', async (text) => {
    const { html, markdown, assets, diagnostics } = await shown(text);
    expect(html).toContain(
      '<iframe src="|A/files/user guide.pdf|#page=2" title="user guide.pdf" width="100%" height="600" loading="lazy"></iframe>',
    );
    expect(html).not.toMatch(/<object|<embed|Sorry/);
    expect(assets).toEqual(['/files/user guide.pdf']);
    expect(markdown).toMatch(/\[user guide\.pdf\]\([^)]*files\/user[^)]*\.pdf/);
    expect(diagnostics).toEqual([]);
  });

  it('gives a document without a size a default size', async () => {
    expect((await shown('<embed src="/files/user guide.pdf" />')).html).toContain(
      'class="d-document"',
    );
    expect(
      (await shown('<embed src="/files/user guide.pdf" style={{ height: 90 }} />')).html,
    ).not.toContain('d-document');
  });

  it('becomes an image, video, or audio player according to its type or file name', async () => {
    expect(
      (await shown('<object data="/files/plan.svg" aria-label="The plan" width="300" />')).html,
    ).toMatch(/<img [^>]*src="\|A\/files\/plan\.svg\|"[^>]* alt="The plan"/);
    expect((await shown('<embed src="/files/tour.mp4" />')).html).toMatch(
      /<video src="\|A\/files\/tour\.mp4\|" title="tour\.mp4" controls/,
    );
    expect((await shown('<object data="/files/bell.mp3"><p>no</p></object>')).html).toMatch(
      /<audio src="\|A\/files\/bell\.mp3\|"/,
    );
    expect(
      (await shown('<object data="https://a.test/draw?id=1" type="image/svg+xml" />')).html,
    ).toMatch(/<img src="https:\/\/a\.test\/draw\?id=1"/);
  });

  it('shows a document from another server in a frame, and in a bundle as a card with a link', async () => {
    const { html } = await shown(
      '<object data="https://a.test/Price%20list.pdf" type="application/pdf" height="500" />',
    );
    expect(html).toContain(
      '<iframe src="https://a.test/Price%20list.pdf" title="Price list.pdf" height="500"',
    );
    expect(withoutOutside(html)).toMatch(
      /<a class="d-embed" href="https:\/\/a\.test\/Price%20list\.pdf"[\s\S]*Price list\.pdf/,
    );
  });

  it('shows its contents when it names no file, and reports a missing file', async () => {
    const empty = await shown('<object>\n\nInside\n\n</object>');
    expect(empty.html).toContain('<p>Inside</p>');
    expect(empty.markdown).toContain('Inside');
    const missing = await shown('before\n\n<embed src="/files/gone.pdf" />');
    expect(missing.html).not.toContain('<iframe');
    expect(missing.diagnostics).toEqual(['There is no file "/files/gone.pdf".']);
  });
});

describe('an <iframe>', () => {
  it('shows a file from the repository and keeps the sandbox set by its author', async () => {
    const { html, diagnostics } = await shown(
      '<iframe src="../files/user guide.pdf" title="Guide" sandbox="allow-scripts" />',
    );
    expect(html).toContain(
      '<iframe src="|A/files/user guide.pdf|" title="Guide" sandbox="allow-scripts"',
    );
    expect(diagnostics).toEqual([]);
  });

  it('is not published when its URL scheme is not allowed', async () => {
    for (const src of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', ''])
      expect([src, (await shown(`<iframe src="${src}" title="x" />`)).html]).toEqual([
        src,
        expect.not.stringContaining('<iframe'),
      ]);
  });
});
