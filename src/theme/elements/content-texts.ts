/** The words of the controls that the elements of an article make. */
export interface ContentTexts {
  copy: string;
  copied: string;
  copyFailed: string;
  showAllLines: string;
  showFewerLines: string;
  view: string;
  filterByTag: string;
  enlarge: string;
  close: string;
  openInCursor: string;
}

const en: ContentTexts = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  showAllLines: 'Show all {count} lines',
  showFewerLines: 'Show fewer lines',
  view: 'View',
  filterByTag: 'Filter by tag',
  enlarge: 'Enlarge image',
  close: 'Close',
  openInCursor: 'Open in Cursor',
};

const translated: ReadonlyMap<string, ContentTexts> = new Map([
  [
    'de',
    {
      copy: 'Kopieren',
      copied: 'Kopiert',
      copyFailed: 'Kopieren nicht möglich',
      showAllLines: 'Alle {count} Zeilen anzeigen',
      showFewerLines: 'Weniger Zeilen anzeigen',
      view: 'Ansicht',
      filterByTag: 'Nach Schlagwort filtern',
      enlarge: 'Bild vergrößern',
      close: 'Schließen',
      openInCursor: 'In Cursor öffnen',
    },
  ],
  [
    'es',
    {
      copy: 'Copiar',
      copied: 'Copiado',
      copyFailed: 'No se pudo copiar',
      showAllLines: 'Mostrar las {count} líneas',
      showFewerLines: 'Mostrar menos líneas',
      view: 'Vista',
      filterByTag: 'Filtrar por etiqueta',
      enlarge: 'Ampliar imagen',
      close: 'Cerrar',
      openInCursor: 'Abrir en Cursor',
    },
  ],
  [
    'fr',
    {
      copy: 'Copier',
      copied: 'Copié',
      copyFailed: 'Copie impossible',
      showAllLines: 'Afficher les {count} lignes',
      showFewerLines: 'Afficher moins de lignes',
      view: 'Vue',
      filterByTag: 'Filtrer par étiquette',
      enlarge: 'Agrandir l’image',
      close: 'Fermer',
      openInCursor: 'Ouvrir dans Cursor',
    },
  ],
  [
    'ja',
    {
      copy: 'コピー',
      copied: 'コピーしました',
      copyFailed: 'コピーできませんでした',
      showAllLines: '全 {count} 行を表示',
      showFewerLines: '行を折りたたむ',
      view: '表示',
      filterByTag: 'タグで絞り込む',
      enlarge: '画像を拡大',
      close: '閉じる',
      openInCursor: 'Cursor で開く',
    },
  ],
  [
    'zh',
    {
      copy: '复制',
      copied: '已复制',
      copyFailed: '无法复制',
      showAllLines: '显示全部 {count} 行',
      showFewerLines: '收起',
      view: '视图',
      filterByTag: '按标签筛选',
      enlarge: '放大图片',
      close: '关闭',
      openInCursor: '在 Cursor 中打开',
    },
  ],
]);

/** The words in the language of the page; English where there is no translation. */
export function contentTexts(): ContentTexts {
  return translated.get(document.documentElement.lang.split('-')[0]?.toLowerCase() ?? '') ?? en;
}
