import { onEachPage } from '../navigation/page-lifecycle.ts';
import { copyButton } from './copy-button.ts';

/** Makes the address of an endpoint copyable, like the code of its samples. */
export function startEndpointCopy(): void {
  onEachPage(() => {
    for (const path of document.querySelectorAll('.d-endpoint-path')) {
      if (path.nextElementSibling?.matches('.d-copy')) continue;
      path.after(copyButton(() => path.textContent?.trim() ?? ''));
    }
    return undefined;
  });
}
