import type { FastifyReply } from 'fastify';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import type { BegunAnswer } from '../../../services/assistant/answer-question.ts';
import type { Metrics } from '../../metrics.ts';
import { sendAnswer } from './send-answer.ts';

/** Sends an answer that has begun, with its thread where clients look for it. */
export async function respondWithAnswer(
  reply: FastifyReply,
  answer: BegunAnswer,
  wire: AnswerWire,
  metrics: Pick<Metrics, 'openStream'>,
): Promise<void> {
  reply.header('x-thread-id', answer.threadId);
  if (answer.newThreadKey !== undefined) reply.header('x-thread-key', answer.newThreadKey);
  const closeStream = metrics.openStream(wire.protocol);
  try {
    await sendAnswer(reply, answer.emit, wire);
  } finally {
    closeStream();
  }
}
