import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFolder, type FolderResult } from './completeness/check-folder.ts';
import { itemKinds } from './completeness/source-items.ts';

/*
 * Compares the source of documentation folders with their published pages: headings, code, links,
 * images, list items, table cells, titles of components, text, and of an operation its path,
 * parameters, fields and enum values. Prints what is missing with its location, the pages with an
 * error block, and broken internal links. Reads source and pages with its own code.
 *
 *   node bench/completeness.ts <folder> [<folder> …] [--json] [--list 20] [--allow-failed 0.1] [--allow-missing 0.1]
 *
 * Exits with 1 if more than that percentage of the pages show an error block or of the items are
 * missing, or if a link is broken that is not broken in the source.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    list: { type: 'string', default: '20' },
    'allow-failed': { type: 'string', default: '0.1' },
    'allow-missing': { type: 'string', default: '0.1' },
  },
});

if (positionals.length === 0)
  process.stdout.write('usage: node bench/completeness.ts <folder> [<folder> …] [--json]\n');
const results: FolderResult[] = [];
for (const folder of positionals) {
  const result = await checkFolder(resolve(folder));
  results.push(result);
  if (!values.json) printResult(result, Number(values.list));
}
const totals = total(results);
process.stdout.write(
  values.json
    ? `${JSON.stringify({ totals, results }, null, 1)}\n`
    : `\nall: ${describe(totals)}\n`,
);
const share = (part: number, whole: number) => (part * 100) / Math.max(1, whole);
const isOver =
  share(totals.failed, totals.pages) > Number(values['allow-failed']) ||
  share(totals.missing, totals.items) > Number(values['allow-missing']) ||
  totals.brokenOurs > 0;
process.exitCode = isOver ? 1 : 0;

interface Totals {
  pages: number;
  failed: number;
  items: number;
  missing: number;
  incompletePages: number;
  broken: number;
  brokenOurs: number;
}

function total(of: readonly FolderResult[]): Totals {
  const sum = (pick: (one: FolderResult) => number) => of.reduce((all, one) => all + pick(one), 0);
  return {
    pages: sum((one) => one.pageCount),
    failed: sum((one) => one.failedPages.length),
    items: sum((one) => Object.values(one.itemCounts).reduce((all, count) => all + count, 0)),
    missing: sum((one) => one.missing.length),
    incompletePages: sum(
      (one) => new Set(one.missing.map(({ file }) => file.replace(/ < .*/, ''))).size,
    ),
    broken: sum((one) => one.brokenLinks.length),
    brokenOurs: sum((one) => one.brokenLinks.filter(({ isInSource }) => !isInSource).length),
  };
}

function describe({
  pages,
  failed,
  items,
  missing,
  incompletePages,
  broken,
  brokenOurs,
}: Totals): string {
  return `${pages} pages, ${failed} with an error block, ${missing} of ${items} items missing on ${incompletePages} pages, ${broken} broken links (${brokenOurs} not in the source)`;
}

function printResult(result: FolderResult, longest: number): void {
  process.stdout.write(`\n${result.folder}: ${describe(total([result]))}\n`);
  for (const { file, message } of result.failedPages.slice(0, longest))
    process.stdout.write(`  error block  ${file}: ${message}\n`);
  for (const kind of itemKinds) {
    const found = result.missing.filter((item) => item.kind === kind);
    if (found.length > 0)
      process.stdout.write(`  ${kind}: ${found.length} of ${result.itemCounts[kind]} missing\n`);
    for (const { file, line, pieces, target } of found.slice(0, longest)) {
      const words = pieces.join(' … ').replace(/\s+/g, ' ').slice(0, 70);
      process.stdout.write(
        `    ${file}:${line}  ${words}${target === undefined ? '' : `  → ${target}`}\n`,
      );
    }
  }
  for (const { file, target } of result.brokenLinks
    .filter(({ isInSource }) => !isInSource)
    .slice(0, longest)) {
    process.stdout.write(`  broken link  ${file} → ${target}\n`);
  }
}
