import { wordSet } from '../text/index.ts';

/**
 * Words that hardly a sentence of a language does without, by ISO 639-1 code. Of languages that are written in Latin
 * letters; for Hindi and Arabic, as people write them in Latin letters.
 */
export const commonWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordSet(`
    the a an and or but if of to in on at by for with from about as is are was were be been am do does did have has had
    can could will would should not no it its this that these those i me my you your he him his she her we us our they
    them their what how why when where who which there here so just like get more all out up people dont don't im i'm
    it's u ur lol gonna wanna pls please thanks yes very too any some then than because into over only also make know
    good new now one time need want say see go come got let help back down off never every your you're can't didn't
    i'll i've we're they're that's what's isn't won't said been after before again still even much many
    die war den hat bin gut car plus son pour sans main ton tab wen da per come dove fare pure ten pan ale pod ma tam
    once fin van bent hun men under man mine wall sale tout tale pan bas fee fin ho hum mat bas mo mu zen pas
    mais size font change bile`),
  es: wordSet(`
    el la los las un una unos de del que y a en por para con sin no se es son está están fue era ser hay lo le les me te
    mi mis tu tus su sus nos yo tú él ella ellos ustedes usted nosotros como cómo cuando cuándo donde dónde qué quién
    porque pero si sí más muy ya también todo toda todos hoy mañana ayer ahora siempre nunca esto eso este esta ese esa
    hola gracias tengo tiene tienes puedo puede quiero quiere hacer hace voy va vamos estoy estás soy eres algo nada
    aquí desde hasta entre sobre otra otro cada tan bien mucho mucha solo mismo después antes creo al`),
  fr: wordSet(`
    le la les un une des du de et à au aux en dans pour par avec sans sur sous que qui quoi dont où ne pas plus est sont
    était être a ont avoir j'ai c'est n'est qu'il d'un d'une l' il elle ils elles on nous vous je tu me te se mon ma mes
    ton ta tes son sa ses notre votre leur leurs ce cette ces cela ça comme quand comment pourquoi si mais ou donc car
    très bien tout toute tous aussi encore toujours jamais rien quelque chez entre merci bonjour suis es fait faire peut
    peux veux vais va aller voir y même après avant moi toi lui eux`),
  de: wordSet(`
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ich du er sie es
    wir ihr mich
    mir dich dir ihn ihm ihnen uns euch mein meine meinen dein deine sein seine unser ist sind war waren bin bist hat
    haben habe hatte wird werden wurde kann können muss soll will wollen mit von zu zum zur auf aus bei für über unter
    nach vor an am im in als wie wenn weil dass ob wer was wo wann warum auch noch nur schon sehr mehr so doch mal ja
    nein hier da dann immer nie alle alles etwas nichts heute morgen gestern bitte danke jetzt mach machen gibt gut
    beim durch gegen ohne um bis seit diese dieser dieses`),
  pt: wordSet(`
    o a os as um uma uns umas de do da dos das no na nos nas em por para com sem que e é são foi era ser está estão
    estou não sim se me te lhe eu tu ele ela eles elas nós você vocês meu minha meus minhas seu sua seus teu tua como
    quando onde quem porque por mas ou mais muito muita já também todo toda todos tudo hoje amanhã ontem agora sempre
    nunca isto isso este esta esse essa aquele obrigado obrigada olá tenho tem temos pode posso quero quer fazer faz vou
    vai vamos ao à aos às pelo pela até entre sobre outro outra cada tão bem só mesmo depois antes acho ainda aqui lá
    num numa foram tinha`),
  it: wordSet(`
    il lo la i gli le un uno una di del della dei delle degli dello a al alla ai alle da dal dalla dai in nel nella nei
    con su sul sulla per tra fra e o ma se che chi cui non è sono era erano essere ho hai ha abbiamo avete hanno aveva
    mi ti si ci vi lo li io tu lui lei noi voi loro mio mia miei tuo tua suo sua nostro vostro questo questa quello
    quella come quando dove perché cosa più molto molta già anche tutto tutta tutti oggi domani ieri ora adesso sempre
    mai grazie ciao posso può puoi voglio vuole fare fa vado va andiamo sto stai sta bene solo stesso dopo prima ancora
    qui niente qualcosa senza verso`),
  nl: wordSet(`
    de het een en of maar niet geen ik jij je hij zij ze wij we jullie u mij me hem haar ons hun mijn jouw zijn onze is
    ben bent was waren heb hebt heeft hebben had wordt worden werd kan kun kunnen moet moeten zal zullen wil willen met
    van naar op uit bij voor over onder na aan in als dan toen omdat dat die dit deze wie wat waar wanneer waarom hoe
    ook nog maar al zeer meer zo toch even ja nee hier daar altijd nooit alle alles iets niets vandaag morgen gisteren
    dank bedankt nu gaat gaan doen doe er te om door tegen zonder tot heel veel goed mag weet vind`),
  pl: wordSet(`
    i w z na do od po za o u nie tak jest są był była było byli być mam masz ma mamy mają się że to ten ta te ci tego
    tej tym tych jak kiedy gdzie kto co czy dlaczego ale albo lub bo więc jeśli dla przez przy pod nad bez ja ty on ona
    ono my wy oni mnie ciebie jego jej nas was ich mój moja moje twój twoja swój już jeszcze bardzo też także wszystko
    wszyscy dziś dzisiaj jutro wczoraj teraz zawsze nigdy tylko proszę dziękuję dzień chcę chce mogę może można robić
    idę tu tutaj tam sobie mi ci go mu im które który która będzie będę`),
  id: wordSet(`
    yang dan di ke dari untuk dengan pada ini itu tidak bukan ada adalah akan sudah belum sedang bisa dapat harus mau
    ingin saya aku kamu anda dia kita kami mereka nya apa siapa kapan dimana mana mengapa kenapa bagaimana karena tetapi
    tapi atau jika kalau juga lagi sangat sekali semua setiap hari besok kemarin sekarang selalu pernah hanya saja lebih
    banyak sedikit orang oleh dalam luar atas bawah antara seperti sebagai agar supaya terima kasih tolong gak nggak
    enggak udah gimana gue lo banget dong sih kok aja buat sama kalo yg tdk dgn jangan para ia telah`),
  tr: wordSet(`
    ve bir bu şu o ben sen biz siz onlar beni seni onu bize size bana sana ona benim senin onun bizim sizin için ile
    ama fakat çünkü eğer gibi kadar daha çok az en de da ki mi mı mu mü ne nasıl neden niçin kim nerede hangi var yok
    değil evet hayır her hiç hep bugün yarın dün şimdi sonra önce olan olarak oldu olur olacak olsun etmek ediyor
    istiyorum lütfen teşekkürler teşekkür merhaba iyi güzel ya yani işte böyle şöyle bile sadece ancak göre kendi
    bunu şunu ise diye veya hem ediyorum var yapmak gerek`),
  sv: wordSet(
    'och att det är som en ett på av för med inte jag du han hon vi ni de har var den till om så men kan ska',
  ),
  da: wordSet(
    'og at det er som en et på af for med ikke jeg du han hun vi i de har var den til om så men kan skal hvad',
  ),
  no: wordSet(
    'og å at det er som en et på av for med ikke jeg du han hun vi dere de har var den til om så men kan hva',
  ),
  fi: wordSet('ja on ei se että en hän minä sinä me te he oli mutta kun niin kuin mitä tämä ovat olen voi myös vain'),
  cs: wordSet(
    'a je se na že v to s z jsem jsi jsme není ale jak co když pro tak už by být si ve do od mi ten ta která',
  ),
  ro: wordSet('și este în la de pe cu nu că să un o mai am ai are sunt pentru din ce care dar eu tu el ea noi voi cum'),
  hu: wordSet('a az és hogy nem is egy van volt meg de ez azt csak én te ő mi ti ők már mint ha vagy nagyon kell itt'),
  vi: wordSet('và của là có không được cho một những này tôi bạn anh em chúng người để với trong khi đã sẽ rất cũng'),
  tl: wordSet('ang ng sa mga na ay at ako ikaw siya kami tayo sila ko mo niya hindi ba po para kung ito iyan lang din'),
  sw: wordSet(
    'na ya wa kwa ni za la katika hii hiyo huo yake wake kama sana lakini pia ili mimi wewe yeye sisi hapana',
  ),
};

