/** What people say who do not know yet what the documentation calls it: the third part of the list of `synonym-families.ts`. */
export const everydayFamilies = `
logged_in signed_in authenticated
prefill fill_in autofill populate
win precedence priority override
same_name conflict collision duplicate
programmatic programmatically script
from_code programmatic
grant give award
take_away revoke remove
let_through allow allowlist
ip ip_address source_address
mail_server smtp
event_callback webhook
surprise unexpected
go_live production
laptop local locally
monorepo subdirectory subfolder
dead_link broken_link nowhere
evict unload purge
unload drop_from_memory
quantize quantization shrink compress
weight checkpoint
coin token
too_large too_big size_limit
run_out exhaust insufficient exceed
speed_up accelerate faster optimize
at_the_same_time concurrent parallel simultaneous
in_the_background async background
by_itself automatic
on_its_own automatic
by_hand manual
cut_off truncate
wait_for await poll
throw_away discard delete
wipe erase delete reset
spin_up start create provision
tear_down destroy delete
roll_out deploy release
bring_back restore recover
go_back revert undo
keep_track track
make_sure ensure verify
tell_apart distinguish differentiate identify
read_only view_only viewer
write_access editor
self_service portal
remind reminder notification
pretend simulate mock
gibberish garbled encoding
appearance theme style look_like
look_up_online web_search
current_information web_search
internet web_search
purchase_form checkout
payment_form checkout
lightbox overlay modal
pop_up popup modal
in_advance prepaid upfront
ahead_of_time prepaid upfront
free_of_charge gratis free
money_back refund
plan_change upgrade downgrade
half_price discount
headcount seat
kick_out remove ban
ban block suspend
block_list blocklist denylist blacklist
lock_out lockout access_denied
passwordless passkey magic_link
magic_link login_link
phishing abuse fraud
who_did_what audit_log
paper_trail audit_log
nonstop continuous
split_up chunk divide
glue join combine merge
swap replace switch
pin lock fix_version
unpin latest
bump upgrade increment
stuck_on hang
slow_down throttle
bottleneck slow performance
laggy latency slow
flaky intermittent unreliable
intermittent sometimes occasional
unreliable best_effort
reliable guarantee delivery
out_of_date outdated stale
old_browser legacy compatibility
right_to_left rtl
big_screen desktop
small_screen mobile responsive
responsive mobile
thumbnail image
preview_image og_image opengraph
social_card og_image opengraph
jump_to anchor
fold collapse expand
spoiler accordion collapse
tooltip hover
side_menu sidebar navigation
breadcrumb navigation
top_bar navbar
own_domain custom_domain
subdomain domain
naked_domain apex
name_server dns
a_record dns
cname dns
https tls ssl
padlock https certificate
home_server self_host
bare_metal self_host
behind_a_proxy reverse_proxy
load_balance load_balancer
many_users scale concurrency
crash_loop restart crash
segfault crash
stack_trace traceback error
exit_code status
log_file log
debugger debug
dry_run simulate preview
rehearse dry_run test
sample_data seed fixture
seed_data fixture
spreadsheet_file csv
voice_call phone
chat_history conversation thread
memory_limit ram
video_card gpu graphics_card
vram gpu memory
offload gpu cpu
number_of_threads concurrency
timeout_error timeout
keep_alive persist resident
resident loaded keep_alive
stay_loaded keep_alive
warm_up preload
preload load warm
cold_start startup latency
creativity temperature
made_up hallucination
chain_of_thought thinking reasoning
think_aloud thinking reasoning
picture_input vision image
function_calling tool_calling tool
valid_json structured_output json_schema
word_by_word streaming stream
chunk_by_chunk streaming stream
nearest_neighbor similarity embedding
meaning_search semantic embedding
`;
