import icons from 'docent:icons';
import { cx } from './cx.ts';
import type { IconName } from './icon-names.ts';

/**
 * An icon. Hidden from screen readers: its meaning is in the text beside it, or in the label of its
 * button.
 */
export function Icon({
  name,
  size = 16,
  className,
}: {
  name: IconName;
  size?: number;
  className?: string | undefined;
}) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={cx('shrink-0', className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of the icon set, put in by the build
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}

/** The logo of Docent. */
export function Logo({ size = 24 }: { size?: number }) {
  return <img src="/dashboard/favicon.svg" alt="" width={size} height={size} />;
}
