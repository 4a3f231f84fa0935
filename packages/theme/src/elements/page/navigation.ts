import { articleMarkdown } from '../article-markdown.ts';
import { completeMenu, startCurrentMark } from '../navigation/complete-menu.ts';
import { go, refresh } from '../navigation/navigate.ts';
import { fetchPage } from '../navigation/page-cache.ts';
import { offerScript } from '../page-scripts.ts';

startCurrentMark();
offerScript('navigation', {
  go,
  refresh,
  prefetch: (url) => void fetchPage(url, 'low'),
  completeMenu,
  articleMarkdown,
});
