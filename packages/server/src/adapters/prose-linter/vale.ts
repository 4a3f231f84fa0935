import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, textAt, valueAt } from '@docent/format/json-value.ts';
import type { ProseAlert, ProseLinter } from '../../ports/git/prose-linter.ts';
import { safeValeConfig } from './vale-config.ts';

const CONFIG = '.vale.ini';
const SECONDS = 60;
const MAX_OUTPUT_BYTES = 20 * 1024 * 1024;
const MEMORY_KB = 2 * 1024 * 1024;
const MAX_ALERTS = 1000;
const MAX_TEXT = 500;

/** Where the system allows that, without a network; Vale needs none to check files. */
const BOUNDED = `ulimit -t ${SECONDS}; ulimit -f 0; ulimit -v ${MEMORY_KB} 2>/dev/null || :; ulimit -c 0
command -v "$1" >/dev/null || exit 127
if unshare -rn true 2>/dev/null; then exec unshare -rn nice -n 10 "$@"; fi
exec nice -n 10 "$@"`;

/**
 * Checks pages with Vale, if the operator has installed it.
 * @param program its name or path
 */
export function createVale(program = 'vale'): ProseLinter {
  let version: Promise<boolean> | undefined;
  return {
    isInstalled() {
      version ??= run(program, ['--version'], '/').then(({ code }) => code === 0);
      return version;
    },
    async lint(folder, signal) {
      const file = join(folder, CONFIG);
      const written = await readFile(file, 'utf8').catch(() => undefined);
      if (written === undefined) return [];
      const config = safeValeConfig(written);
      if (typeof config === 'string') return config;
      await writeFile(file, config.text);
      const args = ['--no-global', '--output=JSON', '--no-exit', `--config=${CONFIG}`];
      const { code, output, errors } = await run(
        program,
        [...args, '--glob=*.{md,mdx}', '.'],
        folder,
        signal,
      );
      if (code !== 0) return `Vale could not check the pages: ${reasonOf(output, errors)}`;
      return alertsIn(output);
    },
  };
}

interface Run {
  code: number;
  output: string;
  errors: string;
}

function run(program: string, args: string[], cwd: string, signal?: AbortSignal): Promise<Run> {
  return new Promise((resolve, reject) => {
    execFile(
      '/bin/sh',
      ['-c', BOUNDED, 'sh', program, ...args],
      {
        cwd,
        signal,
        timeout: SECONDS * 1000,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: cwd, LC_ALL: 'C.UTF-8' },
      },
      (error, output, errors) => {
        if (signal?.aborted) reject(signal.reason);
        else if (error?.killed) resolve({ code: 1, output: '', errors: 'it takes too long.' });
        else resolve({ code: error ? Number(error.code) || 1 : 0, output, errors });
      },
    );
  });
}

/** Vale writes its own errors as an object with a text. */
function reasonOf(output: string, errors: string): string {
  const text = textAt(parsed(output), 'Text') ?? textAt(parsed(errors), 'Text') ?? errors;
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT) || 'it says nothing.';
}

function alertsIn(output: string): ProseAlert[] | string {
  const files = parsed(output);
  if (!isObject(files)) return 'Vale did not answer in its format.';
  const alerts = Object.entries(files).flatMap(([file, list]) =>
    (Array.isArray(list) ? list : []).flatMap((entry: unknown): ProseAlert[] => {
      const message = textAt(entry, 'Message');
      const line = valueAt(entry, 'Line');
      if (message === undefined || typeof line !== 'number') return [];
      const severity = textAt(entry, 'Severity');
      return [
        {
          file: file.replace(/^\.\//, ''),
          line,
          rule: (textAt(entry, 'Check') ?? 'Vale').slice(0, MAX_TEXT),
          message: message.slice(0, MAX_TEXT),
          severity: severity === 'error' || severity === 'suggestion' ? severity : 'warning',
        },
      ];
    }),
  );
  return alerts.slice(0, MAX_ALERTS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
