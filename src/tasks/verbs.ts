/**
 * What a word at the head of a clause asks for, in English and German:
 * - `act` changes something;
 * - `either` changes something, unless what follows shows that it is a noun ("commit history");
 * - `name` is a noun more often than not, and changes something only before an object ("post the news");
 * - `tell` reaches somebody; when that is the user, nothing is changed;
 * - `record` makes a text, and changes something only when the words say where to put it;
 * - `gather` does too, but an "in" behind it says where to look, so only "into" says where to put it;
 * - `read` looks.
 */
type VerbKind = 'act' | 'either' | 'name' | 'tell' | 'record' | 'gather' | 'read'

const english: Record<VerbKind, string> = {
  act: `accept add append approve assign buy cancel confirm create decline delete disable enable enroll erase insert
    install modify overwrite pay postpone prepend publish reassign rebook reboot redeploy register reject remove rename reply
    reschedule resend reserve resolve respond restart restore resubmit revert revoke rewrite sell send settle submit subscribe
    unblock uninstall unlock unmute unpin unsubscribe upload wipe`,
  either: `archive commit deploy edit empty fix forward invite merge mute push renew repair replace rotate snooze tidy upgrade`,
  name: `apply backup ban block book change charge clear close comment copy download email file format grant label lock mail move
    order pin post purchase purge rate refund release rent schedule set share sign star start stop sync tag transfer tweet update`,
  tell: `alert ask call congratulate contact dm inform message notify phone ping remind tell text thank warn`,
  record: `document jot keep log maintain note put record save store write`,
  gather: `build collect compile compose draft dump export extract gather generate list make prepare produce summarise
    summarize track`,
  read: `analyse analyze check compare count describe detect estimate evaluate examine explain explore find flag get give
    highlight identify inspect let listen look monitor observe open prioritise prioritize rank read report research review run
    scan search see show sort suggest translate verify view watch`,
}

