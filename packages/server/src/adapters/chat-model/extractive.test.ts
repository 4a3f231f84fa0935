import { chatModelContract } from '../../ports/chat-model.contract.ts';
import { createExtractiveModel } from './extractive.ts';

chatModelContract('extractive', createExtractiveModel);
