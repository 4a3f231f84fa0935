/** The second half of the list of `synonym-families.ts`, which would be too long as one file. */
export const moreSynonymFamilies = `
boolean flag
toggle switch
dropdown menu
array list
conditional rule
rule policy
method function
handler callback listener
javascript js
typescript ts
python py
node nodejs
checksum hash digest
signature sign
jwt token
cookie session
edge cdn
scale autoscale replica
failover redundancy high_availability
status uptime health
outage downtime incident
maintenance downtime
trace span
inspect debug examine
verbose log_level
stage environment
vpn private_network vpc
vm virtual_machine instance
sms text_message
ask question
hallucination wrong_answer
retrieval rag
speech voice audio
transcribe transcription
vision image multimodal
function_call tool_call
editor ide
dark_mode theme
announcement news banner
notice banner
hint tooltip tip
recommend best_practice guideline advice
warning caution
diagram flowchart chart
graph chart plot
topbar navbar header
favicon icon
crawl robots index
search_engine seo
accessibility screen_reader a11y
mfa 2fa two_factor otp
approve review accept
reviewer approval
unpublish hide
sync mirror replicate
comment feedback
overage exceed
remaining left balance
credit prepaid balance top_up
receipt invoice
vendor merchant seller
product item
sponsor donate
dunning failed_payment
prorate proration
consecutive one_after_the_other sequential
sequential sequence order
halfway partial interrupted
interrupt disconnect
incomplete partial
visible show
everything all whole
entire whole complete full
own custom self
personal custom personalize
customize custom personalize
dynamic personalize
individual single
shared common
common frequent
strict enforce
force enforce require
guarantee ensure
prevent avoid stop protect
reach connect access
unreachable connection network
inactive idle
idle inactivity
active enable
remember persist store memory
forget clear reset
regenerate reissue rotate
assign hand_out distribute
distribute share
earn revenue income
revenue earning sale
compute calculate
calculate count formula
measure metric benchmark
benchmark performance
accurate precision quality
quality evaluate
evaluate evaluation assess score
experiment test
older previous
attach upload
trim truncate cut
merge combine join
split divide
wrap line_break
indent format
bold italic emphasis
align position
embed insert
package dependency module
workaround fix
boot startup
daemon background_process
port listen bind
access_denied permission_denied forbidden
phone_home call_home telemetry
offline no_network without_network without_internet disconnected
daily night nightly schedule
weekly monthly hourly schedule
balance load_balancer
out_of_memory oom memory
build compile
idempotent idempotency twice duplicate
race_condition concurrent lock
chunk piece part segment
embedding vector semantic
temperature random creative
seed reproducible deterministic
structured_output json_schema typed
type typed
persona system_prompt character
guardrail moderation safety
confirm confirmation approval approve
agent autonomous assistant
criteria rubric metric
dataset data_set
rollout canary feature_flag
spend cost budget expense
company business enterprise organization
legal compliance regulation law
privacy personal_data pii
redact mask anonymize scrub hide
retention retain keep
tenant workspace organization
revoke invalidate disable
rotate renew replace
impersonate behalf
recover restore
verify prove proof confirm
captcha bot_check
cors cross_origin
status_code error_code
400 bad_request invalid
502 bad_gateway
503 unavailable overload
504 timeout
connection_refused unreachable
self_signed certificate
custom_domain own_domain
apex root_domain
slug path
query_string query_parameter
multipart form_data
attachment file
encode encoding charset
compress gzip brotli
throughput performance
debounce delay
latency lag response_time
poll polling
async asynchronous background long_running
sync synchronous blocking
server_sent_events sse stream
push notification
broker topic queue
acknowledge confirm receipt
tab window
click press button
clipboard copy paste
reorder rearrange order
collapse expand accordion
callout admonition note
code_block code_sample snippet
table_of_contents toc outline
anchor section
landing_page homepage home
print pdf
guest external visitor
author writer
developer engineer programmer
onboard onboarding getting_started
beginner newcomer getting_started
observe watch monitor
record capture log
recording replay session_replay
replay rerun
convert transform turn_into
recover get_back
associate link attach relate association
tag label annotate mark
separate isolate split
autocomplete completion suggestion suggest
predict guess suggest
complete finish done
talk chat conversation
parse read decode
extract scrape parse
scrape crawl
write compose draft
silence mute quiet suppress
quiet verbose
headless non_interactive unattended
interactive tui
workflow automation pipeline process
hook lifecycle middleware
intercept interceptor middleware proxy
inherit extend
config_file configuration settings
environment_variable env dotenv
metadata custom_field additional_field
nested hierarchy tree
fallback alternative
replace substitute swap
temporary ephemeral short_lived
permanent persistent forever
one_time one_off single
pay_as_you_go usage_based metered
money_back refund
card credit_card payment_method
pricing price plan
commission fee percentage
license_key activation activate
provision deprovision
deprovision remove offboard
directory_sync scim provision
mismatch differ conflict
conflict collision
stuck pending
pending waiting queue
lost missing disappear
disappear vanish missing
visible appear show
outside external
inside within internal
inbound incoming
outbound outgoing
owner creator
rights permission
sensitive confidential
stranger unauthorized public
steal leak
attack abuse protect
trust verify
hook_up connect integrate
integrate integration connect
plug_in plugin
talk_to connect
tie_in integrate
work_together compatible integration
side_by_side compare
before_and_after compare
step_by_step tutorial
cheat_sheet reference
faq common_question
glossary term
roadmap planned upcoming
limitation constraint restriction
`;
