import { expect, test } from 'vitest'
import { detectLanguage, questionLanguage } from './detect-language.ts'
import { languageOfTag } from './language-codes.ts'

const TEXTS = {
  sv: 'CORS betyder att en sida som körs i webbläsaren frågar en server på en annan adress. Servern måste svara att den tillåter det. Slå på det i inställningarna och starta om tjänsten.',
  da: 'CORS betyder at en side som kører i browseren spørger en server på en anden adresse. Serveren skal svare at den tillader det. Slå det til i indstillingerne og start tjenesten igen.',
  no: 'CORS betyr at en side som kjører i nettleseren spør en server på en annen adresse. Serveren må svare at den tillater det. Slå det på i innstillingene og start tjenesten på nytt.',
  it: 'CORS significa che una pagina nel browser interroga un server con un altro indirizzo. Il server deve rispondere che lo permette. Attivalo nelle impostazioni e riavvia il servizio.',
  pl: 'CORS oznacza, że strona w przeglądarce pyta serwer pod innym adresem. Serwer musi odpowiedzieć, że na to pozwala. Włącz to w ustawieniach i uruchom usługę ponownie.',
  cs: 'CORS znamená, že stránka v prohlížeči se ptá serveru na jiné adrese. Server musí odpovědět, že to povoluje. Zapněte to v nastavení a službu znovu spusťte.',
  hu: 'A CORS azt jelenti, hogy egy böngészőben futó oldal egy másik címen lévő kiszolgálót kérdez. A kiszolgálónak azt kell válaszolnia, hogy engedélyezi. Kapcsolja be a beállításokban.',
  tr: 'CORS, tarayıcıda çalışan bir sayfanın başka bir adresteki sunucuya sorması demektir. Sunucu buna izin verdiğini söylemelidir. Ayarlardan açın ve hizmeti yeniden başlatın.',
  id: 'CORS berarti halaman di peramban bertanya kepada server di alamat lain. Server harus menjawab bahwa hal itu diizinkan. Aktifkan di pengaturan lalu mulai ulang layanan.',
  nl: 'CORS betekent dat een pagina in de browser een server op een ander adres iets vraagt. De server moet antwoorden dat het mag. Zet het aan in de instellingen en start de dienst opnieuw.',
  ro: 'CORS înseamnă că o pagină din browser întreabă un server de la altă adresă. Serverul trebuie să răspundă că permite acest lucru. Porniți-l din setări și reporniți serviciul.',
  fi: 'CORS tarkoittaa, että selaimessa oleva sivu kysyy palvelimelta toisessa osoitteessa. Palvelimen on vastattava, että se sallii sen. Ota se käyttöön asetuksista ja käynnistä palvelu uudelleen.',
  vi: 'CORS nghĩa là một trang trong trình duyệt hỏi máy chủ ở địa chỉ khác. Máy chủ phải trả lời rằng nó cho phép. Bật trong phần cài đặt và khởi động lại dịch vụ.',
  ar: 'يعني CORS أن صفحة في المتصفح تسأل خادما في عنوان آخر. يجب أن يجيب الخادم بأنه يسمح بذلك. فعله في الإعدادات ثم أعد تشغيل الخدمة.',
  fa: 'یعنی CORS این است که صفحه‌ای در مرورگر از سروری در نشانی دیگر می‌پرسد. سرور باید پاسخ دهد که اجازه می‌دهد. آن را در تنظیمات روشن کنید و سرویس را دوباره راه بیندازید.',
  ur: 'CORS کا مطلب ہے کہ براؤزر میں چلنے والا صفحہ کسی دوسرے پتے پر موجود سرور سے پوچھتا ہے۔ سرور کو جواب دینا ہوگا کہ وہ اجازت دیتا ہے۔ اسے ترتیبات میں فعال کریں۔',
  he: 'CORS אומר שדף בדפדפן שואל שרת בכתובת אחרת. השרת חייב להשיב שהוא מתיר זאת. הפעילו זאת בהגדרות והפעילו מחדש את השירות.',
  hi: 'CORS का अर्थ है कि ब्राउज़र में चल रहा पेज किसी दूसरे पते के सर्वर से पूछता है। सर्वर को जवाब देना होगा कि वह अनुमति देता है। इसे सेटिंग में चालू करें।',
  th: 'CORS หมายถึงหน้าเว็บในเบราว์เซอร์ถามเซิร์ฟเวอร์ที่อยู่อื่น เซิร์ฟเวอร์ต้องตอบว่าอนุญาต เปิดใช้ในการตั้งค่าแล้วเริ่มบริการใหม่',
  uk: 'CORS означає, що сторінка в браузері звертається до сервера за іншою адресою. Сервер має відповісти, що дозволяє це. Увімкніть це в налаштуваннях.',
  bg: 'CORS означава, че страница в браузъра пита сървър на друг адрес. Сървърът трябва да отговори, че го позволява. Включете го в настройките. След това рестартирайте услугата и опитайте отново.',
  el: 'Το CORS σημαίνει ότι μια σελίδα στον περιηγητή ρωτά έναν διακομιστή σε άλλη διεύθυνση. Ο διακομιστής πρέπει να απαντήσει ότι το επιτρέπει.',
  pt: 'CORS significa que uma página no navegador pergunta a um servidor em outro endereço. O servidor deve responder que permite isso. Ative nas configurações e reinicie o serviço.',
  zh: 'CORS 表示浏览器中的页面向另一个地址的服务器提问。服务器必须回答它允许这样做。在设置中打开它，然后重启服务。',
  ja: 'CORS とは、ブラウザーのページが別のアドレスのサーバーに尋ねることです。サーバーは許可すると答えなければなりません。設定で有効にしてください。',
  ko: 'CORS는 브라우저의 페이지가 다른 주소의 서버에 묻는 것을 뜻합니다. 서버는 허용한다고 답해야 합니다. 설정에서 켜고 서비스를 다시 시작하세요.',
  sw: 'CORS inamaanisha ukurasa katika kivinjari unauliza seva katika anwani nyingine. Seva lazima ijibu kwamba inaruhusu. Washa kwenye mipangilio na uanzishe huduma tena.',
  ca: 'CORS vol dir que una pàgina del navegador pregunta a un servidor en una altra adreça. El servidor ha de respondre que ho permet. Activeu-ho a la configuració.',
  sk: 'CORS znamená, že stránka v prehliadači sa pýta servera na inej adrese. Server musí odpovedať, že to povoľuje. Zapnite to v nastaveniach a službu znova spustite.',
}

