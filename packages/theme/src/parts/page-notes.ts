import {
  FEEDBACK_REASONS,
  type FeedbackReason,
  MAX_FEEDBACK_CHARACTERS,
} from '@docent/format/analytics/feedback.ts';
import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { editAddress, issueAddress } from '@docent/format/docs-json/settings/repository.ts';
import { placeInRepository } from '@docent/format/docs-json/site-sources.ts';
import { attributes, emptyHtml, type Html, html } from '@docent/format/html.ts';
import type { MenuLink } from '@docent/format/navigation/navigation.ts';
import { fill } from '../translations/fill.ts';
import type { Messages } from '../translations/translations.ts';
import { type Frame, fileAt, linkTo, oncePerScope, shownWith } from '../view/frame.ts';
import { interfaceIcon } from './icons.ts';
import { feedPath } from './page-tags.ts';

/** The link to the feed of a changelog, if the page offers it (`rss: true`). */
export function feedLink(frame: Frame, page: BuiltPage): Html {
  if (page.feed !== 'shown') return emptyHtml;
  const address = fileAt(frame, feedPath(page.href));
  return html`<p class="d-feed"><a class="d-btn d-btn-small" href="${address}" type="application/rss+xml" data-native-link>${interfaceIcon('feed', 14)}<span>${frame.locale.messages.feed}</span></a></p>`;
}

/** The date of the last change, if the site shows it and it is known. */
export function lastUpdated({ locale }: Frame, page: BuiltPage): Html {
  const day = page.lastUpdated;
  if (!page.showsLastUpdated || day === undefined) return emptyHtml;
  const written = new Intl.DateTimeFormat(locale.tag, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
  const [before, after = ''] = fill(locale.messages.lastUpdated, { date: '\n' }).split('\n');
  return html`<p class="d-revised">${before}<time datetime="${day}">${written}</time>${after}</p>`;
}

/** Suggested next pages: for an unknown path, or those that the author of a page names. */
export function relatedPages(
  frame: Frame,
  title: string,
  related: readonly MenuLink[] | undefined,
): Html {
  if (!related?.length) return emptyHtml;
  const items = related.map(
    (page) => html`<li><a href="${linkTo(frame, page.href)}">${page.label}</a></li>`,
  );
  return html`<nav class="d-related" aria-labelledby="related-title"><h2 id="related-title">${title}</h2><ul>${items}</ul></nav>`;
}

const REASONS: Record<FeedbackReason, keyof Messages> = {
  missing: 'reasonMissing',
  wrong: 'reasonWrong',
  unclear: 'reasonUnclear',
  other: 'reasonOther',
};

/** The question, and the form after the answer. Hidden without scripts, which send it. */
function question(frame: Frame): Html {
  const { messages } = frame.locale;
  const thumb = (helpful: boolean, label: string) =>
    html`<button type="button" class="d-btn d-btn-small" id="feedback-thumbs-${helpful ? 'up' : 'down'}" data-helpful="${String(helpful)}" aria-pressed="false">${interfaceIcon(helpful ? 'thumbs-up' : 'thumbs-down', 14)}<span>${label}</span></button>`;
  const reasons = FEEDBACK_REASONS.map(
    (reason) =>
      html`<label class="d-feedback-reason"><input type="radio" name="reason" value="${reason}"><span>${messages[REASONS[reason]]}</span></label>`,
  );
  return html`<form class="d-feedback-form d-needs-js" id="feedback-form" data-feedback${attributes(shownWith(frame, 'analytics'))}><div class="d-feedback-ask" role="group" aria-labelledby="feedback-question"><p id="feedback-question">${messages.pageHelpful}</p><div class="d-feedback-thumbs">${thumb(true, messages.yes)}${thumb(false, messages.no)}</div></div><p class="d-feedback-state" role="status" data-thanks="${messages.feedbackThanks}" data-failed="${messages.feedbackFailed}"></p><div class="d-feedback-more" hidden><fieldset class="d-feedback-reasons"><legend>${messages.feedbackWhy}</legend>${reasons}</fieldset><label class="d-feedback-comment"><span>${messages.feedbackComment}</span><textarea id="feedback-form-input" name="comment" rows="3" maxlength="${MAX_FEEDBACK_CHARACTERS}"></textarea></label><button class="d-btn d-btn-small d-btn-accent" id="feedback-form-submit"><span>${messages.send}</span></button></div></form>`;
}

/**
 * Links to the source of the page, if the site configures its location. A page generated from an
 * API description has no file.
 */
function sourceLinks({ site, locale: { messages } }: Frame, page: BuiltPage): Html {
  const { suggestEdit, raiseIssue } = site.config.feedback ?? {};
  const { repository, file } = placeInRepository(site.config, page.file);
  if (!repository) return emptyHtml;
  const link = (address: string, icon: Html, label: string) =>
    html`<a href="${address}" rel="noreferrer">${icon}<span>${label}</span></a>`;
  const edit =
    suggestEdit && file !== ''
      ? link(editAddress(repository, file), interfaceIcon('pencil', 14), messages.editPage)
      : emptyHtml;
  const issue = raiseIssue
    ? link(
        issueAddress(repository, { title: page.title, path: page.href }),
        interfaceIcon('flag', 14),
        messages.raiseIssue,
      )
    : emptyHtml;
  if (!edit.value && !issue.value) return emptyHtml;
  return html`<div class="d-feedback-links">${edit}${issue}</div>`;
}

/** Returns whether to show the feedback form: if the site enables it and feedback can be sent. */
export function asksForFeedback({ site }: Frame): boolean {
  return site.config.feedback?.thumbsRating === true && site.feedbackUrl !== undefined;
}

/** The area below the article: the feedback form, and the links to the source. */
export function pageFeedback(frame: Frame, page: BuiltPage): Html {
  const feedbackForm = asksForFeedback(frame)
    ? oncePerScope(frame, 'feedback', () => question(frame))
    : emptyHtml;
  const links = sourceLinks(frame, page);
  if (!feedbackForm.value && !links.value) return emptyHtml;
  return html`<div id="feedback" class="d-feedback feedback-toolbar">${feedbackForm}${links}</div>`;
}
