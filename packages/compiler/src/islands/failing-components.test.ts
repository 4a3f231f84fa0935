import { afterAll, describe, expect, it, vi } from 'vitest';
import { compileIslandPage } from '../../../../test/support/fake-island-page.ts';
import { createIslandRenderer } from './island-renderer.ts';

// The first island of a process loads the bundler and the engine.
vi.setConfig({ testTimeout: 180_000 });

const islands = createIslandRenderer();
afterAll(() => islands.close());
const compile = (text: string, files?: Record<string, string>) =>
  compileIslandPage(islands, text, files);

/** A component that must be an island, around an expression. */
const component = (name: string, body: string) =>
  `export const ${name} = (props) => { useState(0); return ${body} }\n\n`;

describe('a component', () => {
  it('that throws has a placeholder and a diagnostic, and does not affect other components', async () => {
    const { content, diagnostics, failed } = await compile(
      `${component('Bad', '<p>{props.x.y.z}</p>')}${component('Good', '<p>fine</p>')}text\n\n<Bad />\n\n<Good />`,
    );
    expect(content.html).toContain('Interactive component: Bad');
    expect(content.html).toContain('<p>fine</p>');
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'island-failed', file: 'page.mdx', line: 7 },
    ]);
    expect(diagnostics[0]?.message).toMatch(
      /^<Bad> could not be rendered on the server: .*y.*\. It is rendered in the browser only\.$/,
    );
    expect(failed).toBe(false);
  });

  it('that throws keeps its children', async () => {
    const { content } = await compile(
      `${component('Bad', '<p>{props.x.y}</p>')}<Bad>\n\nKept **words**\n\n</Bad>`,
    );
    expect(content.html).toContain(
      '<docent-slot data-slot="0"><p>Kept <strong>words</strong></p></docent-slot>',
    );
  });

  it('with a syntax error in its file has a placeholder and a diagnostic with the position', async () => {
    const { content, diagnostics } = await compile(
      `import { A } from '/a.tsx'\n\n${component('B', '<p>b</p>')}<A />\n\n<B />`,
      {
        'a.tsx': 'export const A = () => {\n  return <b>{</b>\n}',
      },
    );
    expect(content.html).toContain('Interactive component: A');
    expect(content.html).toContain('<p>b</p>');
    expect(diagnostics.find(({ code }) => code === 'island-failed')?.message).toMatch(
      /a\.tsx:2: .*A placeholder is shown instead\.$/,
    );
  });

  it('that imports built-in components from a package receives the built-in ones', async () => {
    const { content, diagnostics } = await compile("import { A } from '/a.jsx'\n\n<A />", {
      'a.jsx': `import Badge from '@theme/Badge';
import { Card } from '@docs/components';
import * as Parts from '@docs/components';
const { Note, Unknown } = Parts;
export const A = () => { const [n, set] = useState(3); return <Card title="Held"><Note>noted <Badge>{n}</Badge></Note><button onClick={() => set(4)}>+</button></Card> }`,
    });
    expect(content.html).not.toContain('Interactive component');
    expect(content.html).toContain('Held');
    expect(content.html).toMatch(/noted.*3/s);
    expect(diagnostics.filter(({ code }) => code === 'island-failed')).toEqual([]);
  });

  it('that imports a missing package has a diagnostic with the package and its importer', async () => {
    const { content, diagnostics } = await compile("import { A } from '/a.jsx'\n\n<A />", {
      'a.jsx':
        "import axios from 'axios'; export const A = () => { useState(0); return <b>{axios.get('/x')}</b> }",
    });
    expect(content.html).toContain('Interactive component: A');
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'npm-import',
        file: 'a.jsx',
        message: '"axios" is a package; pages cannot import packages.',
      }),
    );
    expect(diagnostics.find(({ code }) => code === 'island-failed')?.message).toContain(
      '"axios" cannot be imported here',
    );
  });

  it('that uses a package which its page imports does not have the import reported a second time without its line', async () => {
    const { diagnostics } = await compile("import dayjs from 'dayjs'\n\n{dayjs()}");
    expect(diagnostics.filter(({ code }) => code === 'npm-import')).toEqual([
      expect.objectContaining({ line: 1 }),
    ]);
  });

  it('that needs a missing package leaves the other components of the page alone, and is the one that is reported', async () => {
    const files = {
      'needs.jsx': `import confetti, { Client } from 'canvas-confetti';
const fire = confetti.create(null);
const client = new Client(\`\${confetti.version}\`);
class Mine extends Client {}
export const Plain = ({ x }) => <i>{x}</i>;
export const Needs = () => { useState(0); return <button onClick={() => client.send()}>{fire()}</button> }`,
      'good.jsx': component('Good', '<b>fine</b>'),
    };
    const text =
      "import { Needs, Plain } from '/needs.jsx'\nimport { Good } from '/good.jsx'\n\n<Needs />\n\n<Good />\n\n<Plain x=\"1\" />";
    const { content, diagnostics } = await compile(text, files);
    expect(content.html).toContain('Interactive component: Needs');
    expect(content.html).toContain('<b>fine</b>');
    expect(content.html).toContain('<i>1</i>');
    expect(diagnostics.filter(({ code }) => code === 'island-failed')).toMatchObject([
      {
        line: 4,
        message: expect.stringContaining(
          '<Needs> could not be rendered on the server: "canvas-confetti" cannot be imported here.',
        ),
      },
    ]);
  });

  it('whose file fails as soon as it loads leaves the other components of the page alone', async () => {
    const files = {
      'bad.jsx': `const root = nothing.here;\n${component('Bad', '<i>{root}</i>')}`,
      'good.jsx': component('Good', '<b>fine</b>'),
    };
    const { content, diagnostics } = await compile(
      "import { Bad } from '/bad.jsx'\nimport { Good } from '/good.jsx'\n\n<Good />\n\n<Bad />",
      files,
    );
    expect(content.html).toContain('<b>fine</b>');
    expect(diagnostics.filter(({ code }) => code === 'island-failed')).toMatchObject([
      { message: expect.stringContaining('<Bad>') },
    ]);
  });

  it('that imports prop-types is rendered, because these have no effect', async () => {
    const files = {
      'a.jsx': `import PropTypes, { oneOf } from 'prop-types';
const { arrayOf, shape } = PropTypes;
export const A = ({ x }) => { useState(0); return <b>{x}</b> };
A.propTypes = {
  x: PropTypes.oneOfType([PropTypes.string.isRequired, PropTypes.number]).isRequired,
  y: arrayOf(shape({ z: oneOf(['a', 'b']) })).isRequired,
};
export const Plain = ({ x }) => <i>{x}</i>;
Plain.propTypes = { x: PropTypes.string };`,
    };
    const { content, diagnostics } = await compile(
      'import { A, Plain } from \'/a.jsx\'\n\n<A x="1" />\n\n<Plain x="2" />',
      files,
    );
    expect(content.html).toContain('<b>1</b>');
    expect(content.html).toContain('<i>2</i>');
    expect(diagnostics).toEqual([]);
  });
});