const germanImperatives: Record<VerbKind, string> = {
  act: `akzeptiere aktiviere aktualisiere antworte archiviere beantrage beantworte bearbeite begleiche benenne bestelle
    bestätige bezahle blockiere buche deaktiviere deinstalliere entferne ersetze genehmige installiere kaufe kündige lehne lösche
    poste reserviere schick schicke sende storniere teile überweise veröffentliche verschicke verschiebe versende zahle`,
  either: '',
  name: 'miete starte stoppe',
  tell: 'benachrichtige erinnere frag frage informiere kontaktiere mahne sag sage warne',
  record: 'dokumentiere führe halte notiere protokolliere schreib schreibe speichere vermerke',
  gather: 'erstelle fass fasse sammle',
  read: 'analysiere beobachte berichte durchsuche finde lies liste prüfe schau suche überprüfe überwache vergleiche zeig zeige',
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

const kinds = new Map<string, VerbKind>()
for (const language of [english, germanImperatives])
  for (const kind of Object.keys(language) as VerbKind[])
    for (const word of words(language[kind])) kinds.set(word, kind)

export const kindOf = (word: string): VerbKind | undefined => kinds.get(word)

const writeInfinitives = new Set([
  ...words(germanImperatives.act).map((imperative) =>
    imperative.endsWith('e') ? `${imperative}n` : `${imperative}en`,
  ),
  ...words(`abbestellen abschicken absagen anlegen anrufen aufräumen ausschalten benachrichtigen eintragen einschalten
    erinnern hinzufügen hochladen informieren umbenennen weiterleiten zurückschicken zusagen`),
])

/** True for a German infinitive that asks for a change, as it closes a title ("Stromrechnung bezahlen"). */
export const isWriteInfinitive = (word: string): boolean => writeInfinitives.has(word)

/** Nouns that make a noun of the `either` or `name` before them: "deploy status", "book club". */
export const compoundNouns: ReadonlySet<string> = new Set(
  words(`address addresses analysis archive chain club codes confirmation confirmations conflict conflicts count counts date
    dates deadline deadlines entries errors failures fees history id ids index links list lists log logs messages metrics names
    notes notices notifications numbers overview pages policy prices queue rate rates reminders report reports request requests
    results review reviews rules schedule size sizes statistics stats status statuses summary templates threads times titles
    totals traffic trends volume`),
)

/** Nouns that make a noun even of a word that is a verb everywhere else: "delete button". */
export const technicalNouns: ReadonlySet<string> = new Set(
  words('base button buttons count counts culture metrics rate rates statistics stats usage'),
)

/** Whole openings that ask for a change, though their first word alone does not. */
export const writePhrases: readonly RegExp[] = [
  /^(?:back|clean|clear|tidy) .*\bup\b/,
  /^(?:turn|switch) (?:.+ )?(?:on|off|down|up)\b/,
  /^shut (?:.+ )?down\b/,
  /^(?:sign up|set up|fill (?:in|out)|hand (?:over|in)|roll back|take down|throw (?:away|out)|get rid of|kick off|log out)\b/,
  /^get back to (?!me\b|us\b)/,
  /^follow up with\b/,
  /^apply for\b/,
  /^reach out to\b/,
  /^(?:make|place) (?:an?|the|my|our) (?:\w+ )?(?:appointment|backup|bid|booking|call|donation|order|payment|purchase|reservation|transfer)\b/,
  /^give (?!me\b|us\b).+ (?:access|permissions?|rights)\b/,
  /^let (?!me\b|us\b).{1,60} know\b/,
  /^keep (?!me\b|us\b|an eye\b|track\b).+ (?:up[- ]to[- ]date|in sync|updated|informed|tidy|empty)\b/,
  /^mark .+ (?:as|done|read|unread)\b/,
  /^open an? (?:new )?(?:bug|case|issue|pr|pull request|request|task|ticket)\b/,
  /^(?:run|launch|execute|trigger) (?:the|an?|my|our|all|every)\b(?!.*\b(?:analysis|check|query|report|review|scan|search)s?\b)/,
  /^(?:leave|drop) .*\b(?:comment|line|message|note|reply|review)\b/,
  /^write (?:to|back to) (?!me\b|us\b)/,
  /^write (?!me\b|us\b|up\b|down\b|an?\b|the\b)(?:\S+ ){1,3}(?:an?|the) (?:e-?mail|letter|message|note|reply)\b/,
  /^report .*\bto (?!me\b|us\b)(?:the team|our team|my boss)\b/,
  /^füge .+ hinzu$/,
  /^(?:trage|schalte) .+ (?:ein|aus|ab)$/,
  /^lade .+ (?:hoch|herunter|runter)$/,
  /^leite .+ weiter\b/,
  /^räume .+ auf$/,
  /^(?:melde|sage?) .+ (?:ab|zu|an)$/,
  /^lege? .+ (?:ab|an)$/,
  /^rufe? (?!mich\b|uns\b).+ an$/,
  /^(?:gib|sage?) (?!mir\b|uns\b).+ (?:bescheid|frei)$/,
  /^vereinbare (?:ein|den|das)/,
  /^schreibe? (?:an (?!mich\b|uns\b)|(?!mir\b|uns\b|eine?n?\b)\S.* (?:e-?mail|mail|nachricht|antwort|brief)\b)/,
  /^(?:erstelle|mache?|lege?) (?:ein|eine|einen|das|die|den) (?:\S+ )?(?:aufgabe|backup|datei|issue|konto|ordner|rechnung|seite|termin|ticket)\b/,
]

/** Whole openings that only look, though their first word alone would change something. */
export const readPhrases: readonly RegExp[] = [
  /^pay (?:attention|gap|heed|slips?|stubs?)\b/,
  /^add (?:up|together)\b/,
  /^(?:confirm|tell|resolve) (?:that|whether|if|when|how|who|which|what|why)\b/,
  /^(?:start|stop) (?:by|with|watching|looking|checking|reading|telling|showing)\b/,
  /^call out\b/,
  /^(?:create|add|make|build) (?:(?:an?|the|my|our|me) )?(?:[\w-]+ ){0,3}?(?:analysis|breakdown|briefing|checklist|comparison|digest|draft|list|outline|overview|plan|ranking|recap|report|summary|table|timeline)\b(?! (?:item|entry|page))/,
]
