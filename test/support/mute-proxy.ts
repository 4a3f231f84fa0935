import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy whose connections can go mute, as after a failover that resets nothing: open,
 * acknowledged, and never answered.
 */
export interface MuteProxy {
  port: number;
  /**
   * From now on the present connections carry nothing; new ones work. @returns how many went mute
   */
  mute(): number;
  /** From now on new connections are accepted, and never answered either; or, again, are. */
  muteNew(isMute: boolean): void;
  close(): void;
}

export async function startMuteProxy(target: { host: string; port: number }): Promise<MuteProxy> {
  const open = new Set<[client: Socket, server: Socket | undefined]>();
  let areNewMute = false;
  const proxy = createServer((client) => {
    const server = areNewMute ? undefined : connect(target);
    const pair: [Socket, Socket | undefined] = [client, server];
    open.add(pair);
    const end = () => {
      open.delete(pair);
      client.destroy();
      server?.destroy();
    };
    client.on('close', end).on('error', end);
    server?.on('close', end).on('error', end);
    if (server) client.pipe(server).pipe(client);
    else client.resume();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    mute() {
      for (const [client, server] of open) {
        // What is sent is read, so that TCP acknowledges it.
        client.unpipe().resume();
        server?.unpipe().resume();
      }
      return open.size;
    },
    muteNew(isMute) {
      areNewMute = isMute;
    },
    close() {
      for (const [client, server] of open) {
        client.destroy();
        server?.destroy();
      }
      proxy.close();
    },
  };
}
