import { stem } from './stem.ts';

/**
 * Words with about the same meaning in documentation, one family between commas; the words of a
 * phrase are joined by `_`. Readers use them instead of the words of the text. A change requires
 * new training (`npm run train`).
 */
const synonymFamilies = `
install setup set_up, setup set_up configure settings preferences,
introduction overview getting_started quickstart quick_start, tutorial guide walkthrough, start launch run begin boot,
stop halt terminate end shut_down shutdown kill, pause suspend hold, delay wait sleep latency, restart reboot reload,
create add new generate produce, add attach append include insert, update change modify edit, rename move,
upgrade update newer_version, migrate move transfer switch bring_over import, rollback roll_back revert undo restore downgrade,
backup back_up snapshot, delete remove erase drop clear destroy purge get_rid uninstall,
disable deactivate turn_off switch_off opt_out, enable activate turn_on switch_on opt_in, show display render view,
hide hidden conceal invisible exclude leave_out, public visible visibility, error fail exception fault problem issue,
fail break broken crash, reject refuse deny decline block forbid, fix solve resolve troubleshoot repair debug,
troubleshoot common_issue known_issue faq, bug defect issue, login log_in sign_in signin authenticate authentication auth,
logout log_out sign_out signout, signup sign_up register registration, credential secret password token key,
authorization permission access scope, permission role, secret sensitive private confidential, sso single_sign saml oidc,
account user profile, colleague teammate coworker collaborator team member, team organization workspace company group,
customer buyer client purchaser, visitor reader, person user, invite invitation, admin administrator owner,
price cost fee charge, bill invoice charge payment, pay payment charge purchase, buy purchase order checkout, sell sale,
money fund balance, refund chargeback give_back, plan subscription tier, renew renewal, cancel cancellation unsubscribe,
trial free_period, coupon voucher discount promotion promo, tax vat, payout withdraw withdrawal, seat license, license licence,
limit quota maximum cap threshold, throttle rate_limit too_many_requests, maximum max largest, minimum min smallest,
increase raise grow extend, decrease reduce lower shrink, big large huge, small little tiny, fast quick speed performance,
slow performance latency, cheap cost price, timeout time_out, expire ttl lifetime, schedule cron recurring,
automatic auto automate, manual hand, retry try_again redeliver, repeat loop iterate, send deliver transmit submit post,
receive incoming, notify notification alert, webhook callback, event trigger, subscribe listen, publish release deploy ship,
deploy host, self_host on_prem on_premises own_server, offline air_gapped no_internet, server backend machine host,
machine computer device laptop, local localhost computer, app application, container docker, kubernetes k8s helm,
cli command_line terminal shell console, browser frontend client_side, website site, gpu graphics_card, cpu processor,
memory ram, disk drive storage, store save persist, folder directory, download fetch pull, upload import, export download,
copy duplicate clone, link url address, path route endpoint, redirect forward, request call query, call invoke,
response reply answer result, field attribute property, parameter argument option, variable environment env, header heading,
body payload, format schema structure, openapi swagger specification spec, documentation docs reference, example sample demo,
mock fake simulate stub, test sandbox test_mode, live production, preview staging draft, version release,
changelog release_notes, old previous legacy, deprecate retire sunset, new latest recent, list enumerate,
many multiple several bulk batch, page pagination cursor, filter select, sort order rank, search find look_up, discover find,
category group, name title, sidebar navigation menu, icon logo, brand theme logo, font typeface, color colour, style css,
image picture photo screenshot, video movie, equation formula math latex, snippet reuse, highlight emphasize, language locale,
translate translation localization i18n, assistant chatbot bot chat, model llm ai, prompt instruction, reasoning thinking,
context window, fine_tune finetune train, stream realtime real_time live, socket websocket, connect connection,
disconnect drop connection, proxy reverse_proxy, certificate tls ssl, firewall allowlist whitelist, allow permit,
restrict limit, protect secure safe, leak expose compromise, encrypt encryption, origin cors, domain hostname dns,
telemetry tracking usage_data, analytics statistic metric, monitor observability, log history trail, audit activity_log trail,
report summary, dashboard console, feature capability, support contact, email mail mailbox, feedback rating, require mandatory,
default preset, override precedence priority, validate check verify, ci pipeline continuous_integration,
pull_request merge_request, repository repo git, subfolder sub_folder subdirectory subpath,
plugin extension addon add_on integration, sdk library client_library, component widget, embed iframe,
modal popup dialog overlay, form input, output result, number count amount, usage consumption metered, consume usage,
once single, duplicate twice, parallel concurrent, queue job, task job, thread conversation, readable understandable,
archive zip, sitemap seo, windows pc, mac macos, config configure, web internet online, cloud hosted managed,
on_demand serverless, checkbox tick consent, terms policy agreement, dummy fake mock test, outdated stale old,
up_to_date current latest, today now current, location path directory, place location position,
omit skip exclude ignore leave_out, internal private, entitlement permission access, eligible allow,
optimize performance tune speed_up, compress shrink reduce, size dimension, freeze hang stuck, blank empty,
missing absent not_found, 404 not_found, 401 unauthorized unauthenticated invalid_key, 403 forbidden permission,
429 too_many_requests rate_limit, 500 server_error internal_error, broken_link dead_link, lint check validate,
calendar schedule, date time timestamp, yearly annual, country region, region zone datacenter, currency money,
dispute chargeback, fraud abuse, spam abuse, gdpr privacy compliance, employee staff member colleague, student education,
gratis free, switch change, choose select pick, compare difference versus, reason cause, definition glossary meaning,
architecture internals how_it_works, prerequisite requirement, compatible compatibility support, phone mobile,
shortcut hotkey keybinding, spreadsheet csv excel, database sql, row record entry, object resource entity, identifier id,
string text, boolean flag, toggle switch, dropdown menu, array list, conditional rule, rule policy, method function,
handler callback listener, javascript js, typescript ts, python py, node nodejs, checksum hash digest, signature sign,
jwt token, cookie session, edge cdn, scale autoscale replica, failover redundancy high_availability, status uptime health,
outage downtime incident, maintenance downtime, trace span, inspect debug examine, verbose log_level, stage environment,
vpn private_network vpc, vm virtual_machine instance, sms text_message, ask question, hallucination wrong_answer,
retrieval rag, speech voice audio, transcribe transcription, vision image multimodal, function_call tool_call, editor ide,
dark_mode theme, announcement news banner, notice banner, hint tooltip tip, recommend best_practice guideline advice,
warning caution, diagram flowchart chart, graph chart plot, topbar navbar header, favicon icon, crawl robots index,
search_engine seo, accessibility screen_reader a11y, mfa 2fa two_factor otp, approve review accept, reviewer approval,
unpublish hide, sync mirror replicate, comment feedback, overage exceed, remaining left balance, credit prepaid balance top_up,
receipt invoice, vendor merchant seller, product item, sponsor donate, dunning failed_payment, prorate proration,
consecutive one_after_the_other sequential, sequential sequence order, halfway partial interrupted, interrupt disconnect,
incomplete partial, visible show, everything all whole, entire whole complete full, own custom self,
personal custom personalize, customize custom personalize, dynamic personalize, individual single, shared common,
common frequent, strict enforce, force enforce require, guarantee ensure, prevent avoid stop protect, reach connect access,
unreachable connection network, inactive idle, idle inactivity, active enable, remember persist store memory,
forget clear reset, regenerate reissue rotate, assign hand_out distribute, distribute share, earn revenue income,
revenue earning sale, compute calculate, calculate count formula, measure metric benchmark, benchmark performance,
accurate precision quality, quality evaluate, evaluate evaluation assess score, experiment test, older previous, attach upload,
trim truncate cut, merge combine join, split divide, wrap line_break, indent format, bold italic emphasis, align position,
embed insert, package dependency module, workaround fix, boot startup, daemon background_process, port listen bind,
access_denied permission_denied forbidden, phone_home call_home telemetry,
offline no_network without_network without_internet disconnected, daily night nightly schedule, weekly monthly hourly schedule,
balance load_balancer, out_of_memory oom memory, build compile, idempotent idempotency twice duplicate,
race_condition concurrent lock, chunk piece part segment, embedding vector semantic, temperature random creative,
seed reproducible deterministic, structured_output json_schema typed, type typed, persona system_prompt character,
guardrail moderation safety, confirm confirmation approval approve, agent autonomous assistant, criteria rubric metric,
dataset data_set, rollout canary feature_flag, spend cost budget expense, company business enterprise organization,
legal compliance regulation law, privacy personal_data pii, redact mask anonymize scrub hide, retention retain keep,
tenant workspace organization, revoke invalidate disable, rotate renew replace, impersonate behalf, recover restore,
verify prove proof confirm, captcha bot_check, cors cross_origin, status_code error_code, 400 bad_request invalid,
502 bad_gateway, 503 unavailable overload, 504 timeout, connection_refused unreachable, self_signed certificate,
custom_domain own_domain, apex root_domain, slug path, query_string query_parameter, multipart form_data, attachment file,
encode encoding charset, compress gzip brotli, throughput performance, debounce delay, latency lag response_time, poll polling,
async asynchronous background long_running, sync synchronous blocking, server_sent_events sse stream, push notification,
broker topic queue, acknowledge confirm receipt, tab window, click press button, clipboard copy paste, reorder rearrange order,
collapse expand accordion, callout admonition note, code_block code_sample snippet, table_of_contents toc outline,
anchor section, landing_page homepage home, print pdf, guest external visitor, author writer, developer engineer programmer,
onboard onboarding getting_started, beginner newcomer getting_started, observe watch monitor, record capture log,
recording replay session_replay, replay rerun, convert transform turn_into, recover get_back,
associate link attach relate association, tag label annotate mark, separate isolate split,
autocomplete completion suggestion suggest, predict guess suggest, complete finish done, talk chat conversation,
parse read decode, extract scrape parse, scrape crawl, write compose draft, silence mute quiet suppress, quiet verbose,
headless non_interactive unattended, interactive tui, workflow automation pipeline process, hook lifecycle middleware,
intercept interceptor middleware proxy, inherit extend, config_file configuration settings, environment_variable env dotenv,
metadata custom_field additional_field, nested hierarchy tree, fallback alternative, replace substitute swap,
temporary ephemeral short_lived, permanent persistent forever, one_time one_off single, pay_as_you_go usage_based metered,
money_back refund, card credit_card payment_method, pricing price plan, commission fee percentage,
license_key activation activate, provision deprovision, deprovision remove offboard, directory_sync scim provision,
mismatch differ conflict, conflict collision, stuck pending, pending waiting queue, lost missing disappear,
disappear vanish missing, visible appear show, outside external, inside within internal, inbound incoming, outbound outgoing,
owner creator, rights permission, sensitive confidential, stranger unauthorized public, steal leak, attack abuse protect,
trust verify, hook_up connect integrate, integrate integration connect, plug_in plugin, talk_to connect, tie_in integrate,
work_together compatible integration, side_by_side compare, before_and_after compare, step_by_step tutorial,
cheat_sheet reference, faq common_question, glossary term, roadmap planned upcoming, limitation constraint restriction
`;

/** Words of a phrase are stemmed and joined by a space; a single word is its stem. */
function stemmedEntry(entry: string): string {
  return entry.split('_').map(stem).join(' ');
}

/**
 * Returns the other entries of the families of each entry.
 * @param families stems, and phrases as stems joined by single spaces
 */
export function relatedBy(families: readonly (readonly string[])[]): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const entries of families) {
    for (const entry of entries) {
      const relatives = related.get(entry) ?? new Set();
      for (const other of entries) if (other !== entry) relatives.add(other);
      related.set(entry, relatives);
    }
  }
  return related;
}

/** By stem or phrase. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = relatedBy(
  synonymFamilies.split(',').map((family) => family.trim().split(/\s+/).map(stemmedEntry)),
);
const NONE: ReadonlySet<string> = new Set();

/** Maximum words of a phrase that `synonymsOf` knows. */
export const MAX_PHRASE_WORDS = 3;

/**
 * Returns other names for the same thing. Takes and returns stems; a phrase is its stems joined by
 * single spaces.
 */
export function synonymsOf(stems: string): ReadonlySet<string> {
  return synonyms.get(stems) ?? NONE;
}
