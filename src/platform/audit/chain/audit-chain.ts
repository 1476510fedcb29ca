import { type ChainLink, chainStart, linkedLine, readLink } from './chained-line.ts'

const newline = 0x0a
const nothing = Buffer.alloc(0)

/** Lines of one log, each with a hash over all lines before it. */
export class AuditChain {
  #head: ChainLink = chainStart
  /** A partial line that a crash left behind. The next line covers it with its hash. */
  #torn: Buffer = nothing

  get head(): ChainLink {
    return this.#head
  }

  /** Continues the chain after the end of a file. Returns the text to write before the next line. */
  continueAfter(end: Buffer): string {
    const isWhole = end.length === 0 || end.at(-1) === newline
    const ended = isWhole ? end : Buffer.concat([end, Buffer.of(newline)])
    const last = lastLinked(ended)
    this.#head = last?.link ?? (end.includes(newline) ? chainStart : this.#head)
    this.#torn = ended.subarray(last?.end ?? end.lastIndexOf(newline) + 1)
    return isWhole ? '' : '\n'
  }

  /** Returns the lines in the form to be written. They join the chain when `written` is called. */
  link(lines: readonly string[]): { readonly text: string; written(): void } {
    let [head, between] = [this.#head, this.#torn]
    let text = ''
    for (const line of lines) {
      const linked = linkedLine(line, head, between)
      head = linked.link
      between = nothing
      text += linked.text
    }
    return {
      text,
      written: () => {
        this.#head = head
        this.#torn = between
      },
    }
  }
}

function lastLinked(text: Buffer): { readonly link: ChainLink; readonly end: number } | undefined {
  for (let end = text.lastIndexOf(newline) + 1; end > 0; ) {
    const start = end === 1 ? 0 : text.lastIndexOf(newline, end - 2) + 1
    const link = readLink(text.subarray(start, end))?.link
    if (link !== undefined) return { link, end }
    end = start
  }
  return undefined
}
