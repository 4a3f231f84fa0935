import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { fakeHighlighter, fakePage } from '../../../test/support/fake-page.ts';
import { renderCodeBlock } from './code/code-block.ts';
import { diagramHeightRem } from './diagram.ts';

function render(meta: string, code: string, page = fakePage()): string {
  return renderCodeBlock({ language: 'mermaid', meta, code }, page, fakeHighlighter).value;
}

test('a diagram shows its source until a script draws it', () => {
  const page = fakePage();
  expect(render('', 'A --> B', page)).toContain('<code class="language-mermaid">A --&gt; B</code>');
  expect([...page.needed]).toEqual(['docent-mermaid']);
});

test('the source of a diagram is escaped', () => {
  const markup = render('', 'A["</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>"]');
  expect(markup).not.toMatch(/<script|<img/);
  expect(markup.match(/<\/pre>/g)).toHaveLength(1);
});

test('only the known options of a diagram reach its element', () => {
  expect(render('placement="top-left" actions={false}', 'A')).toContain(' data-placement="top-left" data-actions="false"');
  expect(render('placement="x\\" onclick=\\"alert(1)"', 'A')).not.toContain('onclick="alert');
});

test('the height reserved for a diagram grows with its source, within limits', () => {
  expect(diagramHeightRem('graph TD\n  A --> B\n  B --> C')).toBeGreaterThan(diagramHeightRem('graph LR\n  A --> B\n  B --> C'));
  expect(diagramHeightRem('graph TD\n'.padEnd(50_000, 'A --> B\n'))).toBeLessThanOrEqual(40);
  expect(diagramHeightRem('')).toBeGreaterThan(0);
  expect(diagramHeightRem('---\ntitle: x\n---\npie\n "a": 1')).toBe(diagramHeightRem('pie\n "a": 1'));
});

test('a hostile diagram is measured in linear time', () => {
  const startedAt = cpuMs();
  diagramHeightRem(`---\n${'\n'.repeat(100_000)}${' \t'.repeat(100_000)}x`);
  expect(cpuMs() - startedAt).toBeLessThan(1000);
});
