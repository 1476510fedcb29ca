/** How a text looks inside of Base64, for one of the three ways in which it can lie across its groups of three bytes. */
export interface Base64Form {
  /** The characters that are the same whatever stands before and after. */
  readonly bytes: Buffer
  /** Decodes what begins with the text, when those characters were found at `at`. */
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
