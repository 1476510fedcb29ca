import { type ChainLink, chainStart, linkHash, readLink } from './chained-line.ts'
import type { ChainFinding, LinePlace } from './finding.ts'

interface CheckedLine extends LinePlace {
  readonly bytes: Buffer
}

const nothing = Buffer.alloc(0)
const mostBetweenBytes = 4 * 1024 * 1024

/** Checks the lines of one log, oldest first, across all its files. */
export class ChainCheck {
  readonly findings: ChainFinding[] = []
  readonly #wanted: ChainLink | undefined
  #head: ChainLink | undefined
  #first: number | undefined
  #lines = 0
  /** Lines without a link since the last line with one. */
  #between: CheckedLine[] = []
  #betweenBytes = 0
  /** Sequence numbers that are missing so far, each with its finding. */
  readonly #gaps: { readonly from: number; readonly to: number; readonly finding: ChainFinding }[] = []
  #hasSeenWanted = false

  /** `wanted`: a line that is known from elsewhere to have been written. */
  constructor(wanted?: ChainLink) {
    this.#wanted = wanted
  }

  /** The link of the last line. */
  get head(): ChainLink | undefined {
    return this.#head
  }

  get first(): number | undefined {
    return this.#first
  }

  /** The number of lines with a link. */
  get lines(): number {
    return this.#lines
  }

  add(line: CheckedLine): void {
    const read = readLink(line.bytes)
    if (read === undefined) this.#keep(line)
    else {
      this.#lines++
      this.#compareWanted(line, read.link)
      this.#judge(line, read.link, read.body)
      this.#between = []
      this.#betweenBytes = 0
    }
  }

  /** `isLatest`: a server may still be writing to the file. */
  endOfFile(isLatest: boolean): void {
    const last = this.#between.at(-1)
    if (last === undefined || last.bytes.at(-1) === 0x0a) return
    this.#between.pop()
    if (isLatest) this.#tell('torn', last, 'the last line is not whole: it is being written, or a crash has cut it off')
    else this.#tell('cut', last, 'the file ends in the middle of a line, and another file follows it')
  }

  end(place: LinePlace): void {
    for (const line of this.#between.splice(0)) {
      if (this.#head === undefined) this.#tell('unchained', line, 'a line without a hash')
      else this.#tell('inserted', line, 'no line of the server, or one whose hash was taken away')
    }
    const wanted = this.#wanted
    if (wanted === undefined || this.#hasSeenWanted) return
    const last = this.#head?.sequence ?? 0
    if ((this.#first ?? 0) > wanted.sequence) return
    const reach = `the log ends at line ${last} of the chain, and line ${wanted.sequence} was written`
    if (last < wanted.sequence) this.#tell('cut', place, `${reach}: its end was taken away`)
  }

  #judge(line: CheckedLine, link: ChainLink, body: Buffer): void {
    const head = this.#head
    const isBehind = head !== undefined && link.sequence <= head.sequence && link.sequence > 1
    if (head === undefined) this.#begin(line, link, body)
    else if (link.sequence === head.sequence + 1) this.#follow(line, link, body, head)
    else if (link.sequence > head.sequence) this.#skip(line, link, head)
    else if (isBehind) this.#goBack(line, link)
    else {
      this.#tellBetween()
      this.#tell('replaced', line, `a new chain begins after line ${head.sequence} of another one`)
    }
    if (!isBehind) this.#head = link
  }

  #begin(line: CheckedLine, link: ChainLink, body: Buffer): void {
    this.#first = link.sequence
    const [before] = this.#between
    const count = this.#between.length
    if (link.sequence > 1) {
      this.#tellBetween()
      this.#tell('begins-later', line, `the log begins at line ${link.sequence} of the chain: older lines are missing`)
      return
    }
    const isTorn = count > 0 && link.hash === linkHash(chainStart, this.#betweenText(), body)
    if (before !== undefined) {
      this.#tell('unchained', before, `${count} lines from before there were hashes: they cannot be checked`)
    }
    if (!isTorn && !this.#isTornAtEnd(link, body)) this.#compare(line, link, body, chainStart)
  }

  /** The last of the lines without hashes may have been cut off by a crash. */
  #isTornAtEnd(link: ChainLink, body: Buffer): boolean {
    const last = this.#between.at(-1)
    return last !== undefined && link.hash === linkHash(chainStart, last.bytes, body)
  }

  #follow(line: CheckedLine, link: ChainLink, body: Buffer, head: ChainLink): void {
    const [torn] = this.#between
    if (torn !== undefined && link.hash === linkHash(head, this.#betweenText(), body)) {
      this.#tell('torn', torn, 'a line that a crash has truncated; the next line confirms the rest of it')
      return
    }
    this.#tellBetween()
    this.#compare(line, link, body, head)
  }

  #compare(line: CheckedLine, link: ChainLink, body: Buffer, head: ChainLink): void {
    if (link.hash === linkHash(head, nothing, body)) return
    this.#tell(
      'changed',
      line,
      `line ${link.sequence} of the chain, or the hash of the previous line, is not as it was written`,
    )
  }

  #skip(line: CheckedLine, link: ChainLink, head: ChainLink): void {
    this.#tellBetween()
    const [from, to] = [head.sequence + 1, link.sequence - 1]
    const which = from === to ? `line ${from} of the chain is` : `lines ${from} to ${to} of the chain are`
    const finding = this.#tell('missing', line, `${which} missing before this one`)
    this.#gaps.push({ from, to, finding })
  }

  /** A line that seemed missing and turns up elsewhere was moved, not removed. */
  #goBack(line: CheckedLine, link: ChainLink): void {
    this.#tellBetween()
    const gap = this.#gaps.find(({ from, to }) => from === link.sequence && to === link.sequence)
    if (gap !== undefined) {
      this.findings.splice(this.findings.indexOf(gap.finding), 1)
      this.#gaps.splice(this.#gaps.indexOf(gap), 1)
    }
    this.#tell('reordered', line, `line ${link.sequence} of the chain stands after line ${this.#head?.sequence}`)
  }

  #compareWanted(line: CheckedLine, link: ChainLink): void {
    if (this.#wanted === undefined || link.sequence !== this.#wanted.sequence) return
    this.#hasSeenWanted = true
    if (link.hash !== this.#wanted.hash) {
      this.#tell(
        'replaced',
        line,
        `line ${link.sequence} of the chain has another hash than the one that is known of it`,
      )
    }
  }

  #keep(line: CheckedLine): void {
    this.#betweenBytes += line.bytes.length
    if (this.#betweenBytes <= mostBetweenBytes || this.#head === undefined) this.#between.push(line)
    else this.#tell('inserted', line, 'no line of the server')
  }

  #tellBetween(): void {
    for (const line of this.#between)
      this.#tell('inserted', line, 'no line of the server, or one whose hash was taken away')
  }

  #betweenText(): Buffer {
    return Buffer.concat(this.#between.map(({ bytes }) => bytes))
  }

  #tell(kind: ChainFinding['kind'], { file, line, offset }: LinePlace, message: string): ChainFinding {
    const finding = { kind, place: { file, line, offset }, message }
    this.findings.push(finding)
    return finding
  }
}
