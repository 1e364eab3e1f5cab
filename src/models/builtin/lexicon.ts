/**
 * The words that rules go by. Each list holds words and phrases in English, German, French and Spanish, separated by
 * commas, and in `cjk` Chinese ones, found as they stand. A phrase matches word by word after stemming.
 */
export interface Wordlist {
  words: string
  cjk: string
}

export const urgent: Wordlist = {
  words: `urgent, urgently, urgency, asap, as soon as possible, as soon as you can, as quickly as possible, straight away, without delay, immediately, immediate, right away, at once, emergency,
    critical, high priority, top priority, highest priority, before everything else, overdue, past due, final notice,
    last reminder, final reminder, time sensitive, p0, sev1, sev 1, dringend, dringende, dringender, dringendes, eilig,
    eilt, sofort, umgehend, unverzüglich, so schnell wie möglich, schnellstmöglich, so bald wie möglich, noch heute, notfall, überfällig, letzte mahnung,
    urgente, urgentes, urgents, urgence, immédiatement, au plus vite, dès que possible, en retard, inmediatamente, lo antes posible,
    cuanto antes, emergencia, vencida`,
  cjk: '紧急, 緊急, 加急, 火急, 特急, 十万火急, 尽快, 儘快, 立即, 马上, 赶紧, 立刻, 刻不容缓, 逾期, 已过期, 至急',
}

export const important: Wordlist = {
  words: `important, importance, priority, priorities, wichtig, wichtige, wichtiger, wichtiges, priorität, importante,
    importantes, importants, prioridad, priorité`,
  cjk: '重要, 优先, 優先',
}

export const deadline: Wordlist = {
  words: `deadline, due, due date, cutoff, cut off, expires, expiry, expiring, no later than, end of day, eod, cob,
    frist, fällig, fälligkeit, abgabe, abgabetermin, einsendeschluss, stichtag, spätestens, läuft ab,
    échéance, date limite, au plus tard, délai, fecha límite, plazo, vence, vencimiento, a más tardar`,
  cjk: '截止, 到期, 期限, 限期, 最晚, 最迟, 交付日, 締切, 截稿',
}

export const meeting: Wordlist = {
  words: `meeting, meet, review, call, appointment, standup, stand up, sync, interview, workshop, webinar, conference,
    kickoff, demo, retro, retrospective, session, invitation, besprechung, termin, sitzung, treffen, telefonat, réunion,
    rendez vous, entretien, reunión, cita, entrevista`,
  cjk: '会议, 會議, 开会, 開會, 评审, 評審, 面试, 面試, 例会, 周会, 约见, 会面, 电话会, 打ち合わせ',
}

export const moved: Wordlist = {
  words: `moved, move to, moves to, rescheduled, reschedule,
    postponed, postpone, pushed back, pushed to, brought forward, delayed, delay, new date, new time, change of plan,
    changed to, slipped, extended, verschoben, verschiebt, verlegt, vorgezogen, verzögert, verzögerung, neuer termin,
    reporté, reportée, déplacé, déplacée, décalé, décalée, avancé, avancée, aplazado, aplazada, pospuesto, pospuesta,
    retrasado, cambiado a, cambiada a`,
  cjk: '改到, 改为, 改在, 改至, 推迟, 推遲, 延期, 延后, 延至, 提前到, 提前至, 提前, 顺延, 变更, 改期, 調整為, 调整为, 调整到, 延迟',
}

export const cancelled: Wordlist = {
  words: `cancelled, canceled, cancel, cancellation, called off, will not take place, abgesagt, storniert, entfällt,
    fällt aus, annulé, annulée, annulation, cancelado, cancelada, anulado`,
  cjk: '取消, 作废, 不再举行, 中止',
}

export const blocked: Wordlist = {
  words: `blocked, blocker, blocking, stuck, waiting for, waiting on, on hold, blockiert, blockade, wartet auf,
    warten auf, bloqué, bloquée, en attente, bloqueado, bloqueada, a la espera`,
  cjk: '阻塞, 受阻, 卡住, 卡在, 阻碍, 搁置, 等待, 挂起',
}

export const unblocked: Wordlist = {
  words: `unblocked, unblock, no longer blocked, resolved, is live, back online, nicht mehr blockiert, entsperrt,
    freigegeben, behoben, débloqué, débloquée, résolu, résolue, desbloqueado, desbloqueada, resuelto, resuelta`,
  cjk: '解除阻塞, 不再阻塞, 已解除, 已解决, 已恢复, 已解鎖, 已上线, 疏通',
}

export const status: Wordlist = {
  words: `status, in progress, done, completed, finished, approved, rejected, signed, started, on track, at risk, off track,
    in arbeit, erledigt, abgeschlossen, fertig, genehmigt, abgelehnt, unterschrieben, en cours, terminé, terminée,
    approuvé, en curso, terminado, terminada, aprobado, rechazado, estado`,
  cjk: '状态, 狀態, 进行中, 已完成, 已批准, 已拒绝, 完成, 进度, 已签',
}

export const request: Wordlist = {
  words: `please, could you, can you, would you, will you, let me know, need you to, we need, action required, your input, your feedback,
    your approval, your review, your signature, your decision, your answer, your reply, get back to me, bitte,
    könnten sie, könntest du, kannst du, können sie, gib bescheid, rückmeldung, brauchen wir, merci de, pourriez vous,
    pouvez vous, peux tu, veuillez, por favor, podrías, puedes, podría`,
  cjk: '请, 請, 麻烦, 能否, 可否, 是否可以, 帮忙, 需要你, 需要您, 请回复, 请确认, 说一声, 给我答复, 回个话, お願い',
}

