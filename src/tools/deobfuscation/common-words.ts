/**
 * Words that people disguise when they write to get past a filter. They are here to be recognised behind a disguise:
 * the words alone decide nothing.
 */
export const riskWords = `
abuse acid adderall ammo ammonia ammonium anal anthrax arson arsenic asphyxiate ass assassin assassinate asshole assault aryan
bastard beast beat behead bestiality bitch bleach bleed bomb bomber botnet botulinum bribe bullet bully butcher cancer carfentanil
cartel cartridge cheat chemical child chink chlorine choke cocaine cocksucker coke counterfeit crack credit cum cunt cyanide
cripple cyber ddos dead deadly death dealer decapitate detonate detonator die disabled disgusting drown drug drugs dynamite dyke ecstasy
ejaculate erotic escort ethnic execute exploit explode explosion explosive explosives extort extremist fag faggot faggots fake
fascist fentanyl filth filthy firearm forge fraud fuck fucker fucking gang gay gays genocide ghost grenade groom gun gunpowder guns
hack hacker hate hang harass harm heist hentai heroin hijack hitler holocaust hooker hostage hurt illegal immigrant immigrants
incest infect inject injure intruder isis islam jew jewish jews jihad jihadi kidnap kike kill killed killer killing knife launder
laundering lesbian lgbt lolita loot lynch malware marijuana massacre masturbate meth methamphetamine mob molest molotov money
morphine mosque murder murderer muslim muslims mutilate naked napalm nazi nazis nerve nigga nigger niggers nude nudes nuke
nuclear opium orgasm overdose paki passport password payload pedo pedophile penis phish phishing pills pipe pimp piss poison
porn porno pornography precursor prey prostitute pussy queer racist ransom ransomware rape raped rapist razor refugee retard
retarded rifle riot rob robbery rootkit sadist sarin scam scum sex sexual sexy shit sick shoot shooter shooting silencer slaughter
slave slit slur slut sluts smuggle sniper spic spyware stab stalk steal stupid steroids strangle strip suicide suicidal suffocate
swastika terror terrorism terrorist terrorists thermite threaten tits tnt torture toxic toxin traffic trafficking tranny
trannies trash trans transgender traitor troll underage vagina vaccine vermin viagra victim vile violate violence violent virus vx wank
weapon weapons weed whore whores worm wound xanax
`;

/** Frequent English words: enough to tell English from a cipher, not a dictionary. */
export const commonWords = `
a able about above accept access according account across act action activity actually add address after again against age ago
agree ahead air all allow almost alone along already also although always am among amount an and animal another answer any
anybody anyone anything apart appear apply approach are area argue arm army around arrive art article as ask at attack attempt
attention author available avoid away baby back bad bag balance ball bank bar base be bear beat beautiful became because become
bed been before began begin behavior behind being believe below best better between beyond big bill bird birth bit black blog
blood blue board boat body book born both bottom box boy brain bread break bring brother brown brought build building built
burn bus business but buy by call came camera campaign can cannot capital car card care career carry case cat catch caught
cause cell center central century certain certainly chair challenge chance change character charge cheap check child children
choice choose church citizen city claim class clean clear clearly close clothes code coffee cold collection college color come
common community company compare computer concern condition conference consider contain content continue control cook cool copy
cost could country couple course court cover create crime cultural culture cup current customer cut cute dark data date daughter
day dead deal dear death debate decade decide decision deep defense degree describe design despite detail determine develop
development did die difference different difficult dinner direction director directions discover discuss disease do doctor does
dog done door doubt down draw dream dress drink drive drop during each early earth easily east easy eat economic economy edge
education effect effort eight either election else email employee empty end energy engine english enjoy enough enter entire
environment especially establish even evening event ever every everybody everyone everything evidence exactly example except
exist expect experience expert explain eye face fact fail fall false family famous far farm fast father fear feel feeling feet
fell felt female few field fight figure file fill film final finally financial find fine finger finish fire firm first fish
five floor flower fly follow food foot for force foreign forget form former forward found four free freedom friend friendly from
front full fun fund future game garden gas gave general generation get girl give given glad glass go goal god going gold gone
good got government great green ground group grow growth guess guide guy had hair half hand hang happen happy hard has hate have
he head health hear heard heart heat heavy held hello help her here herself hi hidden high him himself his history hit hold
holiday home hope horse hospital hot hotel hour house how however huge human hundred husband i idea identify if ignore image
imagine impact important improve in include including increase indeed indicate individual industry information inside instead
instruction instructions interest interesting international internet interview into investment involve is island issue it item
its itself job join jump just keep kept key kid kids kind kitchen knew know knowledge known lack land language large last late
later laugh law lawyer lay lead leader learn least leave led left leg legal less let letter level library lie life light like
likely line list listen literally little live living local long look lord lose loss lost lot love low lower luck lunch machine
made magazine main maintain major make male man manage management manager many map mark market marriage material matter may
maybe me mean means measure meat media medical medicine meet meeting member memory men mention message met method middle might
mile military milk million mind minute miss model modern mom moment money month moon more morning most mother mouth move movement
movie much music must my myself name nation national natural nature near nearly necessary need neighbor network never new news
newspaper next nice night nine no nobody none nor normal north not note nothing notice now number occur of off offer office
officer official often oh oil ok old on once one online only onto open operation opportunity option or orange order organization
other others our out output outside over own owner page pain paint paper parent park part particular partner party pass past
path patient pay peace people per perfect perform perhaps period person personal phone photo physical pick picture piece place
plan planet plant play player please point policy political politics poor popular population position possible power practice
prepare present president press pressure pretty prevent previous price print private probably problem process produce product
production professional professor program project prompt property protect prove provide public pull purpose push put quality
question questions quick quickly quiet quite race radio rain raise ran range rate rather reach read ready real reality realize
really reason receive recent recently recipe recognize record red reduce reflect regarding relate relationship religious remain
remember remove repeat reply report represent require research resource respond response rest result return reveal rich ride
right rise risk river road rock role room round rule run safe safety said sale same san save saw say scene school science
scientist score sea season seat second secret section security see seek seem seen sell send senior sense sent sentence series
serious serve service set seven several shake shall share she ship shop short should shoulder show shut sick side sign silver
similar simple simply since sing single sister sit site situation six size skill skin sky sleep slow small smart smile snow so
social society soft software soldier some somebody someone something sometimes son song soon sorry sort sound source south space
speak special specific speech spend sport spring stage stand standard star start state statement station stay step still stock
stone stop store story street strong structure student study stuff style subject success successful such suddenly suffer suggest
summer sun support sure surface system table take talk task tax teach teacher team technology tell ten tend term test text than
thank thanks that the their them themselves then theory there these they thing things think third this those though thought
thousand threat three through throughout throw thus time to today together told tomorrow tonight too took tool top total touch
toward town trade traditional training travel treat treatment tree trial trip trouble true trust truth try turn type ugly under
understand unit until up upon us use user usually value various very victim video view village visit voice vote wait walk wall
want war warm was wash watch water way we wear weather web website week weight well went were west what whatever when where
whether which while white who whole whom whose why wide wife will win wind window winter wish with within without woman women
wonder wood word words work worker world worry worse would write writer writing wrong yard yeah year yellow yes yesterday yet
you young your yourself
`;
