import type { BitModel } from './bit-coder.ts';
import { postingModel } from './code-postings.ts';
import { textModel } from './code-text.ts';
import { wordModel } from './code-words.ts';

/** What the head of an index has taught of words, postings and texts, for each part to begin from. */
export class PartModels {
  readonly words = wordModel();
  readonly texts = textModel();
  readonly postings = postingModel();
  // Parts are coded one at a time, so one working copy of each is enough.
  private readonly workingWords = wordModel();
  private readonly workingTexts = textModel();
  private readonly workingPostings = postingModel();

  forWords(): BitModel {
    return this.workingWords.become(this.words);
  }

  forTexts(): BitModel {
    return this.workingTexts.become(this.texts);
  }

  forPostings(): BitModel {
    return this.workingPostings.become(this.postings);
  }
}
