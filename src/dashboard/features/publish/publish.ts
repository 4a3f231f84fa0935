import { send } from '../../api/client.ts';
import type { Dropped } from './read-drop.ts';
import { packTarGz } from './tar.ts';

/** Progress of a publish, shown by the page. */
export type Step = 'packing' | 'uploading';

/**
 * Packs the dropped files and uploads them as the source of a site.
 * @returns the deployment that builds it
 * @throws ApiError, or an Error if the files cannot be read
 */
export async function publish(projectId: string, dropped: Dropped, onStep: (step: Step) => void): Promise<string> {
  onStep('packing');
  const archive = dropped.kind === 'archive' ? dropped.file : await packTarGz(dropped.files);
  onStep('uploading');
  const path = `/v1/project/${projectId}/source`;
  const { statusId } = await send<{ statusId: string }>('PUT', path, archive, { 'content-type': 'application/gzip' });
  return statusId;
}
