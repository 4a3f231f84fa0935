import { SearchPanel } from './search-dialog.ts';

globalThis.__docentSearch ??= new SearchPanel();
