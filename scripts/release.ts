import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { buildPackages } from './packages/build-packages.ts';

/*
 * What a release publishes: `npm run release -- --dry-run` prints it. A release is a tag; the
 * workflow builds and publishes (`.github/workflows/release.yml`), after `npm run release --
 * --check v1.2.0` found the tag, the versions and the changelog in agreement.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const OWNER = process.env.GITHUB_REPOSITORY ?? '<owner>/docent';

interface Release {
  version: string;
  /** `2026-12-01`; undefined as long as the changelog says that the version is unreleased. */
  date: string | undefined;
  notes: string;
}

/**
 * Reads the newest version of the changelog, which has the form of https://keepachangelog.com.
 * @throws Error
 */
function newestRelease(changelog: string): Release {
  const [, version, date, notes] =
    /^## \[(\d+\.\d+\.\d+)\] - (\S+)\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(changelog) ?? [];
  if (version === undefined)
    throw new Error('CHANGELOG.md has no heading such as "## [1.2.0] - 2026-12-01".');
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date ?? '');
  if (!isDate && date !== 'unreleased')
    throw new Error(`CHANGELOG.md: the date of ${version} is neither a day nor "unreleased".`);
  return { version, date: isDate ? date : undefined, notes: (notes ?? '').trim() };
}

/** Returns everything that has another version than the changelog. */
function otherVersions(version: string): string[] {
  const chart = parse(textOf('deploy/helm/docent/Chart.yaml')) as {
    version: string;
    appVersion: string;
  };
  const versions: Record<string, string> = {
    'package.json': (JSON.parse(textOf('package.json')) as { version: string }).version,
    'version of Chart.yaml': chart.version,
    'appVersion of Chart.yaml': chart.appVersion,
  };
  return Object.entries(versions).flatMap(([place, other]) =>
    other === version ? [] : [`${place} has ${other}, not ${version}`],
  );
}

async function printPlan({ version, date, notes }: Release): Promise<void> {
  const lines = [
    `Version   ${version}${date ? `, ${date}` : ' (unreleased: the changelog needs a date)'}`,
    `Tag       v${version}`,
  ];
  for (const [name, folder] of await buildPackages(join(root, 'dist/packages'))) {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [facts] = JSON.parse(packed) as [
      { size: number; unpackedSize: number; entryCount: number },
    ];
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    const [size, unpacked] = [facts.size, facts.unpackedSize].map(
      (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
    );
    lines.push(
      `npm       ${name}@${version}: ${facts.entryCount} files, ${size} packed, ${unpacked} unpacked, ${Object.keys(dependencies).length} dependencies`,
    );
  }
  lines.push(
    `Image     ghcr.io/${OWNER}:${version} (linux/amd64, linux/arm64), with SBOM, provenance and signature`,
    `Chart     oci://ghcr.io/${OWNER.split('/')[0]}/charts/docent:${version}, with the digest of the image`,
  );
  process.stdout.write(`${lines.join('\n')}\n\nChangelog\n\n${notes}\n`);
}

const release = newestRelease(textOf('CHANGELOG.md'));
const faults = otherVersions(release.version);
const [option, tag] = process.argv.slice(2);
if (option === '--check') {
  if (tag !== `v${release.version}`) faults.push(`the tag is ${tag}, not v${release.version}`);
  if (!release.date) faults.push('the changelog says "unreleased" in place of a date');
} else if (option === '--notes') {
  process.stdout.write(`${release.notes}\n`);
} else if (option === '--dry-run') {
  await printPlan(release);
} else {
  faults.push('use --dry-run, --notes, or --check <tag>; a release itself is a tag that is pushed');
}
if (faults.length > 0) {
  process.stderr.write(`${faults.map((fault) => `release: ${fault}`).join('\n')}\n`);
  process.exitCode = 1;
}
