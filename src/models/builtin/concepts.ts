import { hasCjk, words } from './words.ts'

/** Words of several languages for one thing that people often ask about; each group is named by its first word. */
const groups = [
  'meeting meetings review call appointment standup sync interview session besprechung termin termine sitzung treffen réunion reunión cita 会议 会議 例会 周会 开会 评审 面试',
  'invoice invoices bill bills rechnung rechnungen facture factures factura facturas 发票 账单 發票 帳單',
  'payment payments pay paid zahlung zahlungen bezahlen paiement pago pagos 付款 支付 缴费',
  'contract contracts agreement vertrag verträge contrat contrats contrato contratos 合同 合約 协议',
  'offer offers quote quotation proposal angebot angebote offre offres oferta ofertas 报价 報價 提案',
  'build builds pipeline ci test tests checks 构建 測試 测试 流水线',
  'release releases launch launched rollout deployment deploy veröffentlichung lancement lanzamiento 发布 上线 部署 發佈',
  'customer customers client clients kunde kunden kundin cliente clientes 客户 顧客 客戶',
  'holiday holidays vacation leave urlaub ferien vacances congés vacaciones 假期 休假 请假',
  'travel trip flight flights itinerary train trains departure reise flug flüge zug züge bahn abflug abfahrt voyage vol viaje vuelo tren 航班 出差 机票 旅行 行程 火车 高铁',
  'order orders bestellung bestellungen commande commandes pedido pedidos 订单 訂單',
  'server servers host hosting serveur servidor 服务器 伺服器',
  'budget budgets haushalt presupuesto 预算 預算',
  'application applications applicant applicants bewerbung bewerbungen candidature candidatura 申请 求职',
]

const byWord = new Map<string, string>()
for (const group of groups) {
  const members = words(group)
  for (const member of members) byWord.set(member, `=${members[0]}`)
}

const cjkMembers = groups.flatMap((group) => group.split(' ')).filter(hasCjk)
const cjkMember = new RegExp(`(${cjkMembers.sort((a, b) => b.length - a.length).join('|')})`, 'g')

/** The text with its Chinese words for known things set apart, so that pairs of characters across their ends are no words. */
export const withThingsApart = (text: string): string => text.replace(cjkMember, ' $1 ')

/** What a word stands for: itself, or the thing that its group names. */
export const conceptOf = (word: string): string => byWord.get(word) ?? word
