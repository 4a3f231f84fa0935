import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

interface ListedStream {
  id: string;
  name: string;
  kind: 'webhook' | 's3';
  enabled: boolean;
  webhook: { url: string } | null;
  s3: { bucket: string; prefix: string } | null;
  backlog: number;
  delivered: number;
  dropped: number;
  lastDeliveredAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  nextDeliveryAt: string | null;
  secret?: string | null;
}

const pathOf = (site: string, rest = ''): string => `/v1/projects/${encodeURIComponent(site)}/analytics-streams${rest}`;
const pathOfOne = (site: string, id: string, rest = ''): string => pathOf(site, `/${encodeURIComponent(id)}${rest}`);
const targetOf = ({ webhook, s3 }: ListedStream): string => webhook?.url ?? `s3://${s3?.bucket}/${s3?.prefix}`;

/** `docent streams list` */
export async function listStreams(api: ApiClient, site: string, output: Output): Promise<void> {
  const answer = await api.request<{ items: ListedStream[] }>({ method: 'GET', path: pathOf(site) });
  const rows = answer.items.map((one) => [
    one.id,
    one.enabled ? 'on' : 'off',
    targetOf(one),
    String(one.backlog),
    String(one.delivered),
    String(one.dropped),
    one.lastDeliveredAt ?? 'never',
    one.name,
  ]);
  output.print(formatTable([['ID', 'STATE', 'TARGET', 'BACKLOG', 'DELIVERED', 'DROPPED', 'LAST DELIVERY', 'NAME'], ...rows]));
  output.json(answer);
}

/** `docent streams create` */
export async function createStream(api: ApiClient, site: string, body: object, output: Output): Promise<void> {
  show(await api.request<ListedStream>({ method: 'POST', path: pathOf(site), body }), output);
}

/** `docent streams show` */
export async function showStream(api: ApiClient, site: string, id: string, output: Output): Promise<void> {
  show(await api.request<ListedStream>({ method: 'GET', path: pathOfOne(site, id) }), output);
}

/** `docent streams change` */
export async function changeStream(
  api: ApiClient,
  site: string,
  { id, changes }: { id: string; changes: object },
  output: Output,
): Promise<void> {
  show(await api.request<ListedStream>({ method: 'PATCH', path: pathOfOne(site, id), body: changes }), output);
}

/** `docent streams rotate-secret` */
export async function rotateSecret(api: ApiClient, site: string, id: string, output: Output): Promise<void> {
  show(await api.request<ListedStream>({ method: 'POST', path: pathOfOne(site, id, '/rotate-secret') }), output);
}

/** `docent streams test`. @returns exit code: 1 if the batch was not accepted */
export async function testStream(api: ApiClient, site: string, id: string, output: Output): Promise<number> {
  const result = await api.request<{ delivered: boolean; error: string | null }>({
    method: 'POST',
    path: pathOfOne(site, id, '/test'),
  });
  output.print(result.error ?? 'Delivered.');
  output.json(result);
  return result.delivered ? 0 : 1;
}

/** `docent streams delete` */
export async function deleteStream(api: ApiClient, site: string, id: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: pathOfOne(site, id) });
  output.print(`Deleted ${id}.`);
  output.json({ deleted: id });
}

function show(one: ListedStream, output: Output): void {
  output.print(`${one.id} sends to ${targetOf(one)} and is ${one.enabled ? 'on' : 'off'}.`);
  output.print(`${one.backlog} events pending, ${one.delivered} delivered, ${one.dropped} expired before delivery.`);
  if (one.lastDeliveredAt !== null) output.print(`Last delivery: ${one.lastDeliveredAt}`);
  if (one.lastError !== null) output.print(`Last error, ${one.lastErrorAt}: ${one.lastError}`);
  if (one.secret) output.print(`The secret, shown only once: ${one.secret}`);
  output.json(one);
}
