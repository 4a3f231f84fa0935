import { type DragEvent, useRef, useState } from 'react';
import { messageOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/page.tsx';
import { type Dropped, readChosen, readDrop } from './read-drop.ts';

/** Progress of a publish. */
export const STEPS = { packing: 'Packing the folder', uploading: 'Uploading' };
export type Step = keyof typeof STEPS;

interface DropZoneProps {
  /** Current step of the upload; nothing can be dropped meanwhile. */
  step: Step | undefined;
  /** Why it failed. */
  failure: string | undefined;
  onDropped: (dropped: Dropped) => void;
}

/** An area to drop a folder or an archive on, or to choose one. */
export function DropZone({ step, failure, onDropped }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const archive = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = async (read: () => Promise<Dropped>) => {
    setFault(undefined);
    try {
      onDropped(await read());
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (step === undefined) void take(() => readDrop(event.dataTransfer));
  };
  const shown = fault ?? failure;
  return (
    <div className="flex flex-col gap-3">
      <section
        aria-label="Drop a folder or an archive"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          'flex flex-col items-center rounded-lg border border-dashed px-6 py-12 text-center transition-colors',
          isOver ? 'border-accent-text bg-accent-soft' : 'border-line-strong',
        )}
      >
        <Icon name="upload" size={24} className="mb-3 text-muted" />
        {step !== undefined ? (
          <p role="status" className="font-medium">
            {STEPS[step]} …
          </p>
        ) : (
          <>
            <p className="font-medium">Drop a folder, or a .tar.gz or .zip archive</p>
            <p className="mt-1 max-w-md text-muted">
              The folder that contains docs.json, or a repository that contains one. node_modules and .git are skipped.
            </p>
            <div className="mt-5 flex flex-wrap justify-center gap-2">
              <Button icon="folder-open" onClick={() => folder.current?.click()}>
                Choose folder
              </Button>
              <Button icon="package" onClick={() => archive.current?.click()}>
                Choose archive
              </Button>
            </div>
          </>
        )}
        <FileInput input={archive} label="Archive" onChosen={(files) => take(() => readChosen(files))} />
        <FileInput input={folder} label="Folder" isFolder onChosen={(files) => take(() => readChosen(files))} />
      </section>
      {shown !== undefined && <Notice tone="danger">{shown}</Notice>}
    </div>
  );
}

interface FileInputProps {
  input: React.RefObject<HTMLInputElement | null>;
  label: string;
  isFolder?: boolean;
  onChosen: (files: FileList) => Promise<void>;
}

function FileInput({ input, label, isFolder = false, onChosen }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={label}
      {...(isFolder ? { webkitdirectory: '' } : { accept: '.tar.gz,.tgz,.zip,application/gzip,application/zip' })}
      onChange={async ({ target }) => {
        if (target.files) await onChosen(target.files);
        // Allows the same file to be chosen again.
        target.value = '';
      }}
    />
  );
}
