import type { Pod } from 'kubernetes-models/v1/Pod';
import type { Manifest } from './helm.ts';

type Models = Record<string, { prototype: Pick<Pod, 'validate'> }>;

/**
 * Returns the errors that Kubernetes would report for an object: missing fields, wrong types and
 * unknown fields. The models do not check the last, but they read every field that they know, so a
 * field that they do not read is unknown.
 */
export async function kubernetesFaults(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const where = `${kind}/${metadata.name}`;
  const models = (await import(
    /* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`
  )) as Models;
  const read = new Set<string>();
  try {
    models[kind]?.prototype.validate.call(watched(manifest, '', read));
  } catch (error) {
    return [`${where}: ${(error as Error).message}`];
  }
  return [...pathsOf(manifest, '')]
    .filter((path) => !read.has(path))
    .map((path) => `${where}: there is no field ${path}`);
}

/** Returns the same object, which records the path of each field that is read. */
function watched<Value extends object>(value: Value, path: string, read: Set<string>): Value {
  return new Proxy(value, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol') return found;
      const inner = `${path}/${name}`;
      read.add(inner);
      return typeof found === 'object' && found !== null ? watched(found, inner, read) : found;
    },
  });
}

function* pathsOf(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield `${path}/${name}`;
    yield* pathsOf(inner, `${path}/${name}`);
  }
}
