import type { Writable } from 'node:stream'

/** As a shell tells it of programs that a closed pipe has ended. */
const closedPipe = 141

/** Who reads, such as `head`, may have seen enough: then there is nothing left to do, and nobody to tell. */
export function endWhenNobodyReads(...outputs: readonly Writable[]): void {
  for (const output of outputs) {
    output.on('error', (error) => {
      if ('code' in error && error.code === 'EPIPE') process.exit(closedPipe)
      throw error
    })
  }
}
