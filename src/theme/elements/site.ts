import './shell.ts';
import './content-elements.ts';
