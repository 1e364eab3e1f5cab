const wholeText = 0x81
const twoBytes = 126
const eightBytes = 127

/** A whole text message as a server puts it on a WebSocket: the same bytes for everybody, so that they are made once. */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload
  if (length < twoBytes) return Buffer.concat([Buffer.from([wholeText, length]), payload])
  if (length < 2 ** 16) {
    const head = Buffer.from([wholeText, twoBytes, 0, 0])
    head.writeUInt16BE(length, 2)
    return Buffer.concat([head, payload])
  }
  const head = Buffer.alloc(10)
  head.set([wholeText, eightBytes])
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}
