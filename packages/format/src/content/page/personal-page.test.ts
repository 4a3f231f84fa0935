// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of pages are what is tested.
import { expect, it } from 'vitest';
import { compileText, fakeParts } from '../../../../../test/support/fake-site.ts';
import { components } from '../components/registry.ts';
import { personalHtml } from './personal-page.ts';

const ada = { groups: ['beta', 'staff'], content: { firstName: 'Ada', plan: 'pro' } };
const FILE = 'guides/page.mdx';
/** With the components of sites. */
const whole = { ...fakeParts, components };
const stranger = { groups: [], content: {} };

/** Returns a page as nobody in particular and as readers see it, with what else the page contains. */
async function pageFor(text: string, parts = fakeParts) {
  const { content, sections, diagnostics } = await compileText(text, {}, undefined, FILE, parts);
  const { personal = [content.html], html: nobody } = content;
  const others = JSON.stringify([content.markdown, content.toc, content.aside, sections]);
  const as = (reader: Parameters<typeof personalHtml>[1]) => personalHtml(personal, reader);
  return { nobody, as, others, codes: diagnostics.map(({ code }) => code) };
}

it('fills in what a page knows of its reader, and has a default for everybody else', async () => {
  const { nobody, as, others } = await pageFor("Hello {user.content?.firstName ?? 'reader'}!");
  expect(nobody).toBe('<p>Hello reader!</p>');
  expect(as(stranger)).toBe('<p>Hello reader!</p>');
  expect(as(ada)).toBe('<p>Hello Ada!</p>');
  expect(others).toContain('Hello reader!');
});

it('is nothing rather than an error or the word undefined without optional chaining', async () => {
  const { nobody, as } = await pageFor('Hi {user.content.firstName}, {`dear ${user.content.no}`}.');
  expect(nobody).toBe('<p>Hi , dear .</p>');
  expect(as(ada)).toBe('<p>Hi Ada, dear .</p>');
});

it.each([
  ["{user.groups.includes('beta') && <b>secret</b>}", '<b>secret</b>', ''],
  ["{user.groups?.includes('beta') ? <b>secret</b> : <i>open</i>}", '<b>secret</b>', '<i>open</i>'],
  ["{!user.groups?.includes('beta') && <i>open</i>}", '', '<i>open</i>'],
  ["{user.content.plan === 'pro' && <b>secret</b>}", '<b>secret</b>', ''],
  ["{['pro', 'max'].includes(user.content?.plan) && <b>secret</b>}", '<b>secret</b>', ''],
])('shows content of the condition %s only to whom it is for', async (text, forAda, forOthers) => {
  const { nobody, as, others } = await pageFor(text);
  expect([nobody, as(stranger), as(ada)]).toEqual([forOthers, forOthers, forAda]);
  expect(others).not.toContain('secret');
});

it('follows constants, components and lists of the page to the reader', async () => {
  const { nobody, as } = await pageFor(`export const isBeta = user.groups?.includes('beta');
export const Greeting = ({ name }) => <em>{name ?? 'you'} {isBeta && <b>beta</b>}</em>;

<Greeting name={user.content?.firstName} />

{['staff', 'sales'].map((group) => user.groups?.includes(group) && <s>{group}</s>)}`);
  expect(nobody.replace(/\s/g, '')).toBe('<em>you</em>');
  expect(as(ada).replace(/\s/g, '')).toBe('<em>Ada<b>beta</b></em><s>staff</s>');
});

it.each([
  'export const F = () => { if (user.groups?.includes("beta")) return <b>secret</b>; };\n\n<F />',
  'export const F = () => { let i = 0; while (user.groups) { i++; return <b>secret</b>; } };\n\n<F />',
  '{[1].filter(() => user.groups?.length).map(() => <b>secret</b>)}',
  '{[1].some(() => user.groups) ? <b>secret</b> : ""}',
])(
  'hides from everybody what it cannot decide for a reader later, and says so: %s',
  async (text) => {
    const { nobody, as, codes } = await pageFor(text);
    expect(`${nobody} ${as(ada)}`).not.toContain('secret');
    expect(codes).toContain('personal-expression');
  },
);

