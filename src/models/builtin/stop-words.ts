import { words } from './words.ts'

/** Words that say nothing about what a text is about, in English, German, French and Spanish. */
export const stopWords: ReadonlySet<string> = new Set([
  ...'abcdefghijklmnopqrstuvwxyz',
  ...words(`the and or but if then than that this these those there here is are was were be been being am do does did done has have had
    having will would shall should can could may might must of in on at by for from to with without into onto about over under up
    down out off as it its he she they them his her their our your you we us me my mine yours ours who whom whose which what when
    where why how all any some no not nor only own same so too very just also again more most other such each every both few let
    there s t re ve ll don
    der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als dass ist sind war waren sein wird werden
    hat haben hatte kann können soll sollen muss müssen im am an auf aus bei bis für mit nach von vom vor zu zum zur über unter
    durch um ohne gegen er sie es wir ihr ich mich mir mein meine meinem meiner dein deine unser unsere euch uns nicht auch nur
    noch schon sehr mehr alle alles jede jeder jedes was wer wie wo ob
    le la les un une des du de et ou mais si dans sur sous pour par avec sans est sont etait ce cet cette ces il elle ils elles nous
    vous je tu mon ma mes ton ta tes son sa ses notre votre leur qui que quoi dont au aux ne pas plus tout tous toute toutes
    el los las una unos unas y o pero en del al con por para es son fue era se su sus mi mis lo le les como mas ya no sí qué cuando
    todo todos toda todas`),
])
