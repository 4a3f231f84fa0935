import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { withoutOutside } from './without-outside.ts';

const LINK = ' target="_blank" rel="noreferrer"';

describe('an article of a bundle', () => {
  it.each([
    '<img src="//x.test/a.png" alt="a">',
    '<a href="https://x.test"><img alt="a" src="https://x.test/b.svg"/></a>',
    '<div><iframe src="https://video.test/embed/1" title="A film" allowfullscreen><p>no frames</p></iframe>after</div>',
    '<iframe src="https://x.test/e" style="background:url(https://x.test/a.png)" class="wide"></iframe>',
    '<video controls><source src="https://x.test/a.mp4"></video>',
    '<audio src="https://x.test/a.mp3"></audio>',
    '<img src="\u0001A/a.png\u0001" srcset="https://x.test/a,b.png 1x, //x.test/c.png 2x">',
    '<video src="\u0001A/a.mp4\u0001"><track src="https://x.test/a.vtt"></video>',
    '<div style="background:image-set(&quot;https://x.test/a.png&quot; 1x)">a</div>',
    '<div style="background:u\\72l(https://x.test/a.png)">a</div>',
    '<style>@import "https://x.test/a.css"; a{background:url(//x.test/a.png)}</style>',
    '<svg><use href="https://x.test/a.svg#a"></use><image xlink:href="https://x.test/a.png"></image></svg>',
    '<input type="image" src="https://x.test/a.png">',
  ])('requests nothing from another server: %s', (article) => {
    const links = /href="[^"]*"/g;
    const fetched = withoutOutside(article).replace(/<a [^>]*>|<small>[^<]*<\/small>/g, (tag) =>
      tag.replace(links, ''),
    );
    expect(fetched).not.toMatch(
      /(?:src|srcset|href|poster)="[^"]*x\.test|url\([^)]*x\.test|"https:\/\/x\.test[^"]*" 1x/,
    );
  });

  it.each([
    [
      '<video controls src="\u0001A/a.mp4\u0001" poster="https://x.test/p.png"></video>',
      '<video controls src="\u0001A/a.mp4\u0001"></video>',
    ],
    [
      '<picture><source srcset="https://x.test/a.avif"><img src="\u0001A/a.png\u0001"></picture>',
      '<picture><img src="\u0001A/a.png\u0001"></picture>',
    ],
    [
      '<div style="color:red;background:url(&quot;https://x.test/a.png&quot;)">a</div>',
      '<div style="color:red;background:linear-gradient(#0000, #0000)">a</div>',
    ],
    ['<svg><image href="https://x.test/a.png"></image></svg>', '<svg></image></svg>'],
  ])('loses the external part of an element and keeps the rest: %s', (article, expected) => {
    expect(withoutOutside(article)).toBe(expected);
  });

  it.each([
    '<a href="https://x.test">a link</a>',
    '<img src="\u0001A/images/a.png\u0001" alt="https://x.test">',
    '<code>&lt;img src="https://x.test"&gt;</code>',
    '<span data-copy="https://x.test">a</span>',
    '<!-- <img src="https://x.test/a.png"> -->',
    '<img src="data:image/png;base64,AAAA">',
    '<video src="\u0001A/a.mp4\u0001"></video>',
  ])('is unchanged if it requests nothing: %s', (article) => {
    expect(withoutOutside(article)).toBe(article);
  });

  it('is processed in linear time', () => {
    const startedAt = cpuMs();
    withoutOutside('<img src="https://x.test/a.png" alt="x">'.repeat(20_000));
    withoutOutside(`<img src="//x" ${'a="'.repeat(100_000)}`);
    withoutOutside(`srcset="${'<style>'.repeat(50_000)}`);
    withoutOutside(`srcset="${'<a <!-- '.repeat(50_000)}`);
    expect(cpuMs() - startedAt).toBeLessThan(2000);
  });
});

describe('an image that a bundle cannot show', () => {
  it('keeps its box, its text, and a link', () => {
    const made = withoutOutside(
      '<p><img src="https://x.test/a.png?b=1&amp;c=2" alt="A &amp; B" width="640" height="320px" class="dark:hidden"></p>',
    );
    expect(made).toContain(
      `<a class="d-outside dark:hidden" style="--d-outside-ratio:640 / 320;max-width:640px"`,
    );
    expect(made).toContain(` href="https://x.test/a.png?b=1&amp;c=2"${LINK}>`);
    expect(made).toContain('<span>A &amp; B</span><small>x.test</small>');
  });

  it('shows its file name if it has no description, and is not a link inside a link', () => {
    expect(withoutOutside('<img src="https://x.test/i/new%20page.png" alt="">')).toContain(
      '<span>new page.png</span>',
    );
    expect(withoutOutside('<a href="/"><img src="https://x.test/a.png" alt="A"></a>')).toMatch(
      /^<a href="\/"><span class="d-outside"><span/,
    );
  });

  it('is removed if it is decorative, and becomes text if it is a badge', () => {
    const [icon, card] = [
      '<img class="d-icon" src="https://x.test/a.svg" alt="">',
      '<img class="d-box-image" src="//x.test/a" alt="">',
    ];
    expect(
      withoutOutside(`<b>${icon}${card}<img src="//x.test/a.png" width="16" alt=""></b>`),
    ).toBe('<b></b>');
    const badge = '<img src="https://img.shields.io/npm/v/x" alt="npm 1.2">';
    expect(
      withoutOutside(`${badge}<img src="https://github.com/a/b/actions/badge.svg" alt="">`),
    ).toBe('<span class="d-outside-text">npm 1.2</span>');
  });
});

describe('an embed in a bundle', () => {
  it('becomes a card with its still image that links to the page of the video', () => {
    const made = withoutOutside(
      '<iframe src="https://www.youtube-nocookie.com/embed/vu_61D1VFAk?rel=0" data-poster="\u0001A/_docent/outside/a.jpg\u0001" title="How it works" width="560" height="315"></iframe>',
    );
    expect(made).toContain(`href="https://www.youtube.com/watch?v=vu_61D1VFAk"${LINK}`);
    expect(made).toContain(
      '<img class="d-embed-poster" src="\u0001A/_docent/outside/a.jpg\u0001" alt=""',
    );
    expect(made).toContain('data-sign="play"');
    expect(made).toContain('--d-outside-ratio:560 / 315');
    expect(made).toContain('<span>How it works</span> <small>youtube.com</small>');
  });

  it('shows the poster of a video only if the site has the file', () => {
    const video = (poster: string) =>
      withoutOutside(`<video src="https://x.test/a.mp4" poster="${poster}"></video>`);
    expect(video('\u0001A/p.png\u0001')).toContain('src="\u0001A/p.png\u0001"');
    expect(video('https://x.test/p.png')).not.toContain('<img');
    expect(video('https://x.test/p.png')).toContain('<span>a.mp4</span>');
  });

  it('has the sign of an external link if it is an application', () => {
    const made = withoutOutside('<iframe src="https://codesandbox.io/embed/new"></iframe>');
    expect(made).toContain('data-sign="arrow-out"');
    expect(made).toContain('href="https://codesandbox.io/embed/new"');
  });
});