export const mention: Wordlist = {
  words: `waiting for you, waiting on you, assigned to you, assigned to me, mentioned you, needs your, wait for your,
    waiting for your, owner me, dir zugewiesen, ihnen zugewiesen, wartet auf dich, wartet auf sie, vous a mentionné,
    te mencionó, asignado a ti`,
  cjk: '提到了你, 提及了你, 分配给你, 指派给你, 等你, 等您, 等待你, 等待您, 负责人：我, 负责人: 我, @我',
}

export const failure: Wordlist = {
  words: `failed, failing, fail, failure, error, exception, crash, crashed, broken, outage, incident, is down, went down, are down, unreachable, disconnected,
    timed out, timeout, regression, rolled back, rolling back, rollback, gave up, aborted, out of memory, no space left, disk full, corrupt, corrupted, checksum mismatch, login expired, expired token, fehlgeschlagen, fehler, ausfall, ausgefallen, abgestürzt, gescheitert,
    nicht erreichbar, störung, gestört, abgebrochen, zurückgerollt, échec, échoué, erreur, panne, en panne, fallo, falló, fallado, fallida, caído, caída`,
  cjk: '失败, 失敗, 错误, 錯誤, 故障, 崩溃, 宕机, 异常, 中断, 报错, 掉线, 出错, 回滚, 内存不足, 磁盘已满, 停机, 损坏',
}

export const todo: Wordlist = {
  words: `todo, to do list, action item, action items, follow up, next step, next steps, fixme, aufgabe, zu erledigen, à faire, por hacer, pendiente`,
  cjk: '待办, 待辦, 行动项, 跟进, 下一步, 需处理, 待处理',
}

export const passed: Wordlist = {
  words: `all checks passed, checks passed, all checks have passed, checks have passed, build passed, build succeeded, build is green, build successful,
    all tests passed, tests passed, pipeline passed, pipeline succeeded, all green, completed successfully, finished successfully,
    succeeded, was successful, deployed successfully, backup completed, erfolgreich abgeschlossen, erfolgreich, avec succès, réussi,
    con éxito, exitosamente`,
  cjk: '构建成功, 構建成功, 检查通过, 全部通过, 测试通过, 部署成功, 备份完成, 执行成功, 已成功',
}

export const nothingToDo: Wordlist = {
  words: `nothing to do, no action required, no action needed, no action is required, no action is needed, no further action, for your information only,
    no reply needed, kein handlungsbedarf, nichts zu tun, keine aktion erforderlich, keine antwort nötig, aucune action requise, rien à faire,
    ninguna acción, nada que hacer`,
  cjk: '无需操作, 无需处理, 不需要处理, 无须操作, 无需回复, 仅供参考, 無需操作',
}

export const bulk: Wordlist = {
  words: `unsubscribe, list unsubscribe, manage your preferences, email preferences, view in browser, view this email in your browser, newsletter, weekly digest,
    terms of service, privacy policy, abmelden, abbestellen, im browser ansehen, im browser anzeigen, désabonner, désinscrire, se désinscrire,
    darse de baja, cancelar suscripción`,
  cjk: '退订, 退訂, 取消订阅, 在浏览器中查看, 隐私政策, 服务条款',
}

export const marketing: Wordlist = {
  words: `limited time, last chance, special offer, exclusive offer, discount, sale ends, flash sale, off everything, buy now, shop now, free shipping,
    don t miss, rabatt, sonderangebot, jetzt kaufen, nur heute, offre spéciale, soldes, oferta especial, descuento`,
  cjk: '限时, 特惠, 优惠, 折扣, 促销, 抢购, 满减, 立即购买',
}

export const receipt: Wordlist = {
  words: `your receipt, receipt for, payment received, payment confirmation, thank you for your order, thanks for your order, order confirmation,
    order confirmed, has shipped, has been shipped, out for delivery, was delivered, zahlungseingang, zahlungsbestätigung, bestellbestätigung, versandbestätigung,
    ihre bestellung, wurde versandt, confirmation de commande, reçu de paiement, confirmación de pedido, recibo de pago`,
  cjk: '收据, 付款成功, 支付成功, 订单确认, 已发货, 电子发票已开具, 已签收',
}

/** How a text turns to the assistant and away from the user: such a line signals nothing, whatever it says of itself. */
export const toAssistant: Wordlist = {
  words: `note to ai, note to the ai, note for ai, message to ai, message for ai, instructions for ai, instruction to ai, attention ai, dear ai assistant,
    an die ki, hinweis für ki, note à l ia, nota para la ia`,
  cjk: 'AI 助手请, AI助手请, 智能助手请, 给智能助手, 给 AI 助手, 给AI助手',
}

export const autoReply: Wordlist = {
  words: `out of office, automatic reply, auto reply, autoreply, automatically generated reply, i am on vacation, i m on vacation, am currently on vacation, abwesenheitsnotiz, automatische antwort,
    nicht im büro, absence du bureau, réponse automatique, fuera de la oficina, respuesta automática`,
  cjk: '自动回复, 自動回覆, 不在办公室, 休假中',
}
