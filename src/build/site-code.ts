import type { Diagnostic } from '../core/diagnostics.ts';
import { judgePageScript } from '../core/site-files/page-script.ts';
import { outsideOfStyleSheet, prepareStyleSheet } from '../core/site-files/style-sheet.ts';
import type { SiteModel } from './site-model.ts';
import type { SourceTree } from './source-tree.ts';

/** The repository's own CSS and JavaScript: all of it is on every page, in the order of the paths. */
export interface SiteCode {
  styles: string[];
  scripts: string[];
  /** Style sheets as they are served, where that differs from the source. */
  prepared: Map<string, Uint8Array<ArrayBuffer>>;
  diagnostics: Diagnostic[];
}

const encoder = new TextEncoder();

/** Reads every `.css` and `.js` among the files that the site serves. */
export function readSiteCode(model: Pick<SiteModel, 'assets'>, source: SourceTree): SiteCode {
  const code: SiteCode = { styles: [], scripts: [], prepared: new Map(), diagnostics: [] };
  const assets = new Set(model.assets);
  for (const file of [...model.assets].sort()) {
    if (/\.css$/i.test(file)) {
      const text = source.readText(file);
      if (!text?.trim()) continue;
      const { text: prepared, diagnostics } = prepareStyleSheet(text, { file, hasFile: (path) => assets.has(path) });
      if (prepared !== text) code.prepared.set(file, encoder.encode(prepared));
      code.diagnostics.push(...diagnostics);
      for (const { address, line } of outsideOfStyleSheet(text)) {
        code.diagnostics.push({
          severity: 'warning',
          code: 'remote-style',
          message: `The style sheet would load ${address.slice(0, 200)} from another server; it is left out.`,
          remedy: 'Put the file into the repository and name it by its path.',
          file,
          line,
        });
      }
      code.styles.push(file);
    } else if (/\.js$/i.test(file)) {
      const text = source.readText(file);
      if (!text?.trim()) continue;
      const { runs, diagnostic } = judgePageScript(text, file);
      if (diagnostic) code.diagnostics.push(diagnostic);
      if (runs) code.scripts.push(file);
    }
  }
  return code;
}