/** Hindi in Latin letters. */
export const romanisedHindi = wordSet(`
  hai hain nahi nahin nhi kya kyu kyun kyon mera meri mere tera teri tere tum tumhe tujhe mujhe hum hamara aap apna apni
  apne kar karo karna karta karte raha rahi rahe ho hua hui gaya gayi gaye tha thi bhai yaar kuch aur lekin magar abhi
  bahut bohot accha acha theek thik bhi ka ki ke ko mein kaise kaisa kahan kab jab wala wali wale sab chahiye hoga hogi
  kal aaj ghar paisa paise dost pyar pyaar matlab sirf bas arre haan ji namaste koi woh yeh isko usko mat dunga deta
  dena lena jao aao bolo bata batao suno dekho yahan wahan phir toh agar kyunki`);

/** Arabic in Latin letters, with the digits that stand for letters that Latin has none for. */
export const romanisedArabic = wordSet(`
  ana enta enti inta inti ente howa heya hwa hya ehna e7na ento homma mesh mish msh mafi mafish feeh ma3lesh ma3
  3ala 3la 3an 3and 3andi 3shan 3ashan ya3ni ya3ny habibi 7abibi habibti 7abibti inshallah nshallah wallah wallahi walla
  yalla shu shou sho eh eih leh lesh leish keef kif kifak kifik ezayak ezayek ezay izayak kol kul kil hala2 halla2 bokra
  bukra bukara hayda haida hada hadi keda kda awy awi delwa2ty dilwa2ti 3ayez 3ayza 3awez bdi beddi baddi wayn wain
  feen fein shlonak shlonik zain tayeb tayyib aywa aiwa la2 7aram haram 7ayati akhi a5i khalas 5alas kteer
  ktir keteer alhamdulillah el7amdolelah sa7 sa7bi ya rab rabena enno inno ele elli illi lama lamma ba3d ba3den`);

/** Words of programs: what holds them is read as English. */
export const programWords = wordSet(`
  const let var function return import export class public private static void int string boolean null undefined true
  false async await def self print println printf echo elif else while switch case break continue try catch
  finally throw
  raise lambda struct enum interface type extends implements select where insert update delete join group order table
  console log error warn debug require module include define npm install run test build git commit push http https`);
