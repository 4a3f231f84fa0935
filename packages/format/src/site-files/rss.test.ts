import { describe, expect, it } from 'vitest';
import { call, element, fakePage } from '../../../../test/support/fake-page.ts';
import { linkMark } from '../links.ts';
import { findDate } from './calendar-date.ts';
import { feedHtml, rssXml, updateEntries } from './rss.ts';

const update = (attributes: string, label: string, body: string) =>
  `<docent-update class="d-update" ${attributes}><div class="d-entry-side"><a class="d-entry-label" href="#x">${label}</a></div><div class="d-entry-body">${body}</div></docent-update>`;
const site = { name: 'Acme', origin: 'https://docs.acme.test' };
const feedOf = (html: string) => rssXml({ href: '/changelog', title: 'Changelog', html }, site);

describe('changelog feeds', () => {
  it('read entries from the markup of the component', () => {
    const update = call(
      'Update',
      { label: 'v1.2', description: 'May 3, 2024', tags: ['API'] },
      element('p', 'one'),
    );
    const [entry, ...others] = updateEntries(fakePage().render([update]).value);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ title: 'v1.2', categories: ['API'], markup: '<p>one</p>' });
    expect(entry?.date).toBe('2024-05-03');
  });

  it('have one item per update, with a permanent URL and the date from its label', () => {
    const xml = feedOf(
      update('id="january-15-2025"', 'January 15, 2025', '<p>News</p>') +
        update('id="v1-2"', 'v1.2', '<p>Old</p>'),
    );
    expect(xml.match(/<item>/g)).toHaveLength(2);
    expect(xml).toContain(
      '<guid isPermaLink="true">https://docs.acme.test/changelog#january-15-2025</guid>',
    );
    expect(xml).toContain('<pubDate>Wed, 15 Jan 2025 00:00:00 GMT</pubDate>');
    expect(xml).toContain('<lastBuildDate>Wed, 15 Jan 2025 00:00:00 GMT</lastBuildDate>');
    expect(xml).toContain('<atom:link href="https://docs.acme.test/changelog/rss.xml" rel="self"');
    expect(xml.match(/<pubDate>/g)).toHaveLength(1);
  });

  it('split an update at its headings and keep the content before them', () => {
    const body =
      '<p>Intro</p><h2 id="a">First<a class="d-anchor" href="#a"></a></h2><p>one</p><h3 id="b">Deeper</h3><h2 id="c">Second</h2><p>two</p>';
    const entries = updateEntries(update('id="u" data-tags="[&quot;API&quot;]"', 'May 2024', body));
    expect(
      entries.map(({ title, anchor, date, categories }) => [title, anchor, date, categories]),
    ).toEqual([
      ['May 2024', 'u', '2024-05-01', ['API']],
      ['First', 'a', '2024-05-01', ['API']],
      ['Second', 'c', '2024-05-01', ['API']],
    ]);
    expect(entries[1]?.markup).toContain('Deeper');
  });

  it('show the feed text of the author instead of the update', () => {
    const xml = feedOf(
      update(
        'id="u" data-rss-title="Big &amp; new" data-rss-description="In short"',
        'v2',
        '<h2 id="h">H</h2>',
      ),
    );
    expect(xml).toContain('<title>Big &amp; new</title>');
    expect(xml).toContain('<description>In short</description>');
    expect(xml).not.toContain('content:encoded>');
  });

  it('contain absolute URLs and nothing that runs', () => {
    const body = `<p>See <a href="${linkMark('page', '/start#x')}">start</a>, <a href="#here">here</a> <a href="javascript:alert(1)">x</a></p><img class="d-x" src="${linkMark('asset', '/a b.png')}" onerror="alert(1)"><script>alert(1)</script><svg><title>no</title></svg><docent-tabs><p>kept</p></docent-tabs>]]>`;
    const xml = feedOf(update('id="u"', 'v1', body));
    expect(xml).toContain('<a href="https://docs.acme.test/start#x">start</a>');
    expect(xml).toContain('<a href="https://docs.acme.test/changelog#here">');
    expect(xml).toContain('src="https://docs.acme.test/a b.png"');
    expect(xml).not.toMatch(/alert|docent-tabs|class=|<svg|<title>no/);
    expect(xml).toContain('<p>kept</p>');
    expect(xml.split(']]>')).toHaveLength(3);
  });

  it('name collapsed content without the words to show and hide it', () => {
    const summary =
      '<summary><span><span class="d-when-closed">Show</span><span class="d-when-open">Hide</span> fields</span></summary>';
    expect(feedHtml(`<details>${summary}<p>a</p></details>`, (address) => address)).toBe(
      'fields<p>a</p>',
    );
  });

  it('are well-formed for any unclosed markup', () => {
    expect(feedHtml('<p>a<strong>b', (address) => address)).toBe('<p>a<strong>b</strong></p>');
    expect(feedHtml('a</p></div>b', (address) => address)).toBe('ab');
    expect(feedHtml('x<button>no<button>no</button>no</button>y', (address) => address)).toBe('xy');
    expect(updateEntries('</docent-update><docent-update id="x">')).toEqual([]);
  });

  it('recognize only valid dates', () => {
    const dates = [
      '2025-01-15',
      'Jan 5th, 2024',
      '3 March 2023',
      'Week of July 4, 2024',
      'October 2025',
    ].map(findDate);
    expect(dates).toEqual(['2025-01-15', '2024-01-05', '2023-03-03', '2024-07-04', '2025-10-01']);
    for (const none of ['v1.2.3', '2025-13-01', 'February 30, 2024', 'Version 2024', ''])
      expect(findDate(none)).toBeUndefined();
  });
});
