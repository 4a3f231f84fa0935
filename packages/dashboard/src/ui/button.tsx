import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react';
import { type PageCommand, useCommand } from './commands.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

const BASE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50';

const VARIANTS = {
  primary:
    'bg-accent border-accent text-on-accent hover:not-disabled:bg-accent-hover hover:not-disabled:border-accent-hover',
  secondary: 'bg-raised border-line-strong text-text hover:not-disabled:bg-hover',
  ghost: 'border-transparent text-muted hover:not-disabled:bg-hover hover:not-disabled:text-text',
  danger: 'bg-danger-fill border-danger-fill text-white hover:not-disabled:opacity-90',
} as const;

const SIZES = { md: 'h-9 px-3 text-sm', sm: 'h-8 px-2.5 text-s' } as const;

interface Look {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  icon?: IconName;
}

function look({ variant = 'secondary', size = 'md' }: Look, className?: string): string {
  return cx(BASE, VARIANTS[variant], SIZES[size], className);
}

export type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement>; isBusy?: boolean };

/** A button. Disabled while `isBusy`. */
export function Button({
  variant,
  size,
  icon,
  isBusy = false,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={look({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** An icon-only button; `label` describes its action. */
export function IconButton({
  label,
  icon,
  className,
  ...rest
}: { label: string; icon: IconName } & Omit<ButtonProps, 'icon'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text disabled:opacity-50',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  );
}

/**
 * The main action of a page: its button, and the same in the command menu. Without a command, there
 * is neither.
 */
export function useMainAction(command: PageCommand | undefined) {
  useCommand(command);
  return (
    command && (
      <Button variant="primary" icon={command.icon} onClick={command.run}>
        {command.title}
      </Button>
    )
  );
}

type AnchorProps = Look &
  AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

/** A link styled as a button, to another site or a file. */
export function AnchorButton({ variant, size, icon, className, children, ...rest }: AnchorProps) {
  return (
    <a
      {...rest}
      className={look({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A link styled as a button, to a page of the dashboard. */
export const LinkButton = createLink(AnchorButton);
