/*
 * What nearly every page needs. It is one script, because a page would have to wait for many small
 * ones otherwise: the build makes every module that is loaded on demand import this one.
 */
import 'react-dom';
import './application.tsx';
import './routes/router.ts';
import './ui/commands.ts';
import './ui/copy.tsx';
import './ui/field.tsx';
import './ui/filters.tsx';
import './ui/format.ts';
import './ui/overlays/dialog.tsx';
import './ui/overlays/menu.tsx';
import './ui/overlays/notify.ts';
import './ui/table.tsx';
import './ui/values.tsx';
