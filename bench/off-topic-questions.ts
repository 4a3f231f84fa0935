/** Questions that no documentation of software for others answers: daily life, other products, and no question at all. */
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
what came first, the chicken or the egg?`.split('\n');
