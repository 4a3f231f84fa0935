import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { contextFor, fittingTokens, OLLAMA_URL, showOllamaModel } from './ollama.ts';

/** Its port, or a host named after it: other servers are not asked what they are. */
const OLLAMA_ADDRESS = /^https?:\/\/(?:[^/]*ollama|[^/]*:11434(?:\/|$))/;

/** A line for the log when Docent starts. */
export interface ModelNote {
  text: string;
  isWarning: boolean;
}

/**
 * Says how much of a question fits the model, if its server does not decide that itself; nothing
 * for the providers whose models read far more than Docent sends.
 */
export async function noteOfModel(choice: LanguageModelChoice): Promise<ModelNote | undefined> {
  const { provider, model, inputTokens } = choice;
  if (provider === 'ollama') return noteOfOllama(choice);
  if (provider !== 'openai-compatible') return undefined;
  if (OLLAMA_ADDRESS.test(choice.url ?? '')) {
    const text = `The address of ${model} is that of Ollama. Its OpenAI API has a context of 4,096 tokens on most machines and cuts longer questions, so that it answers from memory: use DOCENT_MODEL=ollama:${model}.`;
    return { text, isWarning: true };
  }
  const text = `Questions for ${model} have at most ${inputTokens} tokens; start its server with a context of at least ${contextFor(choice)}, or set DOCENT_MODEL_INPUT_TOKENS.`;
  return { text, isWarning: false };
}

async function noteOfOllama(choice: LanguageModelChoice): Promise<ModelNote> {
  const { model, url = OLLAMA_URL, inputTokens } = choice;
  try {
    const { contextLength, callsTools } = await showOllamaModel(choice);
    const context = contextFor(choice, contextLength);
    const fitting = fittingTokens(choice, context);
    const tools = callsTools
      ? ''
      : ' It cannot call tools, so it answers from the first search alone.';
    const text = `Ollama runs ${model} with a context of ${context} tokens${contextLength === undefined ? '' : ` of ${contextLength}`}: ${fitting} for a question with its passages.${tools}`;
    return { text, isWarning: fitting < inputTokens || !callsTools };
  } catch (error) {
    const isMissing = error instanceof ProviderFault && error.kind === 'refused';
    const text = isMissing
      ? `Ollama at ${url} does not have ${model}: run "ollama pull ${model}". Until then the assistant quotes the documentation.`
      : `Ollama cannot be reached at ${url}: start it, or set DOCENT_MODEL_URL. Until then the assistant quotes the documentation.`;
    return { text, isWarning: true };
  }
}
