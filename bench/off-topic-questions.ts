/**
 * Questions that no software documentation answers: daily life, other products, and inputs that are
 * not questions.
 */
export const offTopicQuestions: readonly string[] = `How long do I roast a chicken of two kilos?
Who won the tennis final last Sunday?
What is the tallest mountain in South America?
the slow purple triangle argues with yesterday
wqeoiu zxmnb qpwoe
grumblewick fandoodle the snorfle?
How do I bleed the brakes of a bicycle?
When does the next train to Vienna leave?
Who painted the ceiling of the Sistine Chapel?
How do I add a slide transition in PowerPoint?
remove the red eyes from a photo in GIMP
tell me a joke about elephants
vertical alignment of cells in LaTeX tables
How do I sort a dictionary by value in Python?
How do I add an index concurrently in MySQL?
drain a node in OpenShift before maintenance
How do I squash the last three commits with Mercurial?
How do I merge duplicate contacts in HubSpot?
Trello card templates for a sprint board
conditional formatting in LibreOffice Calc
fine grained class weights in scikit-learn random forests
set the white balance on a Nikon Z6
good hotels close to the Acropolis
how many calories are in an avocado
my dishwasher leaks at the door
which vaccine do I need for Kenya
cheap car rental at Lisbon airport
How do I implement the Drop trait in Rust?
Ansible playbook that installs Nagios
how do I restring a violin
resize an ext4 partition without data loss
who is the king of Norway
how do I deduct a home office from my taxes
link Tableau to a Snowflake warehouse
when should I prune apple trees
what came first, the chicken or the egg?
How do I get red wine out of a white tablecloth?
What time does the pharmacy on the corner close?
Who wrote One Hundred Years of Solitude?
How far is the moon from the earth?
best way to poach an egg
my cat keeps scratching the sofa
how do I change a flat tire on a motorway
recommend a novel for a long flight
what is the boiling point of ethanol
translate good morning into Finnish
is it going to rain in Hamburg tomorrow?
How many players are on a volleyball team?
the quiet ladder borrows seven umbrellas
zzkq plomv trewq hjkl
blarficate the wimbly snoot, would you?
How do I freeze the first row in Excel?
create a pivot table in Google Sheets
add a drop shadow in Photoshop
How do I pin a message in Slack?
mirror a clip in Final Cut
set up a mail merge in Microsoft Word
reverse a linked list in C++
How do I center a div with CSS?
Java NullPointerException in a for loop
difference between TCP and UDP
write a regular expression for phone numbers
How do I enable two factor authentication on Instagram?
revert a commit with Git that was already pushed
create a materialized view in Oracle
How do I create an S3 lifecycle rule in AWS?
restart a pod in Kubernetes without downtime
renew my passport while living abroad
how much does a kilo of gold weigh in pounds
which mortgage is better, fixed or variable?
symptoms of vitamin D deficiency
learn to play the ukulele in a month
when does the school holiday begin in Bavaria
what should I wear to a wedding in summer?
who is your favourite singer?
do you dream when nobody talks to you?`.split('\n');
