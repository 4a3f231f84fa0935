/** The fixed sentences around quotes. `{source}` is a link to the place. */
export interface AnswerFrames {
  /** Said to a message that asks nothing. */
  invitation: string;
  nothingFound: string;
  /** Before the first quote, where it answers. */
  quoted: string;
  /** Before the first quote, where it may not answer. */
  nearest: string;
  /** Before every other quote. */
  further: string;
  /** Before an answer that is quoted because the language model failed. */
  withoutModel: string;
  /** Ends steps of which some are left out; `{count}` is how many. */
  moreSteps: string;
  /** Where else there is help; `{ways}` are links. */
  support: string;
}

type Sentences = [
  invitation: string,
  nothingFound: string,
  quoted: string,
  nearest: string,
  further: string,
  withoutModel: string,
  moreSteps: string,
  support: string,
];

/** By the code of the language, in lower case. */
const SENTENCES: Readonly<Record<string, Sentences>> = {
  ar: [
    'اطرح سؤالاً عن هذه الوثائق، وستُقتبس هنا المقاطع التي تجيب عنه.',
    'لم أجد في هذه الوثائق ما يجيب عن ذلك. قد تفيد كلمات أخرى للمعنى نفسه.',
    'هذا ما تقوله الوثائق، اقتباسًا من {source}:',
    'لم أجد مقطعًا يجيب عن ذلك بيقين. أقرب ما وجدته مقتبس من {source}:',
    'من {source}:',
    'نموذج اللغة غير متاح الآن.',
    '… {count} خطوات أخرى في الصفحة',
    'لمزيد من المساعدة: {ways}',
  ],
  ca: [
    'Feu una pregunta sobre aquesta documentació i aquí se citaran els passatges que la responen.',
    'No he trobat res en aquesta documentació que ho respongui. Potser ajudin altres paraules per al mateix.',
    'Això és el que diu la documentació, citat de {source}:',
    'No he trobat cap passatge que ho respongui amb certesa. El més proper, citat, és de {source}:',
    'De {source}:',
    'El model de llenguatge no està disponible ara mateix.',
    '… {count} passos més a la pàgina',
    'Per a més ajuda: {ways}',
  ],
  cs: [
    'Položte otázku k této dokumentaci a zde budou citovány pasáže, které na ni odpovídají.',
    'V této dokumentaci jsem nenašel nic, co by na to odpovídalo. Mohou pomoci jiná slova pro totéž.',
    'Toto říká dokumentace, citováno z {source}:',
    'Nenašel jsem pasáž, která by na to s jistotou odpovídala. Nejbližší, citovaná, je z {source}:',
    'Z {source}:',
    'Jazykový model teď není dostupný.',
    '… další kroky na stránce: {count}',
    'Další pomoc: {ways}',
  ],
  da: [
    'Stil et spørgsmål om denne dokumentation, så citeres de afsnit, der besvarer det, her.',
    'Jeg fandt intet i denne dokumentation, der besvarer det. Andre ord for det samme kan måske hjælpe.',
    'Dette siger dokumentationen, citeret fra {source}:',
    'Jeg fandt intet afsnit, der med sikkerhed besvarer det. Det nærmeste, citeret, er fra {source}:',
    'Fra {source}:',
    'Sprogmodellen er ikke tilgængelig lige nu.',
    '… {count} trin mere på siden',
    'Mere hjælp: {ways}',
  ],
  de: [
    'Stellen Sie eine Frage zu dieser Dokumentation; die Stellen, die sie beantworten, werden hier zitiert.',
    'In dieser Dokumentation habe ich nichts gefunden, das dies beantwortet. Andere Wörter für dasselbe helfen vielleicht.',
    'Das sagt die Dokumentation, zitiert aus {source}:',
    'Ich habe keine Stelle gefunden, die dies sicher beantwortet. Am nächsten kommt, zitiert aus {source}:',
    'Aus {source}:',
    'Das Sprachmodell ist gerade nicht erreichbar.',
    '… {count} weitere Schritte auf der Seite',
    'Weitere Hilfe: {ways}',
  ],
  en: [
    'Ask a question about this documentation, and the passages that answer it are quoted here.',
    'I found nothing in this documentation that answers this. Other words for the same thing may help.',
    'This is what the documentation says, quoted. From {source}:',
    'I found no passage that answers this for certain. These come nearest. From {source}:',
    'From {source}:',
    'The language model is not available right now.',
    '… {count} more steps on the page',
    'For more help: {ways}',
  ],
  es: [
    'Haz una pregunta sobre esta documentación y aquí se citarán los pasajes que la responden.',
    'No he encontrado nada en esta documentación que responda a esto. Quizá ayuden otras palabras para lo mismo.',
    'Esto es lo que dice la documentación, citado de {source}:',
    'No he encontrado ningún pasaje que responda a esto con certeza. El más cercano, citado, es de {source}:',
    'De {source}:',
    'El modelo de lenguaje no está disponible en este momento.',
    '… {count} pasos más en la página',
    'Para más ayuda: {ways}',
  ],
  fi: [
    'Kysy jotain tästä dokumentaatiosta, niin kysymykseen vastaavat kohdat lainataan tähän.',
    'En löytänyt tästä dokumentaatiosta vastausta tähän. Toiset sanat samasta asiasta voivat auttaa.',
    'Näin dokumentaatio sanoo, lainattuna sivulta {source}:',
    'En löytänyt kohtaa, joka varmasti vastaisi tähän. Lähin, lainattuna, on sivulta {source}:',
    'Sivulta {source}:',
    'Kielimalli ei ole juuri nyt käytettävissä.',
    '… {count} vaihetta lisää sivulla',
    'Lisää apua: {ways}',
  ],
  fr: [
    'Posez une question sur cette documentation : les passages qui y répondent seront cités ici.',
    'Je n’ai rien trouvé dans cette documentation qui réponde à cette question. D’autres mots pour la même chose peuvent aider.',
    'Voici ce que dit la documentation, citée depuis {source} :',
    'Je n’ai trouvé aucun passage qui réponde avec certitude. Le plus proche, cité, vient de {source} :',
    'Extrait de {source} :',
    'Le modèle de langage n’est pas disponible pour le moment.',
    '… {count} étapes de plus sur la page',
    'Pour plus d’aide : {ways}',
  ],
  he: [
    'שאלו שאלה על התיעוד הזה, והקטעים שעונים עליה יצוטטו כאן.',
    'לא מצאתי בתיעוד הזה דבר שעונה על כך. ייתכן שמילים אחרות לאותו הדבר יעזרו.',
    'זה מה שהתיעוד אומר, בציטוט מתוך {source}:',
    'לא מצאתי קטע שעונה על כך בוודאות. הקרוב ביותר, בציטוט, הוא מתוך {source}:',
    'מתוך {source}:',
    'מודל השפה אינו זמין כרגע.',
    '… עוד {count} שלבים בדף',
    'לעזרה נוספת: {ways}',
  ],
  hi: [
    'इस दस्तावेज़ के बारे में प्रश्न पूछें; उत्तर देने वाले अंश यहाँ उद्धृत किए जाएँगे।',
    'मुझे इस दस्तावेज़ में इसका उत्तर देने वाला कुछ नहीं मिला। इसी बात के लिए दूसरे शब्द मदद कर सकते हैं।',
    'दस्तावेज़ यह कहता है, {source} से उद्धृत:',
    'मुझे ऐसा कोई अंश नहीं मिला जो निश्चित रूप से इसका उत्तर दे। सबसे निकट का अंश {source} से उद्धृत है:',
    '{source} से:',
    'भाषा मॉडल अभी उपलब्ध नहीं है।',
    '… पृष्ठ पर {count} और चरण',
    'अधिक सहायता: {ways}',
  ],
  hu: [
    'Tegyen fel egy kérdést erről a dokumentációról, és itt idézzük a rá válaszoló részeket.',
    'Nem találtam semmit ebben a dokumentációban, ami erre válaszolna. Talán segítenek más szavak ugyanarra.',
    'Ezt mondja a dokumentáció, idézve innen: {source}:',
    'Nem találtam olyan részt, amely biztosan válaszolna erre. A legközelebbi, idézve innen: {source}:',
    'Innen: {source}:',
    'A nyelvi modell jelenleg nem érhető el.',
    '… további {count} lépés az oldalon',
    'További segítség: {ways}',
  ],
  id: [
    'Ajukan pertanyaan tentang dokumentasi ini, dan bagian yang menjawabnya akan dikutip di sini.',
    'Saya tidak menemukan apa pun di dokumentasi ini yang menjawabnya. Kata lain untuk hal yang sama mungkin membantu.',
    'Inilah isi dokumentasi, dikutip dari {source}:',
    'Saya tidak menemukan bagian yang pasti menjawabnya. Yang terdekat dikutip dari {source}:',
    'Dari {source}:',
    'Model bahasa sedang tidak tersedia.',
    '… {count} langkah lagi di halaman ini',
    'Bantuan lebih lanjut: {ways}',
  ],
  it: [
    'Fai una domanda su questa documentazione: i passaggi che rispondono saranno citati qui.',
    'Non ho trovato nulla in questa documentazione che risponda. Altre parole per la stessa cosa possono aiutare.',
    'Ecco che cosa dice la documentazione, citata da {source}:',
    'Non ho trovato un passaggio che risponda con certezza. Il più vicino, citato, viene da {source}:',
    'Da {source}:',
    'Il modello linguistico non è disponibile in questo momento.',
    '… altri {count} passaggi nella pagina',
    'Per ulteriore aiuto: {ways}',
  ],
  ja: [
    'このドキュメントについて質問すると、答えとなる箇所がここに引用されます。',
    'このドキュメントには答えが見つかりませんでした。別の言葉で尋ねると見つかることがあります。',
    'ドキュメントには次のように書かれています。引用元: {source}',
    '確実な答えとなる箇所は見つかりませんでした。最も近い箇所の引用元: {source}',
    '引用元: {source}',
    '言語モデルは現在利用できません。',
    '… ページにはさらに {count} の手順があります',
    'お問い合わせ: {ways}',
  ],
  ko: [
    '이 문서에 대해 질문하면 답이 되는 부분이 여기에 인용됩니다.',
    '이 문서에서 답이 되는 내용을 찾지 못했습니다. 같은 뜻의 다른 단어가 도움이 될 수 있습니다.',
    '문서의 내용을 인용합니다. 출처: {source}',
    '확실한 답이 되는 부분을 찾지 못했습니다. 가장 가까운 부분의 출처: {source}',
    '출처: {source}',
    '지금은 언어 모델을 사용할 수 없습니다.',
    '… 페이지에 {count}단계가 더 있습니다',
    '추가 도움말: {ways}',
  ],
  lv: [
    'Uzdodiet jautājumu par šo dokumentāciju, un šeit tiks citētas vietas, kas uz to atbild.',
    'Šajā dokumentācijā neatradu neko, kas uz to atbildētu. Var palīdzēt citi vārdi par to pašu.',
    'Lūk, ko saka dokumentācija; citāts no {source}:',
    'Neatradu vietu, kas uz to noteikti atbildētu. Tuvākā, citēta no {source}:',
    'No {source}:',
    'Valodas modelis pašlaik nav pieejams.',
    '… vēl {count} soļi lapā',
    'Papildu palīdzība: {ways}',
  ],
  nl: [
    'Stel een vraag over deze documentatie; de passages die het antwoord geven, worden hier geciteerd.',
    'Ik heb in deze documentatie niets gevonden dat dit beantwoordt. Andere woorden voor hetzelfde helpen misschien.',
    'Dit zegt de documentatie, geciteerd uit {source}:',
    'Ik heb geen passage gevonden die dit met zekerheid beantwoordt. De dichtstbijzijnde, geciteerd, komt uit {source}:',
    'Uit {source}:',
    'Het taalmodel is op dit moment niet beschikbaar.',
    '… nog {count} stappen op de pagina',
    'Meer hulp: {ways}',
  ],
  no: [
    'Still et spørsmål om denne dokumentasjonen, så siteres avsnittene som svarer på det, her.',
    'Jeg fant ingenting i denne dokumentasjonen som svarer på dette. Andre ord for det samme kan hjelpe.',
    'Dette sier dokumentasjonen, sitert fra {source}:',
    'Jeg fant ikke noe avsnitt som sikkert svarer på dette. Det nærmeste, sitert, er fra {source}:',
    'Fra {source}:',
    'Språkmodellen er ikke tilgjengelig akkurat nå.',
    '… {count} trinn til på siden',
    'Mer hjelp: {ways}',
  ],
  pl: [
    'Zadaj pytanie o tę dokumentację, a fragmenty, które na nie odpowiadają, zostaną tu zacytowane.',
    'Nie znalazłem w tej dokumentacji niczego, co na to odpowiada. Mogą pomóc inne słowa na to samo.',
    'Oto, co mówi dokumentacja; cytat z {source}:',
    'Nie znalazłem fragmentu, który na pewno na to odpowiada. Najbliższy, zacytowany, pochodzi z {source}:',
    'Z {source}:',
    'Model językowy jest w tej chwili niedostępny.',
    '… dalsze kroki na stronie: {count}',
    'Dalsza pomoc: {ways}',
  ],
  pt: [
    'Faça uma pergunta sobre esta documentação e as passagens que respondem serão citadas aqui.',
    'Não encontrei nada nesta documentação que responda a isto. Outras palavras para a mesma coisa podem ajudar.',
    'Isto é o que diz a documentação, citado de {source}:',
    'Não encontrei nenhuma passagem que responda com certeza. A mais próxima, citada, é de {source}:',
    'De {source}:',
    'O modelo de linguagem não está disponível de momento.',
    '… mais {count} passos na página',
    'Para mais ajuda: {ways}',
  ],
  'pt-br': [
    'Faça uma pergunta sobre esta documentação, e os trechos que a respondem serão citados aqui.',
    'Não encontrei nada nesta documentação que responda a isso. Outras palavras para a mesma coisa podem ajudar.',
    'Isto é o que a documentação diz, citado de {source}:',
    'Não encontrei nenhum trecho que responda com certeza. O mais próximo, citado, é de {source}:',
    'De {source}:',
    'O modelo de linguagem não está disponível no momento.',
    '… mais {count} etapas na página',
    'Para mais ajuda: {ways}',
  ],
  ro: [
    'Puneți o întrebare despre această documentație, iar pasajele care răspund vor fi citate aici.',
    'Nu am găsit nimic în această documentație care să răspundă. Alte cuvinte pentru același lucru pot ajuta.',
    'Iată ce spune documentația, citat din {source}:',
    'Nu am găsit un pasaj care să răspundă cu certitudine. Cel mai apropiat, citat, este din {source}:',
    'Din {source}:',
    'Modelul lingvistic nu este disponibil momentan.',
    '… încă {count} pași pe pagină',
    'Pentru mai mult ajutor: {ways}',
  ],
  ru: [
    'Задайте вопрос об этой документации, и здесь будут процитированы места, которые на него отвечают.',
    'В этой документации не нашлось ответа. Могут помочь другие слова о том же.',
    'Вот что говорит документация, цитата из {source}:',
    'Не нашлось места, которое точно отвечает на вопрос. Ближайшее процитировано из {source}:',
    'Из {source}:',
    'Языковая модель сейчас недоступна.',
    '… ещё шагов на странице: {count}',
    'Дополнительная помощь: {ways}',
  ],
  sv: [
    'Ställ en fråga om den här dokumentationen, så citeras de avsnitt som besvarar den här.',
    'Jag hittade inget i den här dokumentationen som besvarar detta. Andra ord för samma sak kan hjälpa.',
    'Detta säger dokumentationen, citerat från {source}:',
    'Jag hittade inget avsnitt som säkert besvarar detta. Det närmaste, citerat, är från {source}:',
    'Från {source}:',
    'Språkmodellen är inte tillgänglig just nu.',
    '… {count} steg till på sidan',
    'Mer hjälp: {ways}',
  ],
  tr: [
    'Bu belgeler hakkında bir soru sorun; yanıtlayan bölümler burada alıntılanır.',
    'Bu belgelerde bunu yanıtlayan bir şey bulamadım. Aynı şey için başka sözcükler işe yarayabilir.',
    'Belgelerde şöyle deniyor; alıntının kaynağı {source}:',
    'Bunu kesin olarak yanıtlayan bir bölüm bulamadım. En yakın alıntının kaynağı {source}:',
    'Kaynak {source}:',
    'Dil modeli şu anda kullanılamıyor.',
    '… sayfada {count} adım daha var',
    'Daha fazla yardım: {ways}',
  ],
  uk: [
    'Поставте запитання про цю документацію, і тут будуть процитовані місця, які на нього відповідають.',
    'У цій документації не знайшлося відповіді. Можуть допомогти інші слова про те саме.',
    'Ось що каже документація, цитата з {source}:',
    'Не знайшлося місця, яке точно відповідає на запитання. Найближче процитовано з {source}:',
    'З {source}:',
    'Мовна модель зараз недоступна.',
    '… ще кроків на сторінці: {count}',
    'Додаткова допомога: {ways}',
  ],
  uz: [
    'Ushbu hujjatlar haqida savol bering, unga javob beradigan parchalar shu yerda keltiriladi.',
    'Ushbu hujjatlarda bunga javob beradigan narsa topilmadi. Shu ma’nodagi boshqa so‘zlar yordam berishi mumkin.',
    'Hujjatlarda shunday deyilgan, manba: {source}:',
    'Bunga aniq javob beradigan parcha topilmadi. Eng yaqinining manbasi: {source}:',
    'Manba: {source}:',
    'Til modeli hozir mavjud emas.',
    '… sahifada yana {count} ta qadam',
    'Qo‘shimcha yordam: {ways}',
  ],
  vi: [
    'Hãy đặt câu hỏi về tài liệu này, các đoạn trả lời sẽ được trích dẫn tại đây.',
    'Tôi không tìm thấy nội dung nào trong tài liệu này trả lời câu hỏi. Những từ khác cùng nghĩa có thể giúp ích.',
    'Đây là những gì tài liệu viết, trích từ {source}:',
    'Tôi không tìm thấy đoạn nào chắc chắn trả lời câu hỏi. Đoạn gần nhất được trích từ {source}:',
    'Từ {source}:',
    'Mô hình ngôn ngữ hiện không khả dụng.',
    '… còn {count} bước nữa trên trang',
    'Trợ giúp thêm: {ways}',
  ],
  zh: [
    '请就本文档提问，回答问题的段落会在此引用。',
    '在本文档中没有找到能回答此问题的内容。换用其他说法也许会有帮助。',
    '文档中是这样说的，引自 {source}：',
    '没有找到能确定回答此问题的段落。最接近的内容引自 {source}：',
    '引自 {source}：',
    '语言模型目前不可用。',
    '… 页面上还有 {count} 个步骤',
    '更多帮助：{ways}',
  ],
  'zh-hant': [
    '請就本文件提問，回答問題的段落會在此引用。',
    '在本文件中沒有找到能回答此問題的內容。換用其他說法也許會有幫助。',
    '文件中是這樣說的，引自 {source}：',
    '沒有找到能確定回答此問題的段落。最接近的內容引自 {source}：',
    '引自 {source}：',
    '語言模型目前無法使用。',
    '… 頁面上還有 {count} 個步驟',
    '更多協助：{ways}',
  ],
};

/** Codes that sites use for what has its sentences under another. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  ...{ cn: 'zh', 'zh-cn': 'zh', 'zh-tw': 'zh-hant', 'zh-hk': 'zh-hant', jp: 'ja', nb: 'no', nn: 'no', iw: 'he' },
};

/** The languages that there are sentences in. */
export const frameLanguages: readonly string[] = Object.keys(SENTENCES);

/** The sentences in a language, as a site or `questionLanguage` names it; English where there are none. */
export function answerFrames(language: string | undefined): AnswerFrames {
  const wanted = (language ?? 'en').toLowerCase();
  const code = OTHER_CODES[wanted] ?? wanted;
  const known = (name: string) => (Object.hasOwn(SENTENCES, name) ? SENTENCES[name] : undefined);
  const base = code.split('-')[0] as string;
  const found = known(code) ?? known(OTHER_CODES[base] ?? base) ?? (SENTENCES.en as Sentences);
  const [invitation, nothingFound, quoted, nearest, further, withoutModel, moreSteps, support] = found;
  return { invitation, nothingFound, quoted, nearest, further, withoutModel, moreSteps, support };
}
