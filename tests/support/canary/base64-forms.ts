/** The form of a text inside Base64, for one of its three possible alignments to groups of three bytes. */
export interface Base64Form {
  /** The characters that do not depend on the bytes before and after. */
  readonly bytes: Buffer
  /** Decodes the data that begins with the text, if those characters were found at `at`. */
  readonly valueAt: (bytes: Buffer, at: number) => string
}

export function base64Forms(text: string, decodedLength: number): readonly Base64Form[] {
  return [0, 1, 2].map((bytesBefore) => {
    const charactersBefore = Math.ceil((bytesBefore * 8) / 6)
    const whole = Buffer.from('x'.repeat(bytesBefore) + text).toString('base64')
    const length = Math.ceil(((bytesBefore + decodedLength) * 8) / 6)
    return {
      bytes: Buffer.from(whole.slice(charactersBefore, Math.floor(((bytesBefore + text.length) * 8) / 6))),
      valueAt: (bytes, at) => {
        const start = at - charactersBefore
        if (start < 0) return ''
        return Buffer.from(bytes.toString('latin1', start, start + length), 'base64').toString('latin1', bytesBefore)
      },
    }
  })
}
