import { buildFolder } from './build-folder.ts';
import { formatReport, type Output } from './output.ts';

/**
 * `docent check <folder>`: compiles everything as publishing does and prints what is wrong.
 * @returns exit code: 1 where a page has an error (with `strict` also a warning), else 0
 */
export async function runCheck(folder: string, options: { strict?: boolean }, output: Output): Promise<number> {
  const { build } = await buildFolder(folder, output, false);
  const { diagnostics } = build.report;
  output.print(formatReport(build.report));
  output.json(build.report);
  return diagnostics.some((one) => one.severity === 'error' || options.strict) ? 1 : 0;
}
