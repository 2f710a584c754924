import type { DateUnit } from './date-reading.ts'

/**
 * Month names of the languages people write notes in, from the Unicode CLDR through `Intl` (ICU 78): January to
 * December divided by `|`, of each its names in full, beside a day and alone, then after `/` the short ones. A table,
 * so that no search waits for a calendar to load and every engine reads the same names. English, Arabic, Vietnamese,
 * Chinese, Japanese and Korean have their own rules.
 */
export const MONTH_NAMES: Readonly<Record<string, string>> = {
  de: 'januar/jan|februar/feb|märz/mär|april/apr|mai|juni/jun|juli/jul|august/aug|september/sep sept|oktober/okt|november/nov|dezember/dez',
  'de-AT':
    'jänner/jän|februar/feb|märz/mär|april/apr|mai|juni/jun|juli/jul|august/aug|september/sep|oktober/okt|november/nov|dezember/dez',
  es: 'enero/ene|febrero/feb|marzo/mar|abril/abr|mayo/may|junio/jun|julio/jul|agosto/ago|septiembre/sept|octubre/oct|noviembre/nov|diciembre/dic',
  pt: 'janeiro/jan|fevereiro/fev|março/mar|abril/abr|maio/mai|junho/jun|julho/jul|agosto/ago|setembro/set|outubro/out|novembro/nov|dezembro/dez',
  fr: 'janvier/janv|février/févr|mars|avril/avr|mai|juin|juillet/juil|août|septembre/sept|octobre/oct|novembre/nov|décembre/déc',
  it: 'gennaio/gen|febbraio/feb|marzo/mar|aprile/apr|maggio/mag|giugno/giu|luglio/lug|agosto/ago|settembre/set|ottobre/ott|novembre/nov|dicembre/dic',
  nl: 'januari/jan|februari/feb|maart/mrt|april/apr|mei|juni/jun|juli/jul|augustus/aug|september/sep|oktober/okt|november/nov|december/dec',
  tr: 'ocak/oca|şubat/şub|mart/mar|nisan/nis|mayıs/may|haziran/haz|temmuz/tem|ağustos/ağu|eylül/eyl|ekim/eki|kasım/kas|aralık/ara',
  id: 'januari/jan|februari/feb|maret/mar|april/apr|mei|juni/jun|juli/jul|agustus/agu|september/sep|oktober/okt|november/nov|desember/des',
  ru: 'январь января/янв|февраль февраля/февр|март марта/мар|апрель апреля/апр|май мая|июнь июня/июн|июль июля/июл|август августа/авг|сентябрь сентября/сент|октябрь октября/окт|ноябрь ноября/нояб|декабрь декабря/дек',
  uk: 'січень січня/січ|лютий лютого/лют|березень березня/бер|квітень квітня/квіт|травень травня/трав|червень червня/черв|липень липня/лип|серпень серпня/серп|вересень вересня/вер|жовтень жовтня/жовт|листопад листопада/лист|грудень грудня/груд',
  pl: 'styczeń stycznia/sty|luty lutego/lut|marzec marca/mar|kwiecień kwietnia/kwi|maj maja|czerwiec czerwca/cze|lipiec lipca/lip|sierpień sierpnia/sie|wrzesień września/wrz|październik października/paź|listopad listopada/lis|grudzień grudnia/gru',
  cs: 'leden ledna/led|únor února/úno|březen března/bře|duben dubna/dub|květen května/kvě|červen června/čvn|červenec července/čvc|srpen srpna/srp|září/zář|říjen října/říj|listopad listopadu/lis|prosinec prosince/pro',
  sv: 'januari/jan|februari/feb|mars|april/apr|maj|juni|juli|augusti/aug|september/sep|oktober/okt|november/nov|december/dec',
  da: 'januar/jan|februar/feb|marts/mar|april/apr|maj|juni/jun|juli/jul|august/aug|september/sep|oktober/okt|november/nov|december/dec',
  nb: 'januar/jan|februar/feb|mars/mar|april/apr|mai|juni/jun|juli/jul|august/aug|september/sep|oktober/okt|november/nov|desember/des',
  fi: 'tammikuu tammikuuta/tammi|helmikuu helmikuuta/helmi|maaliskuu maaliskuuta/maalis|huhtikuu huhtikuuta/huhti|toukokuu toukokuuta/touko|kesäkuu kesäkuuta/kesä|heinäkuu heinäkuuta/heinä|elokuu elokuuta/elo|syyskuu syyskuuta/syys|lokakuu lokakuuta/loka|marraskuu marraskuuta/marras|joulukuu joulukuuta/joulu',
  hu: 'január/jan|február/febr|március/márc|április/ápr|május/máj|június/jún|július/júl|augusztus/aug|szeptember/szept|október/okt|november/nov|december/dec',
  ro: 'ianuarie/ian|februarie/feb|martie/mar|aprilie/apr|mai|iunie/iun|iulie/iul|august/aug|septembrie/sept|octombrie/oct|noiembrie/nov|decembrie/dec',
  el: 'ιανουαρίου/ιαν|φεβρουαρίου/φεβ|μαρτίου/μαρ|απριλίου/απρ|μαΐου/μαΐ|ιουνίου/ιουν|ιουλίου/ιουλ|αυγούστου/αυγ|σεπτεμβρίου/σεπ|οκτωβρίου/οκτ|νοεμβρίου/νοε|δεκεμβρίου/δεκ',
  bg: 'януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември',
  ca: 'gener/gen|febrer/febr|març|abril/abr|maig|juny|juliol/jul|agost/ag|setembre/set|octubre/oct|novembre/nov|desembre/des',
  sr: 'јануар/јан|фебруар/феб|март/мар|април/апр|мај|јун|јул|август/авг|септембар/сеп|октобар/окт|новембар/нов|децембар/дец',
  he: 'ינואר/ינו|פברואר/פבר|מרץ|אפריל/אפר|מאי|יוני|יולי|אוגוסט/אוג|ספטמבר/ספט|אוקטובר/אוק|נובמבר/נוב|דצמבר/דצמ',
  fa: 'ژانویه ژانویهٔ|فوریه فوریهٔ|مارس|آوریل|مه مهٔ|ژوئن|ژوئیه ژوئیهٔ|اوت|سپتامبر|اکتبر|نوامبر|دسامبر',
  hi: 'जनवरी/जन|फ़रवरी/फ़र|मार्च|अप्रैल|मई|जून|जुलाई/जुल|अगस्त/अग|सितंबर/सित|अक्टूबर/अक्टू|नवंबर/नव|दिसंबर/दिस',
  mr: 'जानेवारी/जाने|फेब्रुवारी/फेब्रु|मार्च|एप्रिल/एप्रि|मे|जून|जुलै|ऑगस्ट/ऑग|सप्टेंबर/सप्टें|ऑक्टोबर/ऑक्टो|नोव्हेंबर/नोव्हें|डिसेंबर/डिसें',
  bn: 'জানুয়ারি/জানু|ফেব্রুয়ারি/ফেব|মার্চ|এপ্রিল/এপ্রি|মে|জুন|জুলাই/জুল|আগস্ট/আগ|সেপ্টেম্বর/সেপ্ট সেপ|অক্টোবর/অক্টো|নভেম্বর/নভে|ডিসেম্বর/ডিসে',
  ta: 'ஜனவரி/ஜன|பிப்ரவரி/பிப்|மார்ச்/மார்|ஏப்ரல்/ஏப்|மே|ஜூன்|ஜூலை|ஆகஸ்ட்/ஆக|செப்டம்பர்/செப்|அக்டோபர்/அக்|நவம்பர்/நவ|டிசம்பர்/டிச',
  te: 'జనవరి/జన|ఫిబ్రవరి/ఫిబ్ర|మార్చి|ఏప్రిల్/ఏప్రి|మే|జూన్|జులై|ఆగస్టు/ఆగ|సెప్టెంబర్/సెప్టెం|అక్టోబర్/అక్టో|నవంబర్/నవం|డిసెంబర్/డిసెం',
  th: 'มกราคม/ม.ค|กุมภาพันธ์/ก.พ|มีนาคม/มี.ค|เมษายน/เม.ย|พฤษภาคม/พ.ค|มิถุนายน/มิ.ย|กรกฎาคม/ก.ค|สิงหาคม/ส.ค|กันยายน/ก.ย|ตุลาคม/ต.ค|พฤศจิกายน/พ.ย|ธันวาคม/ธ.ค',
  ms: 'januari/jan|februari/feb|mac|april/apr|mei|jun|julai/jul|ogos/ogo|september/sep|oktober/okt|november/nov|disember/dis',
  fil: 'enero/ene|pebrero/peb|marso/mar|abril/abr|mayo/may|hunyo/hun|hulyo/hul|agosto/ago|setyembre/set|oktubre/okt|nobyembre/nob|disyembre/dis',
  sw: 'januari/jan|februari/feb|machi/mac|aprili/apr|mei|juni/jun|julai/jul|agosti/ago|septemba/sep|oktoba/okt|novemba/nov|desemba/des',
  ur: 'جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر',
}

