import { BANNER_KEY } from '../shared-names.ts';
import { writeStored } from './storage.ts';

/** A dismissed announcement stays away until its text changes. */
export function startBanner(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-banner-dismiss]');
    if (!button) return;
    const mark = button.dataset.bannerDismiss ?? '';
    document.documentElement.dataset.bannerDismissed = mark;
    writeStored('local', BANNER_KEY, mark);
  });
}