it('shows content of Visibility to the readers of its groups, and names it nowhere else', async () => {
  const text = `## Plans <Visibility groups={['beta']}>secret</Visibility>

<Visibility groups="beta, sales">

### Secret heading

secret

</Visibility>

<Card title={<Visibility groups={['beta']}>secret</Visibility>}>card</Card>
<Visibility groups={user.groups}>never</Visibility>
<Visibility groups={[]}>never</Visibility>`;
  const { nobody, as, others } = await pageFor(text);
  expect(nobody + as(stranger) + others).not.toMatch(/secret/i);
  expect(as(ada).match(/secret/gi)?.length).toBeGreaterThanOrEqual(4);
  expect(nobody + as(ada)).not.toContain('never');
});

it('escapes what a reader is called, and follows no address that runs something', async () => {
  const evil = {
    groups: [],
    content: { name: '<img src=x onerror=alert(1)>"\u0001', url: 'javascript:alert(1)' },
  };
  const text = `{user.content.name} <a title={user.content.name} href={user.content.url}>x</a>`;
  const html = (await pageFor(text)).as(evil as never);
  expect(html).not.toMatch(/<img|javascript:|\u0001/);
  expect(html).toContain('title="&lt;img');
});

it('fills in the address of a link', async () => {
  const { nobody, as } = await pageFor(
    '<a href={`https://app.example.com/${user.content.plan}`}>x</a>',
  );
  expect(nobody).toContain('href="https://app.example.com/"');
  expect(as(ada)).toContain('href="https://app.example.com/pro"');
});

it('survives data that does not fit, and code that would take too long', async () => {
  const { as } = await pageFor('{user.content.firstName.toUpperCase()} end');
  expect(as({ groups: [], content: { firstName: 7 } } as never)).toContain('end');
  const bomb = `${Array.from({ length: 30 }, (_, index) => `export const v${index + 1} = v${index} + v${index};`).join('\n')}\n\n{v30}`;
  const { codes } = await pageFor(`export const v0 = user.content.firstName + '';\n${bomb}`);
  expect(codes).toContain('personal-expression');
});

const linked =
  '<Card title={user.content?.team ?? "Team"} href={user.content?.dashboard}>About <b>it</b></Card>';

it('leads a card to the address of its reader, with the title of theirs', async () => {
  const { nobody, as, others } = await pageFor(linked, whole);
  const reader = (dashboard: unknown, team: unknown = 'Core') =>
    as({ groups: [], content: { dashboard, team } });
  expect(nobody).toContain('Team');
  expect(nobody).not.toContain('href');
  expect(as(stranger)).toBe(nobody);
  const html = reader('https://app.acme.example/?a="b"&c=<d>');
  expect(html).toContain('href="https://app.acme.example/?a=&quot;b&quot;&amp;c=&lt;d&gt;"');
  expect(html).toMatch(/>Core<\/a>/);
  expect(reader('https://x.example', '<script>')).toContain('&lt;script&gt;');
  expect(html).toContain('About <b>it</b>');
  expect(others).not.toMatch(/dashboard|\u0005/);
});

it.each([
  'javascript:alert(1)',
  ' java\tscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
  '\u0005',
  '',
  17,
  { href: 'https://x.example' },
])('leads no component and no link to %j, as for nobody', async (dashboard) => {
  const inline = '<Link href={user.content?.dashboard}>there</Link>';
  const html = '<a href={user.content?.dashboard}>there</a>';
  for (const text of [
    linked,
    inline,
    html,
    `<Tooltip tip="x" href={user.content.dashboard}>a</Tooltip>`,
  ]) {
    const { as } = await pageFor(text, whole);
    const reader = as({
      groups: [],
      content: { dashboard, team: 'Core' },
    });
    expect(reader).not.toMatch(/href="(?!(?:17)")/);
    expect(reader).not.toContain('\u0005');
  }
});

it('has a default for the address of a component, in templates and nested ones too', async () => {
  const text = `<CardGroup><Card title="A" href={user.content?.a ?? '/start'}><Link href={\`https://x.example/\${user.content?.org}\`}>x</Link></Card></CardGroup>`;
  const { nobody, as } = await pageFor(text, whole);
  expect(nobody).toContain('/start');
  const html = as({ groups: [], content: { a: '/mine', org: 'acme' } });
  expect(html).toContain('/mine');
  expect(html).toContain('https://x.example/acme');
  expect(html).not.toContain('/start');
});