/** The twelve months of the Persian (solar Hijri) calendar, Farvardin to Esfand, in the same form. */
export const PERSIAN_MONTHS = 'فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند'

/**
 * Words for days, weeks, months and years near the present one, from the same source: for each unit, by steps from it,
 * divided by `|`.
 */
export const RELATIVE_NAMES: Readonly<Record<string, Readonly<Record<DateUnit, string>>>> = {
  de: {
    day: 'vorgestern|gestern|heute|morgen|übermorgen',
    week: 'letzte woche|diese woche|nächste woche',
    month: 'letzten monat|diesen monat|nächsten monat',
    year: 'letztes jahr|dieses jahr|nächstes jahr',
  },
  fr: {
    day: "avant-hier|hier|aujourd'hui|demain|après-demain",
    week: 'la semaine dernière|cette semaine|la semaine prochaine',
    month: 'le mois dernier|ce mois-ci|le mois prochain',
    year: "l'année dernière|cette année|l'année prochaine",
  },
  es: {
    day: 'anteayer|ayer|hoy|mañana|pasado mañana',
    week: 'la semana pasada|esta semana|la próxima semana',
    month: 'el mes pasado|este mes|el próximo mes',
    year: 'el año pasado|este año|el próximo año',
  },
  pt: {
    day: 'anteontem|ontem|hoje|amanhã|depois de amanhã',
    week: 'semana passada|esta semana|próxima semana',
    month: 'mês passado|este mês|próximo mês',
    year: 'ano passado|este ano|próximo ano',
  },
  it: {
    day: "l'altro ieri|ieri|oggi|domani|dopodomani",
    week: 'settimana scorsa|questa settimana|settimana prossima',
    month: 'mese scorso|questo mese|mese prossimo',
    year: "anno scorso|quest'anno|anno prossimo",
  },
  nl: {
    day: 'eergisteren|gisteren|vandaag|morgen|overmorgen',
    week: 'vorige week|deze week|volgende week',
    month: 'vorige maand|deze maand|volgende maand',
    year: 'vorig jaar|dit jaar|volgend jaar',
  },
  tr: {
    day: 'evvelsi gün|dün|bugün|yarın|öbür gün',
    week: 'geçen hafta|bu hafta|gelecek hafta',
    month: 'geçen ay|bu ay|gelecek ay',
    year: 'geçen yıl|bu yıl|gelecek yıl',
  },
  id: {
    day: 'kemarin dulu|kemarin|hari ini|besok|lusa',
    week: 'minggu lalu|minggu ini|minggu depan',
    month: 'bulan lalu|bulan ini|bulan depan',
    year: 'tahun lalu|tahun ini|tahun depan',
  },
  vi: {
    day: 'hôm kia|hôm qua|hôm nay|ngày mai|ngày kia',
    week: 'tuần trước|tuần này|tuần sau',
    month: 'tháng trước|tháng này|tháng sau',
    year: 'năm ngoái|năm nay|năm sau',
  },
  ru: {
    day: 'позавчера|вчера|сегодня|завтра|послезавтра',
    week: 'на прошлой неделе|на этой неделе|на следующей неделе',
    month: 'в прошлом месяце|в этом месяце|в следующем месяце',
    year: 'в прошлом году|в этом году|в следующем году',
  },
  uk: {
    day: 'позавчора|учора|сьогодні|завтра|післязавтра',
    week: 'минулого тижня|цього тижня|наступного тижня',
    month: 'минулого місяця|цього місяця|наступного місяця',
    year: 'минулого року|цього року|наступного року',
  },
  pl: {
    day: 'przedwczoraj|wczoraj|dzisiaj|jutro|pojutrze',
    week: 'w zeszłym tygodniu|w tym tygodniu|w przyszłym tygodniu',
    month: 'w zeszłym miesiącu|w tym miesiącu|w przyszłym miesiącu',
    year: 'w zeszłym roku|w tym roku|w przyszłym roku',
  },
  cs: {
    day: 'předevčírem|včera|dnes|zítra|pozítří',
    week: 'minulý týden|tento týden|příští týden',
    month: 'minulý měsíc|tento měsíc|příští měsíc',
    year: 'minulý rok|tento rok|příští rok',
  },
  sv: {
    day: 'i förrgår|i går|i dag|i morgon|i övermorgon',
    week: 'förra veckan|denna vecka|nästa vecka',
    month: 'förra månaden|den här månaden|nästa månad',
    year: 'förra året|i år|nästa år',
  },
  da: {
    day: 'i forgårs|i går|i dag|i morgen|i overmorgen',
    week: 'sidste uge|denne uge|næste uge',
    month: 'sidste måned|denne måned|næste måned',
    year: 'sidste år|i år|næste år',
  },
  nb: {
    day: 'i forgårs|i går|i dag|i morgen|i overmorgen',
    week: 'forrige uke|denne uken|neste uke',
    month: 'forrige måned|denne måneden|neste måned',
    year: 'i fjor|i år|neste år',
  },
  el: {
    day: 'προχθές|χθες|σήμερα|αύριο|μεθαύριο',
    week: 'προηγούμενη εβδομάδα|τρέχουσα εβδομάδα|επόμενη εβδομάδα',
    month: 'προηγούμενος μήνας|τρέχων μήνας|επόμενος μήνας',
    year: 'πέρσι|φέτος|επόμενο έτος',
  },
  he: {
    day: 'שלשום|אתמול|היום|מחר|מחרתיים',
    week: 'השבוע שעבר|השבוע|השבוע הבא',
    month: 'החודש שעבר|החודש|החודש הבא',
    year: 'השנה שעברה|השנה|השנה הבאה',
  },
  fa: {
    day: 'پریروز|دیروز|امروز|فردا|پس‌فردا',
    week: 'هفتهٔ گذشته|این هفته|هفتهٔ آینده',
    month: 'ماه گذشته|این ماه|ماه آینده',
    year: 'سال گذشته|امسال|سال آینده',
  },
  hi: {
    day: 'परसों|कल|आज|कल|परसों',
    week: 'पिछला सप्ताह|इस सप्ताह|अगला सप्ताह',
    month: 'पिछला माह|इस माह|अगला माह',
    year: 'पिछला वर्ष|इस वर्ष|अगला वर्ष',
  },
  th: {
    day: 'เมื่อวานซืน|เมื่อวาน|วันนี้|พรุ่งนี้|มะรืนนี้',
    week: 'สัปดาห์ที่แล้ว|สัปดาห์นี้|สัปดาห์หน้า',
    month: 'เดือนที่แล้ว|เดือนนี้|เดือนหน้า',
    year: 'ปีที่แล้ว|ปีนี้|ปีหน้า',
  },
  ko: {
    day: '그저께|어제|오늘|내일|모레',
    week: '지난주|이번 주|다음 주',
    month: '지난달|이번 달|다음 달',
    year: '작년|올해|내년',
  },
}
