import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ChainCheck } from './chain-check.ts'
import type { ChainLink } from './chained-line.ts'
import type { ChainFinding } from './finding.ts'
import { linesForward } from './lines-forward.ts'

export interface VerifiedLog {
  /** Ordered from the oldest to the latest. */
  readonly files: readonly string[]
  /** The number of lines with a hash. */
  readonly lines: number
  /** The sequence number at which the log begins; absent without lines. */
  readonly first?: number
  /** The link of the last line. */
  readonly head?: ChainLink
  readonly findings: readonly ChainFinding[]
}

/** Verifies a log including its rotated files. `wanted`: a line that is known to have been written. */
export async function verifyAuditLog(file: string, wanted?: ChainLink): Promise<VerifiedLog> {
  const opened = await openFiles(await filesOf(file))
  try {
    const check = new ChainCheck(wanted)
    for (const [index, { name, handle }] of opened.entries()) {
      for await (const { bytes, number, offset } of linesForward(handle)) {
        check.add({ bytes: Buffer.from(bytes), file: name, line: number, offset })
      }
      check.endOfFile(index === opened.length - 1)
    }
    const { size = 0 } = (await opened.at(-1)?.handle.stat()) ?? {}
    check.end({ file, line: 0, offset: size })
    const { lines, findings, first, head } = check
    return {
      files: opened.map(({ name }) => name),
      lines,
      findings,
      ...(first !== undefined && { first }),
      ...(head !== undefined && { head }),
    }
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()))
  }
}

/** Latest first, so that no file is missed if the server rotates the log meanwhile. */
async function filesOf(file: string): Promise<readonly string[]> {
  const name = basename(file)
  const numbers = (await readdir(dirname(file))).flatMap((each) => {
    const number = each.startsWith(`${name}.`) ? each.slice(name.length + 1) : ''
    return /^[1-9]\d{0,5}$/.test(number) ? [Number(number)] : []
  })
  return [
    file,
    ...numbers.sort((left, right) => left - right).map((number) => join(dirname(file), `${name}.${number}`)),
  ]
}

async function openFiles(latestFirst: readonly string[]) {
  const opened: { name: string; id: bigint; handle: FileHandle }[] = []
  for (const name of latestFirst) {
    const handle = await open(name)
    const { ino } = await handle.stat({ bigint: true })
    if (opened.some(({ id }) => id === ino)) await handle.close()
    else opened.unshift({ name, id: ino, handle })
  }
  return opened
}
