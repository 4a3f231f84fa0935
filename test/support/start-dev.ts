import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandLine } from './start-docent.ts';

/** An event that the server of `docent dev` sends to a browser. */
export interface DevEvent {
  type: 'refresh' | 'reload' | 'problems';
  errors?: {
    file: string;
    line?: number;
    message: string;
    remedy: string;
    excerpt?: { text: string; marked: boolean }[];
  }[];
  notes?: { file: string; code: string }[];
}

/** `docent dev` as a separate process. */
export interface RunningDev {
  url: string;
  port: number;
  log(): string;
  /** Sends Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Listens like a browser that shows this page. */
  listen(page: string): Promise<DevListener>;
}

export interface DevListener {
  /** Returns the next matching event; events before it are dropped. */
  next(fits: (event: DevEvent) => boolean): Promise<DevEvent>;
  close(): void;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts `docent dev <folder> --json` on a free port; ready when it resolves. */
export async function startDev(folder: string, args: string[] = []): Promise<RunningDev> {
  const program = commandLine(['dev', folder, '--json', '--port', '0', ...args]);
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.on('exit', () => running.delete(child));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text as string),
    exited.then(([code]) => {
      throw new Error(`docent dev ended with ${code} before it was ready:\n${log}`);
    }),
  ]);
  const { url, port } = JSON.parse(line) as { url: string; port: number };
  return {
    url,
    port,
    log: () => log,
    stop: async () => {
      child.kill('SIGINT');
      return (await exited)[0];
    },
    listen: (page) => listenTo(`http://127.0.0.1:${port}`, page),
  };
}

async function listenTo(url: string, page: string): Promise<DevListener> {
  const stop = new AbortController();
  const shown = await (await fetch(url + page)).text();
  const version = /data-docent-dev="([^"]*)"/.exec(shown)?.[1] ?? '';
  const query = new URLSearchParams({ page, version });
  const response = await fetch(`${url}/_docent/dev/events?${query}`, { signal: stop.signal });
  const events = readEvents(response);
  return {
    async next(fits) {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error('the events ended');
        if (fits(value)) return value;
      }
    },
    close: () => stop.abort(),
  };
}

async function* readEvents(response: Response): AsyncGenerator<DevEvent, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts)
      if (part.startsWith('data: ')) yield JSON.parse(part.slice('data: '.length)) as DevEvent;
  }
}
