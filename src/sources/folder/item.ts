import type { Item, ItemMark } from '../../domain/change.ts'
import { nameOf } from './key.ts'
import { mailFrom } from './mail.ts'
import { decodeText } from './text.ts'
import { firstHeading } from './title.ts'

const markdown = /\.(md|markdown|mdown|mkd|mkdn)$/i
const mail = /\.eml$/i

/** The item that a file of text is. */
export const itemOf = async (key: string, bytes: Buffer, mark: ItemMark, external: boolean): Promise<Item> => {
  const name = nameOf(key)
  const common = { key, link: key, external, mark }
  if (mail.test(name)) {
    const message = await mailFrom(bytes)
    if (message !== null) return { ...common, kind: 'mail', ...message, title: message.title ?? name }
  }
  const body = decodeText(bytes)
  const plain = { ...common, author: null, time: null, body }
  return markdown.test(name)
    ? { ...plain, kind: 'markdown', title: firstHeading(body) ?? name }
    : { ...plain, kind: 'file', title: name }
}
