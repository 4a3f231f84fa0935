/** The labels of a diagram's controls. */
export interface DiagramTexts {
  diagram: string;
  zoomIn: string;
  zoomOut: string;
  reset: string;
  left: string;
  right: string;
  up: string;
  down: string;
  fullscreen: string;
  close: string;
  failed: string;
}

const KEYS = ['diagram', 'zoomIn', 'zoomOut', 'reset', 'left', 'right', 'up', 'down', 'fullscreen', 'close', 'failed'] as const;

const words: Record<string, string> = {
  en: 'Diagram|Zoom in|Zoom out|Reset view|Move left|Move right|Move up|Move down|Full screen|Close|The diagram cannot be drawn',
  de: 'Diagramm|Vergrößern|Verkleinern|Ansicht zurücksetzen|Nach links|Nach rechts|Nach oben|Nach unten|Vollbild|Schließen|Das Diagramm kann nicht gezeichnet werden',
  es: 'Diagrama|Acercar|Alejar|Restablecer vista|Mover a la izquierda|Mover a la derecha|Mover arriba|Mover abajo|Pantalla completa|Cerrar|No se puede dibujar el diagrama',
  fr: 'Diagramme|Zoom avant|Zoom arrière|Réinitialiser la vue|Vers la gauche|Vers la droite|Vers le haut|Vers le bas|Plein écran|Fermer|Le diagramme ne peut pas être dessiné',
  it: 'Diagramma|Ingrandisci|Riduci|Ripristina vista|Sposta a sinistra|Sposta a destra|Sposta in alto|Sposta in basso|Schermo intero|Chiudi|Impossibile disegnare il diagramma',
  pt: 'Diagrama|Ampliar|Reduzir|Redefinir vista|Mover para a esquerda|Mover para a direita|Mover para cima|Mover para baixo|Tela cheia|Fechar|Não é possível desenhar o diagrama',
  ja: '図|拡大|縮小|表示をリセット|左へ|右へ|上へ|下へ|全画面表示|閉じる|図を描画できません',
  ko: '다이어그램|확대|축소|보기 초기화|왼쪽으로|오른쪽으로|위로|아래로|전체 화면|닫기|다이어그램을 그릴 수 없습니다',
  zh: '图表|放大|缩小|重置视图|左移|右移|上移|下移|全屏|关闭|无法绘制图表',
};

/** Returns the labels in the language of the page; English if there is no translation. */
export function diagramTexts(): DiagramTexts {
  const language = document.documentElement.lang.split('-')[0]?.toLowerCase() ?? '';
  const list = ((Object.hasOwn(words, language) ? words[language] : words.en) ?? '').split('|');
  return Object.fromEntries(KEYS.map((key, index) => [key, list[index]])) as unknown as DiagramTexts;
}
