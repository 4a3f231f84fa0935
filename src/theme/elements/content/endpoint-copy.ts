import { onEachPage } from '../navigation/page-lifecycle.ts';
import { copyButton } from './copy-button.ts';

/** The address of an endpoint can be copied, as the code of its samples can. */
export function startEndpointCopy(): void {
  onEachPage(() => {
    for (const path of document.querySelectorAll('.d-endpoint-path')) {
      if (path.nextElementSibling?.matches('.d-copy')) continue;
      path.after(copyButton(() => path.textContent?.trim() ?? ''));
    }
    return undefined;
  });
}
