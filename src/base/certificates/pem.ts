/** One block of a PEM text: the label in its first line, and its content in base64. */
export interface PemBlock {
  readonly label: string
  readonly base64: string
  readonly hasHeaders: boolean
}

const block = /-----BEGIN ([A-Z0-9 ]{1,64})-----\r?\n([^-]*)-----END \1-----/g
/** Begins where Go's lines begin. With the flag `m` one would begin at every carriage return, too. */
const header = /(?:^|\n)[^\n:]*:[^\n]*/g

/** The blocks of a text, in order. Text between them is ignored. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(block)].map(([, label = '', content = '']) => {
    const base64 = content.replace(header, '').replace(/\s/g, '')
    return { label, base64, hasHeaders: content.includes(':') }
  })
}

export function pemText(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
