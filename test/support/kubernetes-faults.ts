import type { Pod } from 'kubernetes-models/v1/Pod';
import type { Manifest } from './helm-render.ts';

type Models = Record<string, { prototype: Pick<Pod, 'validate'> }>;

/**
 * What Kubernetes has against an object: missing fields, wrong types, and fields that there are not. The models do not look for the
 * last, but they read every field that they know; so what they leave unread is unknown.
 */
export async function kubernetesFaults(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const where = `${kind}/${metadata.name}`;
  const models = (await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`)) as Models;
  const read = new Set<string>();
  try {
    models[kind]?.prototype.validate.call(watched(manifest, '', read));
  } catch (error) {
    return [`${where}: ${(error as Error).message}`];
  }
  return [...pathsOf(manifest, '')].filter((path) => !read.has(path)).map((path) => `${where}: there is no field ${path}`);
}

/** The same object, which notes the path of each field that is read. */
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
