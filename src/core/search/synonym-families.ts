/**
 * Words that readers and writers of software documentation use for the same thing, or for things so near that a page
 * about one often answers a question about the other. One family a line, phrases joined by `_`. Everyday language only:
 * nothing here is about one product or one trade.
 */
export const synonymFamilies = `
install setup set_up
setup set_up configure settings preferences
introduction overview getting_started quickstart quick_start
tutorial guide walkthrough
start launch run begin boot
stop halt terminate end shut_down shutdown kill
pause suspend hold
delay wait sleep latency
restart reboot reload
create add new generate produce
add attach append include insert
update change modify edit
rename move
upgrade update newer_version
migrate move transfer switch bring_over import
rollback roll_back revert undo restore downgrade
backup back_up snapshot
delete remove erase drop clear destroy purge get_rid uninstall
disable deactivate turn_off switch_off opt_out
enable activate turn_on switch_on opt_in
show display render view
hide hidden conceal invisible exclude leave_out
public visible visibility
error fail exception fault problem issue
fail break broken crash
reject refuse deny decline block forbid
fix solve resolve troubleshoot repair debug
troubleshoot common_issue known_issue faq
bug defect issue
login log_in sign_in signin authenticate authentication auth
logout log_out sign_out signout
signup sign_up register registration
credential secret password token key
authorization permission access scope
permission role
secret sensitive private confidential
sso single_sign saml oidc
account user profile
colleague teammate coworker collaborator team member
team organization workspace company group
customer buyer client purchaser
visitor reader
person user
invite invitation
admin administrator owner
price cost fee charge
bill invoice charge payment
pay payment charge purchase
buy purchase order checkout
sell sale
money fund balance
refund chargeback give_back
plan subscription tier
renew renewal
cancel cancellation unsubscribe
trial free_period
coupon voucher discount promotion promo
tax vat
payout withdraw withdrawal
seat license
license licence
limit quota maximum cap threshold
throttle rate_limit too_many_requests
maximum max largest
minimum min smallest
increase raise grow extend
decrease reduce lower shrink
big large huge
small little tiny
fast quick speed performance
slow performance latency
cheap cost price
timeout time_out
expire ttl lifetime
schedule cron recurring
automatic auto automate
manual hand
retry try_again redeliver
repeat loop iterate
send deliver transmit submit post
receive incoming
notify notification alert
webhook callback
event trigger
subscribe listen
publish release deploy ship
deploy host
self_host on_prem on_premises own_server
offline air_gapped no_internet
server backend machine host
machine computer device laptop
local localhost computer
app application
container docker
kubernetes k8s helm
cli command_line terminal shell console
browser frontend client_side
website site
gpu graphics_card
cpu processor
memory ram
disk drive storage
store save persist
folder directory
download fetch pull
upload import
export download
copy duplicate clone
link url address
path route endpoint
redirect forward
request call query
call invoke
response reply answer result
field attribute property
parameter argument option
variable environment env
header heading
body payload
format schema structure
openapi swagger specification spec
documentation docs reference
example sample demo
mock fake simulate stub
test sandbox test_mode
live production
preview staging draft
version release
changelog release_notes
old previous legacy
deprecate retire sunset
new latest recent
list enumerate
many multiple several bulk batch
page pagination cursor
filter select
sort order rank
search find look_up
discover find
category group
name title
sidebar navigation menu
icon logo
brand theme logo
font typeface
color colour
style css
image picture photo screenshot
video movie
equation formula math latex
snippet reuse
highlight emphasize
language locale
translate translation localization i18n
assistant chatbot bot chat
model llm ai
prompt instruction
reasoning thinking
context window
fine_tune finetune train
stream realtime real_time live
socket websocket
connect connection
disconnect drop connection
proxy reverse_proxy
certificate tls ssl
firewall allowlist whitelist
allow permit
restrict limit
protect secure safe
leak expose compromise
encrypt encryption
origin cors
domain hostname dns
telemetry tracking usage_data
analytics statistic metric
monitor observability
log history trail
audit activity_log trail
report summary
dashboard console
feature capability
support contact
email mail mailbox
feedback rating
require mandatory
default preset
override precedence priority
validate check verify
ci pipeline continuous_integration
pull_request merge_request
repository repo git
subfolder sub_folder subdirectory subpath
plugin extension addon add_on integration
sdk library client_library
component widget
embed iframe
modal popup dialog overlay
form input
output result
number count amount
usage consumption metered
consume usage
once single
duplicate twice
parallel concurrent
queue job
task job
thread conversation
readable understandable
archive zip
sitemap seo
windows pc
mac macos
config configure
web internet online
cloud hosted managed
on_demand serverless
checkbox tick consent
terms policy agreement
dummy fake mock test
outdated stale old
up_to_date current latest
today now current
location path directory
place location position
omit skip exclude ignore leave_out
internal private
entitlement permission access
eligible allow
optimize performance tune speed_up
compress shrink reduce
size dimension
freeze hang stuck
blank empty
missing absent not_found
404 not_found
401 unauthorized unauthenticated invalid_key
403 forbidden permission
429 too_many_requests rate_limit
500 server_error internal_error
broken_link dead_link
lint check validate
calendar schedule
date time timestamp
yearly annual
country region
region zone datacenter
currency money
dispute chargeback
fraud abuse
spam abuse
gdpr privacy compliance
employee staff member colleague
student education
gratis free
switch change
choose select pick
compare difference versus
reason cause
definition glossary meaning
architecture internals how_it_works
prerequisite requirement
compatible compatibility support
phone mobile
shortcut hotkey keybinding
spreadsheet csv excel
database sql
row record entry
object resource entity
identifier id
string text
`;
