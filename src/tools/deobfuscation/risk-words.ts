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
