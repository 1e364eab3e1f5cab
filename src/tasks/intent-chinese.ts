import type { TaskEffect } from '../domain/task.ts'
import { chineseCommandEffect } from './command-effects.ts'
import { plainFile } from './destination.ts'
import type { Asked } from './intent-clause.ts'

const traditional =
  '發刪預訂創轉郵給將請幫寫複覆購買關閉啟動歸檔傳從當時後個麼誰嗎沒檢總結報會議為記錄錄編輯復設聯繫標題團隊繳費賬帳過與並說點'
const simplified =
  '发删预订创转邮给将请帮写复复购买关闭启动归档传从当时后个么谁吗没检总结报会议为记录录编辑复设联系标题团队缴费账账过与并说点'
const simpler = new Map([...traditional].map((character, index) => [character, [...simplified][index] ?? character]))

const tells = '通知|提醒|告诉|告知|警告|感谢'
const sends =
  '发送|发给|发到|发至|发布(?!会)|发出|群发|推送|转发|转给|分享给|发(?=[一个条封份]|邮件|消息|短信|微信|信息|周报|日报|通知)|寄'
const changes = `回复|答复|支付|付款|付(?=[清掉给]|房租|账单)|缴纳|缴(?=[费清税电水])|转账|汇款|还款|充值|预订|预定|预约|订购|订(?=[一个张餐位票车房]|机票|酒店|会议室|外卖)|购买|采购|买(?!家|卖)|下单|删除|删掉|清空|清理|清除|移除|取消|退订|退款|订阅|创建|新建|建立|新增|添加|加入|加到|追加|更新|修改|编辑|改成|改为|重命名|移动|移到|挪到|归档|存档|备份|同步|合并|关闭|停用|启用|重启|停止|启动|部署|安装|卸载|批准|拒绝|邀请|联系|致电|打电话|安排|标记|设为|设置|锁定|打印|提交|上传|写入|写到|写进|记到|记录到|记在|保存|存到|放到|填写|报名|注册|签署|续费`
const looks =
  '总结|汇总|列出|列一|整理|比较|对比|翻译|分析|找出|查找|搜索|检查|查看|看看|看一|读|审阅|统计|监控|关注|跟踪|留意|说明|解释|概括|梳理'
/** Behind a verb, these make it an attribute, a noun, one of a list or a question: "取消的会议", "更新了哪些". */
const notVerb =
  '的|了(?!解)|过(?![期时去滤度])|率|量|失败|成功|和|与|或|及|、|是|有|吗|者|人(?![员事们])|方(?![案法向])|栏|表(?![格单])|冲突|记录|哪|什么|多少|谁|几|日志|历史|情况|次数|时间|进度(?!表)|状态(?!页)'

const writeVerb = `(?<![已被未没刚曾待])(?:${tells}|${sends}|${changes})(?!${notVerb}|给客户的)`
const startsWithWrite = new RegExp(`^(?:${writeVerb})`)
const anyVerb = new RegExp(`(?<write>${writeVerb})|(?:${looks})(?!的)`, 'g')
const toUser = new RegExp(`(?:${tells}|${sends}|发|发给|发送给)(?:给)?(?:我|我们|咱们)(?!的|们的)`)

const filler =
  /^(?:请你?|麻烦你?|帮忙|帮我们?|替我们?|为我们?(?=预|订|买|创|取)|务必|记得|别忘了|不要忘记|自动|立即|马上|及时|定期|先|再|也|就|则|都|你?需要|我(?:想|要|希望)你|希望你|能不能|可不可以|可以|能否|可否|能(?=帮)|最后|同时|另外|然后|(?:如)?有的话)\s*/
const time =
  /^(?:每(?:个?工作日|个?小时|天|日|晚|早|[周月年]|个?月|个?星期|季度|\d+(?:分钟|小时|天))[一二三四五六日天]?|工作日|(?:周|星期)[一二三四五六日天末]|早上|早晨|上午|中午|下午|傍晚|晚上|凌晨|今天|明天|后天|今晚|[本下]周|月[底初]|\d{1,2}[点:：]\d{0,2}分?半?|[一二三四五六七八九十]+点半?|\d+[号日月]|之?前|[,，\s])+/
