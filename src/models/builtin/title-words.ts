import type { Wordlist } from './lexicon.ts'
import type { Bits } from './signals.ts'
import { words } from './words.ts'

/** What a title may ask for, as bits. */
export const Aspect = {
  urgent: 1 << 0,
  deadline: 1 << 1,
  dates: 1 << 2,
  moved: 1 << 3,
  cancelled: 1 << 4,
  blocked: 1 << 5,
  unblocked: 1 << 6,
  status: 1 << 7,
  failure: 1 << 8,
  question: 1 << 9,
  mention: 1 << 10,
  reply: 1 << 11,
  actionable: 1 << 12,
  /** "Changes", "updates": of something, or anything at all. */
  change: 1 << 13,
  mail: 1 << 14,
  files: 1 << 15,
  health: 1 << 16,
  overdue: 1 << 17,
  removal: 1 << 18,
} as const

/** Words of titles beside those that lines share. */
export const asked: readonly (readonly [Wordlist, Bits])[] = [
  [
    {
      words: `date, dates, schedule, calendar, appointments, milestone, milestones, termine, termin, termins, datum, daten, kalender,
        dates limites, calendrier, fechas, fecha, calendario`,
      cjk: '日期, 日程, 时间表, 时间安排, 排期, 日历',
    },
    Aspect.dates,
  ],
  [
    {
      words: 'postponements, delays, reschedulings, terminverschiebung, terminänderung, retards, retrasos',
      cjk: '变动, 更改时间',
    },
    Aspect.moved,
  ],
  [{ words: '', cjk: '恢复, 解除' }, Aspect.unblocked],
  [
    {
      words:
        'overdue, past due, überfällig, überfällige, überfälligen, überfälliges, en retard, vencido, vencida, vencidas',
      cjk: '逾期, 过期',
    },
    Aspect.overdue,
  ],
  [
    {
      words: `disappear, disappears, disappeared, vanish, vanishes, vanished, removed, deleted, deletion, deletions, removal, gelöscht, gelöschte,
        gelöschten, entfernt, entfernte, verschwindet, verschwunden, supprimé, supprimés, eliminado, eliminados`,
      cjk: '删除, 消失, 移除, 不见了',
    },
    Aspect.removal,
  ],
  [{ words: 'cancellations, absagen, annulations, cancelaciones', cjk: '' }, Aspect.cancelled],
  [
    {
      words:
        'status, progress, state, stand, done, finished, completed, complete, fortschritt, fertig, erledigt, état, avancement, terminé, estado, progreso',
      cjk: '状态, 狀態, 进度, 进展, 進展',
    },
    Aspect.status,
  ],
  [{ words: 'blockers, impediments, obstacles, hindernisse, blocages, bloqueos', cjk: '阻碍, 障碍' }, Aspect.blocked],
  [
    {
      words: `failures, failing, errors, problem, problems, issue, issues, red, alarm, alarms, outages, crashes, disconnection, disconnections, trouble, troubles, went wrong, goes wrong, go wrong, gone wrong,
        problem, probleme, problème, problèmes, störungen, ausfälle, erreurs, problema, problemas, errores, fallos`,
      cjk: '问题, 報錯, 告警, 报警, 警报',
    },
    Aspect.failure,
  ],
  [
    {
      words: `question, questions, requests, asks me, answer needed, needs an answer, needs a reply, need a reply, needs my reply, needs my answer,
        waiting for my reply, waiting for my answer, wait for my reply, waiting for a reply, waiting for an answer, auf antwort wartet, auf eine antwort wartet,
        warten auf antwort, warten auf eine antwort, warten auf meine antwort, waiting for me, fragen, frage, anfragen, demandes, preguntas, solicitudes`,
      cjk: '提问, 疑问, 问我的问题, 问我, 需要回复, 需要我回复, 在等我回复, 等我回复, 等我答复, 请求, 询问',
    },
    Aspect.question,
  ],
  [
    {
      words: 'mention, mentions, mentioned, mentioning, erwähnungen, erwähnt, mentionne, menciones',
      cjk: '提到, 提及',
    },
    Aspect.mention,
  ],
  [
    {
      words: 'reply, replies, response, responses, antworten, antwort, réponses, réponse, respuestas',
      cjk: '回复, 回信, 答复',
    },
    Aspect.reply,
  ],
  [
    {
      words: `actionable, action item, action items, todo, todos, to do, to dos, needs attention, need attention, needs my attention,
        need my attention, follow up, follow ups, needs action, aufgaben, zu tun, tâches, tareas`,
      cjk: '待办, 需要处理, 行动项, 需要我处理, 待处理, 需要关注',
    },
    Aspect.actionable,
  ],
  [
    {
      words: `change, changes, changed, changing, update, updates, updated, modified, modification, modifications, added, removed, deleted,
        created, edited, different, differences, änderung, änderungen, geändert, changements, modifié, cambios, cambiado`,
      cjk: '变化, 变动, 更新, 修改, 改动, 动态, 消息',
    },
    Aspect.change,
  ],
  [
    {
      words: `mail, mails, email, emails, e mail, e mails, inbox, mailbox, message, messages, postfach, posteingang, nachricht,
        nachrichten, courriel, courriels, courrier, boîte de réception, correo, correos, bandeja, mensajes`,
      cjk: '邮件, 郵件, 邮箱, 郵箱, 收件箱, 信件, 电邮, 来信, メール',
    },
    Aspect.mail,
  ],
  [
    {
      words:
        'file, files, document, documents, datei, dateien, dokument, dokumente, fichier, fichiers, archivo, archivos, documento, documentos',
      cjk: '文件, 文档, 檔案',
    },
    Aspect.files,
  ],
  [
    {
      words: 'skill, skills, connections, system health, local model, verbindungen, connexions, conexiones',
      cjk: '技能, 连接, 系统健康',
    },
    Aspect.health,
  ],
]

