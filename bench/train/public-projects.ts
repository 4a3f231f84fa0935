import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectsOf } from './read-examples.ts';

/** Documentation that is part of an npm package, so that everybody can train with the same text. */
interface PublicProject {
  /** Name and version of the package. */
  spec: string;
  /** The folder of the documentation in it. */
  folder: string;
  /** Parts of the folder that are not documentation to read. */
  without?: string;
}

const PROJECTS: Record<string, PublicProject> = {
  'ai-sdk': { spec: 'ai@6.0.326', folder: 'docs' },
  bun: { spec: 'bun-types@1.4.5', folder: 'docs', without: 'lint/rules' },
  fastify: { spec: 'fastify@5.12.8', folder: 'docs' },
  'gemini-cli': { spec: '@google/gemini-cli@0.61.0', folder: 'bundle/docs' },
  mastra: { spec: '@mastra/mcp-docs-server@0.13.31', folder: '.docs/raw' },
  next: { spec: 'next@16.4.6', folder: 'dist/docs/01-app' },
  npm: { spec: 'npm@11.21.2', folder: 'docs/content' },
  'react-router': { spec: 'react-router@7.18.7', folder: 'docs' },
};

const cache = fileURLToPath(new URL('../../.cache/bench-projects', import.meta.url));

const shared = fileURLToPath(new URL('../../../shared', import.meta.url));

/** What there is to train with. */
export interface TrainingData {
  /** The folder with a `<project>.jsonl` of real questions for each project that has some. */
  retrieval: string;
  /** Project → folder of its documentation. */
  folders: ReadonlyMap<string, string>;
}

/**
 * Returns the projects of two folders or, if none are given, the public projects, which are fetched
 * from the npm registry the first time, and those of `../shared` if it exists.
 * @throws Error if npm cannot fetch a package
 */
export function trainingData([corpora, retrieval]: readonly string[]): TrainingData {
  const isGiven = corpora !== undefined && retrieval !== undefined;
  const questions = retrieval ?? join(shared, 'retrieval');
  const folders = new Map<string, string>();
  if (isGiven || existsSync(questions))
    for (const project of projectsOf(questions))
      folders.set(project, resolve(corpora ?? join(shared, 'corpora'), project));
  if (!isGiven)
    for (const [name, project] of Object.entries(PROJECTS))
      folders.set(name, fetched(name, project));
  return { retrieval: questions, folders };
}

function fetched(name: string, { spec, folder, without }: PublicProject): string {
  const target = join(cache, `${name}-${spec.slice(spec.lastIndexOf('@') + 1)}`);
  if (existsSync(target)) return target;
  const unpacked = `${target}.${process.pid}`;
  mkdirSync(unpacked, { recursive: true });
  execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', unpacked]);
  const [archive] = readdirSync(unpacked) as [string];
  execFileSync('tar', ['-xzf', join(unpacked, archive), '-C', unpacked]);
  const docs = join(unpacked, 'package', folder);
  if (without !== undefined) rmSync(join(docs, without), { recursive: true });
  renameSync(docs, target);
  rmSync(unpacked, { recursive: true });
  return target;
}
