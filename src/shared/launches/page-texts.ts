/** Longest line of a page that can be the text of an error card: terms and rules of a game are longer. */
const longestLine = 120;

/**
 * Texts of error cards in the languages of many games: a session that is over, a game that is not there, a lost connection. Each has to be
 * unmistakable by itself, because one of them makes a launch fail.
 */
const errors: readonly RegExp[] = [
  /\bsession (?:has |is |was )?(?:been )?(?:expired|ended|closed|terminated|invalid|not valid|not found|timed out|timeout)\b/,
  /\b(?:invalid|expired|unknown) (?:session|token)\b|\btoken (?:has |is )?(?:expired|invalid|not valid)\b/,
  /\b(?:unexpected|internal|server|fatal|unknown|connection|network|loading|authentication) error\b|\berror (?:has )?occurr?ed\b/,
  /^error\b|\berror (?:code|no\.?|#)? ?[:#]? ?[a-z]{0,4}[-_]?\d{2,}/,
  /\bsomething (?:went|has gone) wrong\b/,
  /\b(?:game|service|table|content|site|page)(?: is| was)?(?: currently| temporarily)? (?:not available|unavailable|disabled|not found)\b/,
  /\bnot available in your (?:country|region|location|jurisdiction)\b/,
  /\b(?:failed|unable|could not|couldn[’']t|can ?not|can[’']t) (?:to )?(?:load|connect|start|launch|reach|initiali[sz]e|authenticate)\b/,
  /\b(?:connection|session) (?:was |is |has been )?(?:lost|failed|refused|interrupted)\b|\byou (?:are|have been) (?:offline|disconnected)\b/,
  /\baccess (?:is |was )?(?:denied|forbidden)\b|^(?:403|404|500|502|503|504)\b|\b(?:bad gateway|gateway time-?out|service unavailable)\b/,
  /\b(?:under|down for) maintenance\b|\bmaintenance in progress\b/,
  /\b(?:browser|device) is not supported\b|\bunsupported (?:browser|device)\b/,
  // German
  /\bsitzung (?:ist |wurde )?(?:abgelaufen|beendet|ungültig|nicht gültig)|\bfehler (?:ist )?aufgetreten|\b(?:unerwarteter|interner) fehler|\b(?:server|verbindungs|netzwerk)fehler|^fehler\b/,
  /\bspiel (?:ist )?(?:derzeit |momentan |zurzeit )?nicht verfügbar|\bverbindung (?:wurde )?(?:verloren|unterbrochen|getrennt|fehlgeschlagen)|\bzugriff verweigert|\bschief ?gelaufen|\bkonnte nicht geladen werden/,
  // French
  /\bsession (?:a |est )?expirée?|\berreur (?:est survenue|s[’']est produite|inattendue|interne|de connexion|du serveur)|^erreur\b|\bjeu (?:est |n[’']est )?(?:pas |actuellement )?(?:indisponible|disponible pour le moment)|\bconnexion (?:perdue|interrompue)|\baccès (?:refusé|interdit)/,
  // Spanish, Portuguese, Italian
  /\bsesión (?:ha )?(?:expirad[oa]|caducad[oa]|finalizad[oa]|expiró)|\b(?:ha ocurrido|ocurrió|se ha producido) un error|\berror (?:inesperado|interno|de conexión|del servidor)|\bjuego no (?:está )?disponible|\bconexión (?:perdida|interrumpida)|\bacceso denegado|\balgo (?:ha salido|salió) mal/,
  /\bsessão (?:expirou|expirada|encerrada)|\bocorreu um erro|\berro (?:inesperado|interno|de conexão|de ligação|do servidor)|^erro\b|\bjogo (?:não está disponível|indisponível)|\bconexão (?:perdida|interrompida)|\bacesso negado|\balgo deu errado/,
  /\bsessione (?:è )?scaduta|\bsi è verificato un errore|\berrore (?:imprevisto|interno|di connessione|del server)|^errore\b|\bgioco non (?:è )?disponibile|\bconnessione (?:persa|interrotta)|\baccesso negato|\bqualcosa è andato storto/,
  // Dutch, Swedish, Danish, Norwegian, Finnish
  /\bsessie (?:is )?verlopen|\bfout opgetreden|\ber (?:is iets|ging iets) (?:mis|fout)|\bspel is niet beschikbaar|\bverbinding (?:is )?verbroken|\btoegang geweigerd/,
  /\bsessionen har (?:gått ut|löpt ut)|\bett fel (?:har )?(?:uppstått|inträffat)|\bnågot gick fel|\bspelet är inte tillgängligt|\bsessionen er udløbet|\bder opstod en fejl|\bnoget gik galt|økten (?:er |har )?utløpt|\bdet oppstod en feil|\bnoe gikk galt/,
  /\bistunto on (?:vanhentunut|päättynyt)|\btapahtui virhe|\bjotain meni pieleen|\bpeli ei ole saatavilla/,
  // Polish, Czech, Romanian, Turkish
  /\bsesja wygasła|\bwystąpił błąd|\bcoś poszło nie tak|\bgra (?:jest )?niedostępna|\butracono połączenie|\brelace vypršela|\bdošlo k chybě|\bněco se pokazilo|\bhra není (?:k dispozici|dostupná)/,
  /\bsesiunea a expirat|\ba apărut o eroare|\bjocul nu este disponibil|\boturum(?:unuzun|un)? (?:süresi doldu|sona erdi)|\bhata oluştu|\bbir şeyler ters gitti|\boyun (?:şu anda )?kullanılamıyor|\bbağlantı (?:kesildi|koptu)/,
  // Greek, Russian, Ukrainian, Japanese, Chinese, Korean: their words have no boundaries here.
  /συνεδρία (?:σας )?έληξε|παρουσιάστηκε σφάλμα|κάτι πήγε στραβά|(?:сессия|сеанс) (?:истекла|ист[её]к|завершена|завершён)|произошла ошибка|что-то пошло не так|игра (?:временно )?недоступна|соединение потеряно|доступ запрещ[её]н|сталася помилка|сесія закінчилася/,
  /セッション.{0,8}(?:切れ|終了|無効)|エラーが発生|問題が発生しました|接続が(?:切|失)|会话.{0,4}(?:过期|超时|失效)|(?:發生|发生)(?:錯誤|错误)|出错了|游戏(?:暂时)?(?:不可用|无法)|连接(?:已)?断开|세션.{0,6}(?:만료|종료)|오류가 발생|문제가 발생했|연결이 끊/,
];

const loading =
  /^(?:loading|please wait|lade|laden|wird geladen|bitte warten|chargement|veuillez patienter|cargando|espere|caricamento|attendere|a carregar|carregando|aguarde|laddar|indlæser|laster|ladataan|ładowanie|wczytywanie|načítání|загрузка|завантаження|yükleniyor|φόρτωση|se încarcă|読み込み中|ロード中|加载中|載入中|로딩 ?중|불러오는 중)(?: (?:the |your )?game)?[.…]*(?: ?[\d.,]+ ?%| ?\d+ ?\/ ?\d+)?[\s.…!]*$/;

/** Returns the first line of a page's visible text that says that it failed, by the known texts or those of the environment; null without one. */
export function errorTextIn(text: string, own: readonly string[]): string | null {
  const wanted = own.map((one) => one.toLowerCase());
  return lineOf(text, (line) => wanted.some((one) => line.includes(one)) || errors.some((pattern) => pattern.test(line)));
}

/** Returns the first line of a page's visible text that says that it loads; null without one. */
export function loadingTextIn(text: string): string | null {
  return lineOf(text, (line) => loading.test(line));
}

function lineOf(text: string, matches: (line: string) => boolean): string | null {
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed !== '' && trimmed.length <= longestLine && matches(trimmed.toLowerCase())) return trimmed;
  }
  return null;
}
