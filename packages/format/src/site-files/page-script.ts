import { SCRIPT_SOURCE } from '../access/site-settings.ts';
import type { Diagnostic } from '../diagnostics.ts';

/** How a script of the repository is handled. */
export interface ScriptVerdict {
  /** Whether it runs on the pages of the site. */
  runs: boolean;
  /** Hosts that it loads code from, with its author's permission. */
  hosts?: string[];
  diagnostic?: Diagnostic;
}

/** This word in a comment permits a script to load from other servers. */
const ALLOW_REMOTE = 'docent-allow-remote';
const COMMENT = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|^[ \t]*\/\/.*$/gm;
const MODULE =
  /^[ \t]*(?:import\s*(?:[\w*{$"']|$)|export\s+(?:default|const|let|var|function|class|async|\{|\*))/m;
const NODE = /^#!|\brequire\s*\(\s*["'`]|\bmodule\.exports\b|\bprocess\.(?:env|argv|exit|cwd)\b/;
const REMOTE_ADDRESS = /["'`](?:https?:)?\/\/[a-z0-9$][\w.${}-]*/i;
const HOST = /["'`](?:https?:)?\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)(?=[/?#"'`])/gi;
const LOADS_SCRIPT = /createElement\s*\(\s*["'`](?:script|link)["'`]\s*\)|\bimport\s*\(/i;
const LOADS_OTHER = /\.src\s*=\s*["'`](?:https?:)?\/\//i;
const CALLS = /\b(?:fetch|sendBeacon|WebSocket|EventSource)\s*\(\s*["'`](?:https?|wss?):\/\//i;

/**
 * Decides whether a `.js` file of the repository runs on its pages. Node programs and modules
 * cannot: a page loads classic scripts. A script that loads code or images from another origin is
 * excluded until its author permits it in the file: readers' browsers send requests only to this
 * site.
 */
export function judgePageScript(source: string, file: string): ScriptVerdict {
  const code = source.replace(COMMENT, '');
  const verdict = (
    runs: boolean,
    code: string,
    message: string,
    remedy: string,
  ): ScriptVerdict => ({
    runs,
    diagnostic: { severity: 'warning', code, message, remedy, file },
  });
  if (NODE.test(code) || MODULE.test(code)) {
    const message =
      'The script is a module or a program for Node, so it does not run on the pages.';
    const remedy =
      'Name it in .docentignore if it is a tool; otherwise write it as a plain script without import, export and require.';
    return verdict(false, 'script-not-for-pages', message, remedy);
  }
  if (source.includes(ALLOW_REMOTE))
    return { runs: true, hosts: LOADS_SCRIPT.test(code) ? hostsIn(code) : [] };
  if ((LOADS_SCRIPT.test(code) && REMOTE_ADDRESS.test(code)) || LOADS_OTHER.test(code)) {
    const message =
      'The script loads from another origin, which pages of a site do not do; it is left out.';
    const remedy = `Put what it loads into the repository. To run it all the same, write the comment /* ${ALLOW_REMOTE} */ into it.`;
    return verdict(false, 'remote-script', message, remedy);
  }
  if (!CALLS.test(code)) return { runs: true };
  const remedy = `Readers behind a wall may not reach it. The comment /* ${ALLOW_REMOTE} */ in the script ends this warning.`;
  return verdict(true, 'script-calls-elsewhere', 'The script calls another origin.', remedy);
}

/** Returns the servers that a script names, in CSP syntax. */
function hostsIn(code: string): string[] {
  const hosts = Array.from(code.matchAll(HOST), ([, host = '']) => `https://${host.toLowerCase()}`);
  return [...new Set(hosts)].filter((host) => SCRIPT_SOURCE.test(host));
}