const conditions = [
  /^(?:如果|如|若|要是|假如|当|每当|一旦|只要|每次|万一|有|收到|出现|发现)[^，。]*?(?:的话|就|则(?!表)|便)/,
  /^(?:如果|若|要是|当|每当|一旦|只要|每次|收到|出现|发现|完成)[^，。]*?(?:的时候|时(?![间候区数长刻段])|之后|后(?!台))/,
]
const negation = /^(?:不要|别|请勿|勿|禁止|切勿|不得|无需|不必|不用|避免|不)/
/** In front of "并", a subject or a question that the verb behind it belongs to. */
const subordinate = /谁|哪|是否|能否|如何|怎么|什么|多少|我们|用户|可以|能够/

/** What a Chinese title asks for, from the verb that leads each of its clauses, or follows 把, 给 and the like. */
export const askedInChinese = (title: string): Asked => {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(title)) return { write: false, effects: [] }
  const text = [...title.replace(/“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"/g, '“”')]
    .map((one) => simpler.get(one) ?? one)
    .join('')
  const asked: Asked = { write: false, effects: [] }
  for (const sentence of text.split(/[，,。；;！!\n]|然后|接着|随后/)) {
    if (/[吗呢么]?[？?]\s*$/.test(sentence) && !/^\s*(?:请|能|可)/.test(sentence)) continue
    let before = ''
    for (const part of sentence.split(/并且|(?<!合)并(?![不非行发列购])|再(?=[发给把将回删支付更创通转提归])/)) {
      if (!subordinate.test(before)) add(asked, askedByClause(withoutLead(part)))
      before += part
    }
  }
  return asked
}

const add = (to: Asked, more: Asked): void => {
  to.write ||= more.write
  to.effects.push(...more.effects)
}

const withoutLead = (part: string): string => {
  let rest = part.replace(/^[^\p{L}\p{N}]+/u, '').trim()
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(filler, '').replace(time, '')
    for (const condition of conditions) rest = rest.replace(condition, '')
  }
  return rest
}

const askedByClause = (clause: string): Asked => {
  if (negation.test(clause)) return { write: false, effects: [] }
  const file = chineseCommandEffect(clause) ?? fileEffect(clause)
  if (file !== undefined) return { write: true, effects: [file] }
  if (toUser.test(clause) || /^给我们?(?:发|推送|寄)/.test(clause))
    return { write: false, effects: [{ tool: 'notify', target: 'user' }] }
  return { write: leadsToWrite(clause), effects: [] }
}

const leadsToWrite = (clause: string): boolean => {
  if (/^让(?!我).{1,20}知道/.test(clause) || startsWithWrite.test(clause)) return true
  const verbs = [...clause.matchAll(anyVerb)]
  if (/^(?:把|将(?![来要会近]))/.test(clause)) return verbs.at(-1)?.groups?.write !== undefined
  if (/^(?:给|向|为|跟|和|与|替|对|从|在|用|通过)/.test(clause)) return verbs[0]?.groups?.write !== undefined
  return false
}

const path = String.raw`[\s\x60]*(?<path>[\p{Script=Latin}\p{N}_.\-/\p{Script=Han}]+\.[a-zA-Z][a-zA-Z0-9]*)(?![a-zA-Z0-9])[\x60]?(?!\s*(?:里面?|中|内)?的)`
const filePatterns: { pattern: RegExp; tool: string }[] = [
  { pattern: new RegExp(`(?:追加|添加|补充|记录|记|加)(?:到|在|进|入|至)${path}`, 'u'), tool: 'append_file' },
  {
    pattern: new RegExp(`^在${path}[\\s\\x60]*(?:文件)?(?:里面?|中|内|上)?(?:追加|添加|补充|记录|记下|写下)`, 'u'),
    tool: 'append_file',
  },
  { pattern: new RegExp(`(?:写|整理|汇总|保存|存|放)(?:到|在|进|入|至)${path}`, 'u'), tool: 'write_file' },
  { pattern: new RegExp(`^(?:更新|修改|编辑|创建|新建)(?:文件)?${path}`, 'u'), tool: 'write_file' },
]

const fileEffect = (clause: string): TaskEffect | undefined => {
  for (const { pattern, tool } of filePatterns) {
    const target = plainFile(pattern.exec(clause)?.groups?.path ?? '')
    if (target !== undefined) return { tool, target }
  }
  return undefined
}
