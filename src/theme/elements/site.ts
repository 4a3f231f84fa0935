import './shell.ts';
import './content/content-elements.ts';
