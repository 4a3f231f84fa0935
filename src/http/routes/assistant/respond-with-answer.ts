import type { FastifyReply } from 'fastify';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import type { BegunAnswer } from '../../../services/answer-question.ts';
import type { Metrics } from '../../metrics.ts';
import { holdStart } from './hold-start.ts';
import { sendAnswer } from './send-answer.ts';

/**
 * Sends an answer that has begun, with its thread where clients look for it.
 * @throws DocentError `model_failed` where the model fails before anything was sent
 */
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
    await sendAnswer(reply, await holdStart(answer.tell), wire);
  } finally {
    closeStream();
  }
}
