import { readFileSync } from 'node:fs';
import { DocentError } from '@docent/format/errors.ts';
import { codeFolder } from './own-modules.ts';

/** Of the published package: in a checkout everything is installed. */
interface Manifest {
  peerDependencies?: Record<string, string>;
}

/** Whether a package that Docent can do without is installed. @param specifier a module of it */
export function isInstalled(specifier: string): boolean {
  try {
    return import.meta.resolve(specifier) !== '';
  } catch {
    return false;
  }
}

/** Returns the command that installs packages that Docent can do without. */
export function installCommand(...names: readonly string[]): string {
  const { peerDependencies = {} } = JSON.parse(
    readFileSync(`${codeFolder}package.json`, 'utf8'),
  ) as Manifest;
  const versioned = names.map((name) =>
    peerDependencies[name] ? `${name}@${peerDependencies[name].replace(/^\^/, '')}` : name,
  );
  return `npm install ${versioned.join(' ')}`;
}

/**
 * Refuses what needs packages that are not installed.
 * @param use what needs them: `DOCENT_CLICKHOUSE_URL`
 * @throws DocentError `invalid_setting` that names the packages and the command that installs them
 */
export function requireInstalled(use: string, ...names: readonly string[]): void {
  if (names.every(isInstalled)) return;
  throw new DocentError(
    'invalid_setting',
    `${use} needs ${names.join(' and ')}, which Docent does not install by itself: ${installCommand(...names)}`,
  );
}
