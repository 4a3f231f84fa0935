import { useEffect, useRef } from 'react';
import type { Schema } from '../../api/client.ts';
import { duration } from '../../ui/format.ts';
import { Status } from '../../ui/values.tsx';

const STATES = { running: ['Running', 'active'], done: ['Done', 'success'], failed: ['Failed', 'danger'] } as const;

/** The steps of a build. */
export function Stages({ stages }: { stages: readonly Schema<'BuildStage'>[] }) {
  return (
    <ol className="divide-y divide-line text-s">
      {stages.map(({ name, status, startedAt, endedAt }) => (
        <li key={name + startedAt} className="flex items-center gap-4 px-4 py-2.5">
          <span className="flex-1">{name}</span>
          <span className="text-muted tabular-nums">
            {endedAt !== null && duration(Date.parse(endedAt) - Date.parse(startedAt))}
          </span>
          <span className="w-24">
            <Status tone={STATES[status][1]}>{STATES[status][0]}</Status>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The log of a build; scrolls to the end while it grows. */
export function BuildLog({ lines, isLive }: { lines: readonly Schema<'BuildLogLine'>[]; isLive: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box grows with the lines
  useEffect(() => {
    if (isLive && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, isLive]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} tabIndex={0} aria-label="Log" className="max-h-96 overflow-auto bg-sunken p-4 font-mono text-xs leading-5">
      {lines.map(({ time, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
        <div key={index} className="flex gap-4">
          <time dateTime={time} className="shrink-0 text-muted">
            {time.slice(11, 19)}
          </time>
          <span className="break-words whitespace-pre-wrap">{text}</span>
        </div>
      ))}
    </section>
  );
}