test.each(Object.entries(TEXTS))('a paragraph in %s is known by its letters, function words or trigrams', (language, text) => {
  const alike = language === 'id' ? ['id', 'ms'] : [language]
  expect(alike).toContain(detectLanguage(text))
  const code = '```js\nconst server = allow("the page", from => from.origin)\n```\n'
  expect(alike).toContain(detectLanguage(`# CORS\n\n${code}\n${text}\n\nhttps://example.com/the/page/of/the/server `))
})

test.each(['', '12 34', 'CORS', '🎉', '```\n'.repeat(2_000), '<'.repeat(50_000)])(
  'what is too short, or in no language, is not guessed: %#',
  (text) => {
    expect(detectLanguage(text)).toBeUndefined()
  },
)

test.each([
  ['CORS', undefined],
  ['CORS настройка', 'ru'],
  ['CORS 設定', 'zh'],
  ['CORS の設定', 'ja'],
  ['CORS 설정', 'ko'],
  ['how to enable CORS', 'en'],
  ['wie aktiviere ich CORS', 'de'],
  ['¿cómo configuro CORS?', 'es'],
  ['CORS 설정 방법', 'ko'],
  ['إعداد CORS', undefined],
])('a question is in the only language of its script, or in the one that its words tell: %s', (question, language) => {
  expect(questionLanguage(question, new Set(['en', 'de', 'es', 'ru', 'zh', 'ja', 'ko']), 'en')).toBe(language)
})

test('between languages of one script the reader decides where the words do not', () => {
  expect(questionLanguage('CORS', new Set(['ru', 'uk']), 'uk')).toBeUndefined()
  expect(questionLanguage('сервер', new Set(['uk', 'ru']), 'uk')).toBe('uk')
  expect(questionLanguage('сервер', new Set(['uk', 'ru']), 'en')).toBe('ru')
  expect(questionLanguage('設定', new Set(['ja', 'zh']), 'ja')).toBe('ja')
})

test.each([
  ['de', 'de'],
  ['zh-CN', 'zh'],
  ['zh_Hant', 'zh'],
  ['pt-BR', 'pt'],
  ['es-419', 'es'],
  ['jp', 'ja'],
  ['deu', 'de'],
  ['DE', 'de'],
  ['docs', undefined],
  ['xx', undefined],
  ['de-something', undefined],
  ['', undefined],
])('the tag %s says %s', (tag, language) => {
  expect(languageOfTag(tag)).toBe(language)
})
