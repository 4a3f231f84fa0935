import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';

const SHOWN_MS = 1500;

/** Copies a text; `label` says what it copies. */
export function CopyButton({
  text,
  label,
  className,
}: {
  text: string;
  label: string;
  className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? 'check' : 'copy'}
      className={cx('size-7', className)}
      onClick={() => copyText(text).then(() => setCopied(true))}
    />
  );
}

/** Over plain HTTP, browsers can only copy the selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** A command or a piece of code to copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex items-start rounded-md border border-line bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5">
        {code}
      </pre>
      <CopyButton text={code} label={label} className="m-1.5" />
    </div>
  );
}

/** Says where the command of a code block comes from: no machine has it by itself. */
export function CommandHelp({ className }: { className?: string }) {
  return (
    <p className={cx('text-s text-muted', className)}>
      The command <code className="font-mono text-xs">docent</code> comes with a clone of Docent:{' '}
      <a
        href="/help/guides/command-line"
        target="_blank"
        rel="noreferrer"
        className="text-accent-text underline"
      >
        how to get it
      </a>
      .
    </p>
  );
}

/** A value shown selected, with a copy button: a new secret, an address. */
export function CopyField({
  value,
  label,
  isSelected = false,
}: {
  value: string;
  label: string;
  isSelected?: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isSelected) field.current?.select();
  }, [isSelected]);
  return (
    <span className="flex items-center rounded-md border border-line-strong bg-sunken pr-1">
      <input
        ref={field}
        readOnly
        value={value}
        aria-label={label}
        onFocus={(event) => event.target.select()}
        className="h-9 min-w-0 flex-1 bg-transparent px-2.5 font-mono text-xs"
      />
      <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
    </span>
  );
}

/** An identifier inside a line of text, with a copy button. */
export function CopyText({ value, label }: { value: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs break-all">{value}</code>
      <CopyButton text={value} label={label} className="size-6" />
    </span>
  );
}

interface ShownOnceProps {
  about: ReactNode;
  label: string;
  value: string;
  onClose: () => void;
  children?: ReactNode;
}

/** The content of a dialog with a secret that is shown this once. */
export function ShownOnce({ about, label, value, onClose, children }: ShownOnceProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{about}</p>
      <CopyField value={value} label={label} isSelected />
      {children}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
