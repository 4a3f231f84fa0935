import type { SymbolWord } from '../../core/api-reference/markup/words.ts';

/** The order of the words in each row. */
const NAMES = [
  'arguments',
  'returns',
  'fields',
  'values',
  'implements',
  'implementedBy',
  'usedBy',
  'returnedBy',
  'acceptedBy',
  'ownProperties',
  'methods',
  'parameters',
  'typeParameters',
  'throws',
  'example',
  'examples',
  'members',
  'constructor',
  'callSignatures',
  'definedIn',
  'type',
  'doNotUse',
] as const satisfies readonly SymbolWord[];

/** The words of GraphQL and SDK pages, by the code of the language, in that order. */
const ROWS: Readonly<Record<string, string>> = {
  ar: `الوسائط | القيمة المعادة | الحقول | القيم | ينفّذ | ينفّذه | يستخدمه | يعيده | يقبله | الخصائص | الدوال |
    المعاملات | معاملات النوع | الاستثناءات | مثال | أمثلة | الأعضاء | المُنشئ | تواقيع الاستدعاء | معرّف في |
    النوع | لا تستخدم هذا في شيفرة جديدة.`,
  ca: `Arguments | Retorna | Camps | Valors | Implementa | Implementat per | Utilitzat per | Retornat per |
    Acceptat per | Propietats | Mètodes | Paràmetres | Paràmetres de tipus | Llança | Exemple | Exemples | Membres |
    Constructor | Signatures de crida | Definit a | Tipus | No ho feu servir en codi nou.`,
  cs: `Argumenty | Vrací | Pole | Hodnoty | Implementuje | Implementují | Používají | Vracejí | Přijímají |
    Vlastnosti | Metody | Parametry | Typové parametry | Vyvolává | Příklad | Příklady | Členy | Konstruktor |
    Signatury volání | Definováno v | Typ | Nepoužívejte v novém kódu.`,
  da: `Argumenter | Returnerer | Felter | Værdier | Implementerer | Implementeret af | Bruges af | Returneres af |
    Accepteres af | Egenskaber | Metoder | Parametre | Typeparametre | Kaster | Eksempel | Eksempler | Medlemmer |
    Konstruktør | Kaldssignaturer | Defineret i | Type | Brug ikke dette i ny kode.`,
  de: `Argumente | Rückgabe | Felder | Werte | Implementiert | Implementiert von | Verwendet von | Zurückgegeben von |
    Angenommen von | Eigenschaften | Methoden | Parameter | Typparameter | Ausnahmen | Beispiel | Beispiele |
    Elemente | Konstruktor | Aufrufsignaturen | Definiert in | Typ | In neuem Code nicht verwenden.`,
  es: `Argumentos | Devuelve | Campos | Valores | Implementa | Implementado por | Usado por | Devuelto por |
    Aceptado por | Propiedades | Métodos | Parámetros | Parámetros de tipo | Lanza | Ejemplo | Ejemplos | Miembros |
    Constructor | Firmas de llamada | Definido en | Tipo | No lo uses en código nuevo.`,
  fi: `Argumentit | Palauttaa | Kentät | Arvot | Toteuttaa | Toteuttajat | Käyttäjät | Palauttajat | Vastaanottajat |
    Ominaisuudet | Metodit | Parametrit | Tyyppiparametrit | Heittää | Esimerkki | Esimerkit | Jäsenet |
    Konstruktori | Kutsumuodot | Määritelty | Tyyppi | Älä käytä uudessa koodissa.`,
  fr: `Arguments | Valeur renvoyée | Champs | Valeurs | Implémente | Implémenté par | Utilisé par | Renvoyé par |
    Accepté par | Propriétés | Méthodes | Paramètres | Paramètres de type | Lève | Exemple | Exemples | Membres |
    Constructeur | Signatures d’appel | Défini dans | Type | À ne pas utiliser dans du nouveau code.`,
  he: `ארגומנטים | מחזיר | שדות | ערכים | מממש | ממומש על ידי | בשימוש של | מוחזר על ידי | מתקבל על ידי | מאפיינים |
    מתודות | פרמטרים | פרמטרי טיפוס | זורק | דוגמה | דוגמאות | איברים | בנאי | חתימות קריאה | מוגדר ב־ | טיפוס |
    אין להשתמש בזה בקוד חדש.`,
  hi: `आर्ग्युमेंट | लौटाता है | फ़ील्ड | मान | लागू करता है | लागूकर्ता | उपयोगकर्ता | लौटाने वाले |
    स्वीकार करने वाले | गुण | मेथड | पैरामीटर | टाइप पैरामीटर | अपवाद | उदाहरण | उदाहरण | सदस्य | कंस्ट्रक्टर |
    कॉल सिग्नेचर | यहाँ परिभाषित | टाइप | नए कोड में इसका उपयोग न करें।`,
  hu: `Argumentumok | Visszatérési érték | Mezők | Értékek | Megvalósítja | Megvalósítói | Felhasználói | Visszaadják |
    Elfogadják | Tulajdonságok | Metódusok | Paraméterek | Típusparaméterek | Kivételek | Példa | Példák | Tagok |
    Konstruktor | Hívási szignatúrák | Definiálva itt | Típus | Új kódban ne használja.`,
  id: `Argumen | Mengembalikan | Bidang | Nilai | Mengimplementasikan | Diimplementasikan oleh | Digunakan oleh |
    Dikembalikan oleh | Diterima oleh | Properti | Metode | Parameter | Parameter tipe | Melempar | Contoh |
    Contoh | Anggota | Konstruktor | Tanda tangan panggilan | Didefinisikan di | Tipe |
    Jangan gunakan ini dalam kode baru.`,
  it: `Argomenti | Restituisce | Campi | Valori | Implementa | Implementato da | Usato da | Restituito da |
    Accettato da | Proprietà | Metodi | Parametri | Parametri di tipo | Genera | Esempio | Esempi | Membri |
    Costruttore | Firme di chiamata | Definito in | Tipo | Non usare in codice nuovo.`,
  ja: `引数 | 戻り値 | フィールド | 値 | 実装するもの | 実装元 | 使用元 | 返す側 | 受け取る側 | プロパティ | メソッド | パラメーター | 型パラメーター | 例外 | 例 | 例 | メンバー |
    コンストラクター | 呼び出しシグネチャ | 定義場所 | 型 | 新しいコードでは使用しないでください。`,
  ko: `인수 | 반환값 | 필드 | 값 | 구현 대상 | 구현하는 형식 | 사용하는 곳 | 반환하는 곳 | 받는 곳 | 속성 | 메서드 | 매개변수 | 형식 매개변수 | 예외 | 예 | 예 | 멤버 |
    생성자 | 호출 시그니처 | 정의 위치 | 형식 | 새 코드에서는 사용하지 마세요.`,
  lv: `Argumenti | Atgriež | Lauki | Vērtības | Realizē | Realizē tipi | Izmanto | Atgriež operācijas |
    Pieņem operācijas | Īpašības | Metodes | Parametri | Tipa parametri | Izņēmumi | Piemērs | Piemēri | Locekļi |
    Konstruktors | Izsaukuma signatūras | Definēts | Tips | Neizmantojiet jaunā kodā.`,
  nl: `Argumenten | Geeft terug | Velden | Waarden | Implementeert | Geïmplementeerd door | Gebruikt door |
    Teruggegeven door | Geaccepteerd door | Eigenschappen | Methoden | Parameters | Typeparameters | Gooit |
    Voorbeeld | Voorbeelden | Leden | Constructor | Aanroepsignaturen | Gedefinieerd in | Type |
    Gebruik dit niet in nieuwe code.`,
  no: `Argumenter | Returnerer | Felter | Verdier | Implementerer | Implementert av | Brukt av | Returnert av |
    Godtatt av | Egenskaper | Metoder | Parametere | Typeparametere | Kaster | Eksempel | Eksempler | Medlemmer |
    Konstruktør | Kallsignaturer | Definert i | Type | Ikke bruk dette i ny kode.`,
  pl: `Argumenty | Zwraca | Pola | Wartości | Implementuje | Implementowane przez | Używane przez | Zwracane przez |
    Przyjmowane przez | Właściwości | Metody | Parametry | Parametry typu | Zgłasza | Przykład | Przykłady |
    Składowe | Konstruktor | Sygnatury wywołań | Zdefiniowano w | Typ | Nie używaj tego w nowym kodzie.`,
  pt: `Argumentos | Devolve | Campos | Valores | Implementa | Implementado por | Utilizado por | Devolvido por |
    Aceite por | Propriedades | Métodos | Parâmetros | Parâmetros de tipo | Lança | Exemplo | Exemplos | Membros |
    Construtor | Assinaturas de chamada | Definido em | Tipo | Não utilize em código novo.`,
  'pt-br': `Argumentos | Retorna | Campos | Valores | Implementa | Implementado por | Usado por | Retornado por |
    Aceito por | Propriedades | Métodos | Parâmetros | Parâmetros de tipo | Lança | Exemplo | Exemplos | Membros |
    Construtor | Assinaturas de chamada | Definido em | Tipo | Não use em código novo.`,
  ro: `Argumente | Returnează | Câmpuri | Valori | Implementează | Implementat de | Folosit de | Returnat de |
    Acceptat de | Proprietăți | Metode | Parametri | Parametri de tip | Aruncă | Exemplu | Exemple | Membri |
    Constructor | Semnături de apel | Definit în | Tip | Nu folosiți în cod nou.`,
  ru: `Аргументы | Возвращает | Поля | Значения | Реализует | Реализуют | Используют | Возвращают | Принимают |
    Свойства | Методы | Параметры | Параметры типа | Исключения | Пример | Примеры | Члены | Конструктор |
    Сигнатуры вызова | Определено в | Тип | Не используйте в новом коде.`,
  sv: `Argument | Returnerar | Fält | Värden | Implementerar | Implementeras av | Används av | Returneras av |
    Tas emot av | Egenskaper | Metoder | Parametrar | Typparametrar | Kastar | Exempel | Exempel | Medlemmar |
    Konstruktor | Anropssignaturer | Definierad i | Typ | Använd inte detta i ny kod.`,
  tr: `Bağımsız değişkenler | Döndürür | Alanlar | Değerler | Uygular | Uygulayanlar | Kullananlar | Döndürenler |
    Kabul edenler | Özellikler | Yöntemler | Parametreler | Tür parametreleri | Fırlatır | Örnek | Örnekler |
    Üyeler | Yapıcı | Çağrı imzaları | Tanımlandığı yer | Tür | Yeni kodda kullanmayın.`,
  uk: `Аргументи | Повертає | Поля | Значення | Реалізує | Реалізують | Використовують | Повертають | Приймають |
    Властивості | Методи | Параметри | Параметри типу | Винятки | Приклад | Приклади | Члени | Конструктор |
    Сигнатури виклику | Визначено в | Тип | Не використовуйте в новому коді.`,
  uz: `Argumentlar | Qaytaradi | Maydonlar | Qiymatlar | Amalga oshiradi | Amalga oshiruvchilar | Foydalanuvchilar |
    Qaytaruvchilar | Qabul qiluvchilar | Xususiyatlar | Metodlar | Parametrlar | Tur parametrlari | Istisnolar |
    Misol | Misollar | Aʼzolar | Konstruktor | Chaqiruv imzolari | Taʼrif joyi | Tur | Yangi kodda ishlatmang.`,
  vi: `Đối số | Trả về | Trường | Giá trị | Triển khai | Được triển khai bởi | Được dùng bởi | Được trả về bởi |
    Được nhận bởi | Thuộc tính | Phương thức | Tham số | Tham số kiểu | Ném ra | Ví dụ | Ví dụ | Thành viên |
    Hàm khởi tạo | Chữ ký lời gọi | Định nghĩa tại | Kiểu | Không dùng trong mã mới.`,
  zh: `参数 | 返回值 | 字段 | 值 | 实现 | 实现者 | 使用者 | 返回者 | 接受者 | 属性 | 方法 | 参数 | 类型参数 | 抛出 | 示例 | 示例 | 成员 | 构造函数 | 调用签名 | 定义于 |
    类型 | 请勿在新代码中使用。`,
  'zh-hant': `引數 | 回傳值 | 欄位 | 值 | 實作 | 實作者 | 使用者 | 回傳者 | 接受者 | 屬性 | 方法 | 參數 | 型別參數 | 擲出 | 範例 | 範例 | 成員 | 建構函式 | 呼叫簽章 | 定義於 |
    型別 | 請勿在新程式碼中使用。`,
};

/** The codes of the languages that have these words. */
export const symbolWordLanguages: readonly string[] = Object.keys(ROWS);

/** A word of GraphQL and SDK pages in a language; undefined where it has none, as in English. */
export function symbolWord(code: string, word: SymbolWord): string | undefined {
  const row = Object.hasOwn(ROWS, code) ? ROWS[code] : undefined;
  return row?.split('|')[NAMES.indexOf(word)]?.trim();
}
