import { describe, expect, it } from 'vitest';
import { withoutOutside } from './without-outside.ts';

const LINK = ' target="_blank" rel="noreferrer"';

describe('what an article of a bundle fetches', () => {
  it.each([
    [
      '<p><img src="https://x.test/a.png?b=1&amp;c=2" alt="A &amp; B"></p>',
      `<p><a href="https://x.test/a.png?b=1&amp;c=2"${LINK}>A &amp; B</a></p>`,
    ],
    ['<img src="//x.test/a.png">', `<a href="https://x.test/a.png"${LINK}>https://x.test/a.png</a>`],
    [
      '<a href="https://x.test"><img alt="badge" src="https://x.test/b.svg"/></a>',
      '<a href="https://x.test"><span>badge</span></a>',
    ],
    [
      '<div><iframe src="https://video.test/embed/1" title="A film" allowfullscreen><p>no frames</p></iframe>after</div>',
      `<div><a href="https://video.test/embed/1"${LINK}>A film</a>after</div>`,
    ],
    [
      '<video controls><source src="https://x.test/a.mp4"></video>',
      `<a href="https://x.test/a.mp4"${LINK}>https://x.test/a.mp4</a>`,
    ],
    [
      '<video controls src="\u0001A/a.mp4\u0001" poster="https://x.test/p.png"></video>',
      '<video controls src="\u0001A/a.mp4\u0001"></video>',
    ],
    [
      '<picture><source srcset="https://x.test/a.avif"><img src="\u0001A/a.png\u0001"></picture>',
      '<picture><source><img src="\u0001A/a.png\u0001"></picture>',
    ],
    [
      '<div style="color:red;background:url(&quot;https://x.test/a.png&quot;)">a</div>',
      '<div style="color:red;background:none">a</div>',
    ],
    ['<svg><image href="https://x.test/a.png"></image></svg>', '<svg></image></svg>'],
  ])('is nothing of another origin: %s', (article, expected) => {
    expect(withoutOutside(article)).toBe(expected);
  });

  it.each([
    '<a href="https://x.test">a link</a>',
    '<img src="\u0001A/images/a.png\u0001" alt="https://x.test">',
    '<code>&lt;img src="https://x.test"&gt;</code>',
    '<span data-copy="https://x.test">a</span>',
    '<!-- <img src="https://x.test/a.png"> -->',
    '<img src="data:image/png;base64,AAAA">',
  ])('is left as it is where it asks nobody: %s', (article) => {
    expect(withoutOutside(article)).toBe(article);
  });

  it('is read in time that grows with the text alone', () => {
    const startedAt = performance.now();
    withoutOutside('<img src="https://x.test/a.png" alt="x">'.repeat(20_000));
    withoutOutside(`<img src="//x" ${'a="'.repeat(100_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});
