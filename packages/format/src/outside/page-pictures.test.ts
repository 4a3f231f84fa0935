import { describe, expect, it } from 'vitest';
import { resolveMarks } from '../links.ts';
import { type LocalCopy, outsidePictures, withLocalPictures } from './page-pictures.ts';

const copies = new Map<string, LocalCopy>([
  ['https://x.test/a.png', { path: '_docent/outside/1.png', size: { width: 800, height: 400 } }],
  ['https://x.test/b,c.png?d=1&e=2', { path: '_docent/outside/2.png' }],
  ['https://i.ytimg.com/vi/vu_61D1VFAk/hqdefault.jpg', { path: '_docent/outside/3.jpg' }],
]);
const show = (article: string) =>
  resolveMarks(
    withLocalPictures(article, (address) => copies.get(address)),
    (_, target) => `..${target}`,
  );

describe('external images', () => {
  it('are found wherever a browser would request them, each once', () => {
    const article = [
      '<img src="https://x.test/a.png"><img src="//x.test/a.png" alt="again">',
      '<img srcset="https://x.test/b,c.png?d=1&amp;e=2 1x, /own.png 2x">',
      '<video src="https://x.test/v.mp4" poster="https://x.test/p.png"></video>',
      '<div style="background:url(&quot;https://x.test/bg.png&quot;)"></div>',
      '<style>@font-face{src:url(https://x.test/f.woff2)} a{b:url(https://x.test/s.png)}</style>',
      '<svg><image href="https://x.test/i.png"></image></svg>',
      '<iframe src="https://www.youtube.com/embed/vu_61D1VFAk?si=1"></iframe>',
      '<iframe src="https://player.vimeo.com/video/76979871?h=8272103f6e"></iframe>',
      '<a href="https://x.test/link.png">a</a><code>&lt;img src="https://x.test/code.png"&gt;</code>',
    ].join('');
    expect(outsidePictures(article).map(({ kind, address }) => `${kind} ${address}`)).toEqual([
      'picture https://x.test/a.png',
      'picture https://x.test/b,c.png?d=1&e=2',
      'picture https://x.test/p.png',
      'picture https://x.test/bg.png',
      'font https://x.test/f.woff2',
      'picture https://x.test/s.png',
      'picture https://x.test/i.png',
      'poster https://i.ytimg.com/vi/vu_61D1VFAk/hqdefault.jpg',
      'oembed https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871',
    ]);
  });

  it('are replaced by their copies, with dimensions if the author sets none', () => {
    expect(show('<img src="https://x.test/a.png" alt="A">')).toBe(
      '<img src="../_docent/outside/1.png" width="800" height="400" alt="A">',
    );
    expect(show('<img width="400" src="//x.test/a.png">')).toBe(
      '<img width="400" src="../_docent/outside/1.png" height="200">',
    );
    expect(show('<img src="https://x.test/a.png" height="9">')).toBe(
      '<img src="../_docent/outside/1.png" height="9">',
    );
    expect(
      show('<img srcset="https://x.test/b,c.png?d=1&amp;e=2 1x, \u0001A/o wn.png\u0001 2x">'),
    ).toBe('<img srcset="../_docent/outside/2.png 1x, ../o wn.png 2x">');
    expect(show('<p style="color:red;background:url(https://x.test/a.png)">')).toBe(
      '<p style="color:red;background:url(&quot;../_docent/outside/1.png&quot;)">',
    );
    expect(show('<style>a{background:url(https://x.test/a.png)}</style>')).toBe(
      '<style>a{background:url("../_docent/outside/1.png")}</style>',
    );
  });

  it('of videos are stored on the frame, which keeps its player', () => {
    const frame =
      '<iframe src="https://www.youtube.com/embed/vu_61D1VFAk?a=1&amp;b=2" title="F"></iframe>';
    expect(show(frame)).toBe(
      frame.replace(' title', ' data-poster="../_docent/outside/3.jpg" title'),
    );
  });

  it('without a copy are unchanged', () => {
    const article =
      '<img src="https://x.test/other.png" alt="&quot;"><i style="background:url(https://x.test/o.png)"></i>';
    expect(show(article)).toBe(article);
  });
});
