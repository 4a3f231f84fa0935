import { BANNER_KEY } from '../parts/appearance-script.ts';
import { writeStored } from './storage.ts';

/** A dismissed announcement stays away until its text changes. */
export function startBanner(): void {
  const button = document.querySelector<HTMLElement>('[data-banner-dismiss]');
  button?.addEventListener('click', () => {
    const mark = button.dataset.bannerDismiss ?? '';
    document.documentElement.dataset.bannerDismissed = mark;
    writeStored('local', BANNER_KEY, mark);
  });
}
