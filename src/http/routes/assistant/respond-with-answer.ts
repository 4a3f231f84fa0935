import type { FastifyReply } from 'fastify';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import type { StartedAnswer } from '../../../services/assistant/answer-question.ts';
import type { AnswerMetrics } from '../../metrics.ts';
import { sendAnswer } from './send-answer.ts';

/** Sends a started answer, with its thread where clients expect it. */
export async function respondWithAnswer(
  reply: FastifyReply,
  answer: StartedAnswer,
  wire: AnswerWire,
  metrics: Pick<AnswerMetrics, 'openStream'>,
): Promise<void> {
  reply.header('x-thread-id', answer.threadId);
  if (answer.newThreadKey !== undefined) reply.header('x-thread-key', answer.newThreadKey);
  const closeStream = metrics.openStream(wire.protocol);
  try {
    await sendAnswer(reply, answer.events, wire);
  } finally {
    closeStream();
  }
}