/** Words of a title that say what to do, not what it is about. */
export const titleVerbs: ReadonlySet<string> = new Set(
  words(`news new neues neuigkeiten nouveautés novedades check watch look looks keep eye track find search tell inform know remind notify alert report summarize summarise summary
    list show give get see compare go going through make sure pay attention collect digest scan monitor read anything something
    everything nothing item items thing things stuff latest newest recent recently incoming arrived arriving come comes today tomorrow
    yesterday tonight daily weekly week month day days every each morning evening related regarding concerning work works working
    happen happens happened goes went gets becomes turns upcoming future while during memory workspace folder folders directory please need needs needed want whether soon
    flag triage skim sort spot highlight identify detect observe follow handle extract pick catch channel chat thread queue feed system someone somebody anyone anybody people
    welche welcher welches meine meinen meiner gibt jemand wartet behalte behalten auge anstehende kommende nachsehen prüfe prüfen schau schaue schauen suche suchen sag sage melde melden zeige zeigen fasse zusammen zusammenfassen achte beobachte
    beobachten überwache lies durchsuche finde neu neue neuen neuer eingehende sachen dinge themen angelegenheiten heute morgen gestern täglich woche etwas alles ordner
    vérifie vérifier vérifiez regarde regarder surveille surveiller cherche chercher dis résume résumer nouveau nouveaux nouvelle nouvelles
    aujourd hui quelque chose tout dossier
    hay existe alguien revisa revisar mira mirar vigila vigilar busca buscar dime resume resumir nuevo nuevos nueva nuevas hoy algo carpeta avísame avisa`),
)

/** Words for what things are written in; beside another word they say little. */
export const containers: readonly string[] = words(
  'notes list page doc log sheet entry post notizen liste seite 日志 笔记 列表 清单',
)

const cjkVerbs =
  /即将到来|即将|盯着|找出|我去|前往|去往|检查|查看|查收|看看|看一下|关注|留意|监控|监视|注意|查找|寻找|搜索|告诉我|通知我|提醒我|汇报|报告一下|总结|归纳|整理|列出|显示|阅读|浏览|跟踪|追踪|是否|有没有|有无|有关|关于|相关|涉及|任务|所有|全部|任何|任何人|最新|新的|新|今天|昨天|明天|每天|每日|本周|这周|上周|下周|今日|事项|事情|内容|东西|情况|信息|里面|里|中的|中|的|了|和|与|及|或|在|从|到|给我|给|我|有|请|一下|是|把|将|被|对|需要|哪些|什么|人|谁|时|吗|確認|の|件|を|は|が/g

/** A Chinese title without the words that say what to do. */
export const withoutCjkVerbs = (title: string): string => title.replace(cjkVerbs, ' ')
