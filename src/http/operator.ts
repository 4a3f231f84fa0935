import type { Server, Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const operatorSockets = new WeakSet<Socket>();

/**
 * Lets another server feed the same application. Everyone who can connect to it is the local operator: it must listen on a unix
 * socket in the data folder, which only its owner can open.
 */
export function attachOperator(app: FastifyInstance, server: Server): void {
  server.on('connection', (socket) => {
    operatorSockets.add(socket);
    app.server.emit('connection', socket);
  });
}

export function isOperatorRequest(request: FastifyRequest): boolean {
  return operatorSockets.has(request.raw.socket);
}
