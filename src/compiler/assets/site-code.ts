import type { Diagnostic } from '../../core/diagnostics.ts';
import { judgePageScript } from '../../core/site-files/page-script.ts';
import { prepareStyleSheet, type StyleSheetPlace } from '../../core/site-files/style-sheet.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';

/** The repository's own CSS and JavaScript: every page includes all of it, in path order. */
export interface SiteCode {
  styles: string[];
  scripts: string[];
  /** Hosts that the scripts load code from, as allowed by their authors. */
  scriptHosts: string[];
  /** Style sheets as served, if that differs from the source. */
  prepared: Map<string, Uint8Array<ArrayBuffer>>;
  diagnostics: Diagnostic[];
}

const encoder = new TextEncoder();

/**
 * Reads every `.css` and `.js` among the files that the site serves.
 * @param copyOf returns the local copy of a file on another server that a style sheet loads; without it, such files are omitted
 */
export function readSiteCode(
  model: Pick<SiteModel, 'assets'>,
  source: SourceTree,
  copyOf: StyleSheetPlace['copyOf'] = () => undefined,
): SiteCode {
  const code: SiteCode = { styles: [], scripts: [], scriptHosts: [], prepared: new Map(), diagnostics: [] };
  const assets = new Set(model.assets);
  for (const file of [...model.assets].sort()) {
    if (/\.css$/i.test(file)) {
      const text = source.readText(file);
      if (!text?.trim()) continue;
      const { text: prepared, diagnostics } = prepareStyleSheet(text, {
        file,
        hasFile: (path) => assets.has(path),
        readText: (path) => source.readText(path),
        copyOf,
      });
      if (prepared !== text) code.prepared.set(file, encoder.encode(prepared));
      code.diagnostics.push(...diagnostics);
      code.styles.push(file);
    } else if (/\.js$/i.test(file)) {
      const text = source.readText(file);
      if (!text?.trim()) continue;
      const { runs, hosts = [], diagnostic } = judgePageScript(text, file);
      if (diagnostic) code.diagnostics.push(diagnostic);
      if (runs) code.scripts.push(file);
      for (const host of hosts) if (!code.scriptHosts.includes(host)) code.scriptHosts.push(host);
    }
  }
  return code;
}
